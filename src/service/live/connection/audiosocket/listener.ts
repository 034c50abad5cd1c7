// Listens for Asterisk's AudioSocket.
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { errors } from "../../../../platform/errors.ts";
import { errorBytes, RESTARTED } from "../../dialects/audiosocket/errors.ts";
import { TcpListener, type TcpListenerOptions } from "../tcp-listener.ts";
import { AudioSocketPeer } from "./peer.ts";
import type { AudioSocketSessions } from "./sessions.ts";

export class AudioSocketListener extends TcpListener {
  constructor(options: TcpListenerOptions, sessions: AudioSocketSessions, logger: Logger) {
    const protocol = {
      variable: "PARLANCE_AUDIOSOCKET",
      sessions,
      peer: (socket: Socket) => new AudioSocketPeer(socket, sessions, options.idleMilliseconds, logger),
      refusal: errorBytes,
      errors: {
        refused: errors.audioSocketClientRefused,
        tooMany: errors.audioSocketTooManyConnections,
        stopped: () => errors.audioSocketInterrupted(RESTARTED),
      },
    };
    super(options, protocol, logger);
  }
}
