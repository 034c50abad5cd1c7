// Listens for clients of the Wyoming protocol.
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { errors, type ParlanceError } from "../../../../platform/errors.ts";
import { eventBytes } from "../../dialects/wyoming/framing.ts";
import { errorEvent, RESTARTED } from "../../dialects/wyoming/printer.ts";
import { TcpListener, type TcpListenerOptions } from "../tcp-listener.ts";
import { WyomingPeer } from "./peer.ts";
import type { WyomingSessions } from "./sessions.ts";

export class WyomingListener extends TcpListener {
  constructor(options: TcpListenerOptions, sessions: WyomingSessions, logger: Logger) {
    const protocol = {
      variable: "PARLANCE_WYOMING",
      sessions,
      peer: (socket: Socket) => new WyomingPeer(socket, sessions, options.idleMilliseconds, logger),
      refusal: (error: ParlanceError) => eventBytes(errorEvent(error)),
      errors: {
        refused: errors.wyomingClientRefused,
        tooMany: errors.wyomingTooManyConnections,
        stopped: () => errors.wyomingInterrupted(RESTARTED),
      },
    };
    super(options, protocol, logger);
  }
}
