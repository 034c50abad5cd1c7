// Listens for Asterisk's AudioSocket.
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { clientsOf } from "../../../../platform/config/keyless-listener.ts";
import { errors } from "../../../../platform/errors.ts";
import { errorBytes, RESTARTED } from "../../dialects/audiosocket/errors.ts";
import { TcpListener, type TcpListenerOptions } from "../tcp-listener.ts";
import { AudioSocketPeer } from "./peer.ts";
import type { AudioSocketSessions } from "./sessions.ts";

export interface AudioSocketOptions extends TcpListenerOptions {
  /** Of the settings. */
  clients: string;
  idleMilliseconds: number;
}

export class AudioSocketListener extends TcpListener {
  constructor(
    options: AudioSocketOptions,
    private readonly sessions: AudioSocketSessions,
    logger: Logger,
  ) {
    const protocol = {
      variable: "PARLANCE_AUDIOSOCKET",
      mayConnect: clientsOf(options.clients),
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

  override async stop(milliseconds: number): Promise<void> {
    this.sessions.isStopping = true;
    await super.stop(milliseconds);
  }
}
