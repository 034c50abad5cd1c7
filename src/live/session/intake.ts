// Finds the place of what a client sends, over all its connections, and stores what is new of it.
import type { StoredAudio } from "../log/log-contract.ts";

/** A chunk that was taken. */
export interface Taken {
  /** First byte and one past the last, from the start of the session. */
  range: [start: number, end: number];
  /** What of it was not stored before. */
  fresh: Buffer;
}

export class Intake {
  /** The connection that the last bytes came from. */
  private source: number | undefined;
  /** Where the client's next byte belongs; below the inbox's end while it sends again. */
  private position: number;

  constructor(private readonly audio: StoredAudio) {
    this.position = audio.total;
  }

  /**
   * When this resolves the chunk is on disk.
   * @param source  number of its connection: the first bytes of each may have been sent before, when they were not
   *                acknowledged to the one before it
   */
  async take(bytes: Buffer, source: number): Promise<Taken> {
    if (this.source !== source && bytes.length > 0) {
      this.source = source;
      this.position = await this.audio.placeOf(bytes);
    }
    const resent = Math.min(bytes.length, this.audio.total - this.position);
    if (resent > 0) {
      const stored = await this.audio.read(this.position, this.position + resent);
      // What does not match was never sent before.
      if (!stored.equals(bytes.subarray(0, resent))) this.position = this.audio.total;
    }
    const start = this.position;
    const fresh = bytes.subarray(Math.min(bytes.length, this.audio.total - start));
    await this.audio.append(fresh, start + bytes.length);
    this.position = start + bytes.length;
    return { range: [start, this.position], fresh };
  }
}
