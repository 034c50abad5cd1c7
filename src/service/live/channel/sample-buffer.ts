// The newest audio of a channel, addressed by its position in the session.

const FIRST_SAMPLES = 128_000;

export class SampleBuffer {
  private samples = new Float32Array(FIRST_SAMPLES);
  /** Position of the first sample still kept, and one past the last. */
  private first: number;
  private last: number;

  /** @param start  position of the first sample to be appended */
  constructor(start: number) {
    this.first = start;
    this.last = start;
  }

  get end(): number {
    return this.last;
  }

  /** @param neededFrom  samples before this position may be dropped */
  append(samples: Float32Array, neededFrom: number): void {
    if (this.last - this.first + samples.length > this.samples.length) this.makeRoom(samples.length, neededFrom);
    this.samples.set(samples, this.last - this.first);
    this.last += samples.length;
  }

  /** A copy of a range of samples; samples that were dropped or have not arrived are omitted. */
  slice(from: number, to: number): Float32Array {
    const end = Math.min(to, this.last) - this.first;
    return this.samples.slice(Math.max(0, from - this.first), Math.max(0, end));
  }

  private makeRoom(count: number, neededFrom: number): void {
    const from = Math.min(this.last, Math.max(this.first, neededFrom));
    const kept = this.samples.subarray(from - this.first, this.last - this.first);
    const larger = new Float32Array(Math.max(FIRST_SAMPLES, 2 * (kept.length + count)));
    larger.set(kept);
    this.samples = larger;
    this.first = from;
  }
}
