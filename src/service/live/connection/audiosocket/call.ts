// The connection of a session whose client reads no transcripts: a call of AudioSocket.
import { TcpConnection } from "../tcp-connection.ts";

export class Call extends TcpConnection {
  readonly lastEvent = "recordingEnded";

  /** Callbacks and the result have the events. */
  async send(): Promise<void> {}
}
