// Finds the place of what a client sends, over all its connections, and stores what is new of it.
import type { Inbox } from "./inbox.ts";

/** A chunk that was taken. */
export interface Taken {
  /** First byte and one past the last, from the start of the session. */
  range: [start: number, end: number];
  /** What of it was not stored before. */
  fresh: Buffer;
}

export class Intake {
  private isFirstOfConnection = true;
  /** Where the client's next byte belongs; below the inbox's end while it sends again. */
  private position: number;

  constructor(private readonly inbox: Inbox) {
    this.position = inbox.total;
  }

  /** The next bytes come from a client that may send again what was not acknowledged to it. */
  beginConnection(): void {
    this.isFirstOfConnection = true;
  }

  /** When this resolves the chunk is on disk. */
  async take(bytes: Buffer): Promise<Taken> {
    if (this.isFirstOfConnection && bytes.length > 0) {
      this.isFirstOfConnection = false;
      this.position = await this.inbox.placeOf(bytes);
    }
    const resent = Math.min(bytes.length, this.inbox.total - this.position);
    if (resent > 0) {
      const stored = await this.inbox.read(this.position, this.position + resent);
      // What does not match was never sent before.
      if (!stored.equals(bytes.subarray(0, resent))) this.position = this.inbox.total;
    }
    const start = this.position;
    const fresh = bytes.subarray(Math.min(bytes.length, this.inbox.total - start));
    await this.inbox.append(fresh, start + bytes.length);
    this.position = start + bytes.length;
    return { range: [start, this.position], fresh };
  }
}
