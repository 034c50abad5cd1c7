// Restricts decoded audio to a part of the recording. What precedes the part becomes a gap, so that times still count from the start of
// the recording.
import type { AudioRange } from "../../../contract/pre-recorded.ts";
import { SAMPLE_RATE } from "../sample-rate.ts";
import { BYTES_PER_SAMPLE } from "../samples.ts";
import type { PlacedChunk } from "./resampled.ts";

export class RangeFilter {
  /** Samples before which nothing is kept, and from which nothing is kept. */
  private readonly start: number;
  private readonly end: number;
  /** Position of the next chunk. */
  private position = 0;

  constructor({ start = 0, end = Number.POSITIVE_INFINITY }: AudioRange) {
    this.start = Math.round(start * SAMPLE_RATE);
    this.end = Math.round(end * SAMPLE_RATE);
  }

  /** Whether no later chunk is within the range. */
  get isOver(): boolean {
    return this.position >= this.end;
  }

  /** @returns the chunk's part within the range; the samples before the range are part of its gap */
  kept({ planes, samples, gapSamples }: PlacedChunk): PlacedChunk {
    const first = this.position + gapSamples;
    const from = Math.min(samples, Math.max(0, this.start - first));
    const to = Math.max(from, Math.min(samples, this.end - first));
    const gap = Math.min(gapSamples + from, Math.max(0, this.end - this.position));
    this.position = first + samples;
    return {
      planes: planes.map((plane) => plane.subarray(from * BYTES_PER_SAMPLE, to * BYTES_PER_SAMPLE)),
      samples: to - from,
      gapSamples: gap,
    };
  }
}
