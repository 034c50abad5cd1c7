// The newest audio of a channel, by its place in the whole.

const FIRST_SAMPLES = 128_000;

export class SampleBuffer {
  private samples = new Float32Array(FIRST_SAMPLES);
  /** Place of the first sample that is still kept, and one past the last. */
  private first: number;
  private last: number;

  /** @param start  place of the first sample that will be appended */
  constructor(start: number) {
    this.first = start;
    this.last = start;
  }

  get end(): number {
    return this.last;
  }

  /** @param unneeded  samples before this place may be forgotten */
  append(samples: Float32Array, unneeded: number): void {
    if (this.last - this.first + samples.length > this.samples.length) this.makeRoom(samples.length, unneeded);
    this.samples.set(samples, this.last - this.first);
    this.last += samples.length;
  }

  /** A copy of the samples from one place to another; what is forgotten or not there yet is left out. */
  slice(from: number, to: number): Float32Array {
    const end = Math.min(to, this.last) - this.first;
    return this.samples.slice(Math.max(0, from - this.first), Math.max(0, end));
  }

  private makeRoom(count: number, unneeded: number): void {
    const from = Math.min(this.last, Math.max(this.first, unneeded));
    const kept = this.samples.subarray(from - this.first, this.last - this.first);
    const larger = new Float32Array(Math.max(FIRST_SAMPLES, 2 * (kept.length + count)));
    larger.set(kept);
    this.samples = larger;
    this.first = from;
  }
}
