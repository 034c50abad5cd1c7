// What a demuxer of a compressed stream finds. Demuxers work on bytes as they arrive: any split of the bytes gives the same parts.

/** Raw samples: G.711, and 16 bits in either order of bytes. */
export type SampleCodec = "mu-law" | "a-law" | "s16be" | "s16le";
export type Codec = "opus" | "aac" | "mp3" | SampleCodec;

/** Parameters of a decoder. */
export interface CodecSetup {
  codec: Codec;
  /** OpusHead; AudioSpecificConfig of AAC without headers; undefined for streams without it. */
  head?: Buffer;
  /** Undefined where the frames state it. */
  channels?: number;
  /** Of raw samples. */
  sampleRate?: number;
}

/** Positions are bytes from the start of the stream. */
export type Part =
  /** A decoder with these parameters begins: at the start of the stream, or where another one is joined to it. */
  | { kind: "setup"; setup: CodecSetup }
  | { kind: "packet"; bytes: Buffer; from: number; end: number }
  /** Time of the next packet in the clock of the sender, 90 kHz: once in a stream that states it. */
  | { kind: "clock"; ticks: number }
  /** Bytes that belong to no packet and to no header, in a range that may contain others. */
  | { kind: "lost"; from: number; end: number; bytes: number }
  /** The stream cannot be read: what it contains instead. */
  | { kind: "refused"; reason: string };

export interface Demuxer {
  /** @returns the parts that are complete with these next bytes */
  push(bytes: Buffer): Part[];
  /** No more bytes follow. */
  end(): Part[];
}

/** The bytes of a stream that were not processed, with their position. */
export class Pending {
  private bytes: Buffer = Buffer.alloc(0);
  private start = 0;
  private skipping = 0;
  private isSkippingLost = false;

  /** Position of the first byte. */
  get at(): number {
    return this.start;
  }

  get length(): number {
    return this.bytes.length;
  }

  get all(): Buffer {
    return this.bytes;
  }

  add(bytes: Buffer): void {
    this.bytes = this.bytes.length > 0 ? Buffer.concat([this.bytes, bytes]) : bytes;
  }

  take(count: number): Buffer {
    const taken = this.bytes.subarray(0, count);
    this.bytes = this.bytes.subarray(count);
    this.start += taken.length;
    return taken;
  }

  /** The next bytes contain no audio. @param isLost  whether they count as lost */
  skip(count: number, isLost: boolean): void {
    this.skipping = count;
    this.isSkippingLost = isLost;
  }

  /** Takes what has arrived of the bytes to skip. @returns false if more of them follow */
  passSkipped(parts: Part[]): boolean {
    const count = Math.min(this.skipping, this.length);
    if (this.isSkippingLost) parts.push(...this.lose(count));
    else this.take(count);
    this.skipping -= count;
    return this.skipping === 0;
  }

  /** Takes bytes that belong to nothing. */
  lose(count: number): Part[] {
    const from = this.start;
    this.take(count);
    return this.start > from ? [{ kind: "lost", from, end: this.start, bytes: this.start - from }] : [];
  }
}
