// Writes events to a client. What the client does not read is bounded: a writer waits for the network, and a client that reads nothing
// is disconnected.
import type { Socket } from "node:net";
import type { WyomingEvent } from "../../../../contract/wyoming.ts";
import { within } from "../../../../platform/process/within.ts";
import { eventBytes } from "../../dialects/wyoming/framing.ts";

/** As long as clients of WebSockets have. */
const UNREAD_MILLISECONDS = 30_000;

export class WyomingWriter {
  constructor(private readonly socket: Socket) {}

  /** Resolves when the events are handed to the network; without events, when those before are. @throws Error if the connection has ended */
  async write(events: readonly WyomingEvent[]): Promise<void> {
    const bytes = Buffer.concat(events.map(eventBytes));
    const written = new Promise<void>((resolve, reject) => {
      if (!this.socket.writable) reject(new Error("the connection is closed"));
      else this.socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
    try {
      await within(UNREAD_MILLISECONDS, written);
    } catch (error) {
      this.socket.destroy();
      throw error;
    }
  }
}
