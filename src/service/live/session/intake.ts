// Determines the position of received audio, over all connections of a session, and stores the new part of it.
import type { StoredAudio } from "../log/log-contract.ts";

/** A received chunk. */
export interface Taken {
  /** First byte and one past the last, from the start of the session. */
  range: [start: number, end: number];
  /** The part that was not stored before. */
  fresh: Buffer;
}

export class Intake {
  /** Connection of the last received bytes. */
  private source: number | undefined;
  /** Position of the client's next byte; below the end of the stored audio while the client resends. */
  private position: number;

  constructor(private readonly audio: StoredAudio) {
    this.position = audio.total;
  }

  /**
   * Resolves when the chunk is stored.
   * @param source  number of its connection: the first bytes of each may be a resend of bytes that were not
   *   acknowledged on the previous one. Undefined: they continue the stored audio
   */
  async take(bytes: Buffer, source: number | undefined): Promise<Taken> {
    if (source === undefined) this.position = this.audio.total;
    else if (this.source !== source && bytes.length > 0) {
      this.source = source;
      this.position = await this.audio.placeOf(bytes);
    }
    const resent = Math.min(bytes.length, this.audio.total - this.position);
    if (resent > 0) {
      const stored = await this.audio.read(this.position, this.position + resent);
      // Bytes that do not match are new.
      if (!stored.equals(bytes.subarray(0, resent))) this.position = this.audio.total;
    }
    const start = this.position;
    const fresh = bytes.subarray(Math.min(bytes.length, this.audio.total - start));
    await this.audio.append(fresh, start + bytes.length);
    this.position = start + bytes.length;
    return { range: [start, this.position], fresh };
  }
}
