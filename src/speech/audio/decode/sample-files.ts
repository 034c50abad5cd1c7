// Writes the samples of each channel to a file. Short gaps become zeros; of long ones only a part on either side is
// stored, which separates the speech before and after, and the rest goes to the gap list.
import { closeSync, openSync } from "node:fs";
import { SAMPLE_RATE } from "../sample-rate.ts";
import { BYTES_PER_SAMPLE } from "../samples.ts";
import { writeWhole } from "../write-whole.ts";
import type { Gap } from "./gaps.ts";

/** Silence stored on either side of a longer gap: more than the pause that separates two segments (0.6 s). */
const STORED_SIDE_SECONDS = 1;
/** Longest gap that is stored as a whole. It bounds the gap list: 5400 for six hours. */
const LONGEST_STORED_GAP_SECONDS = 4;

const STORED_SIDE_SAMPLES = STORED_SIDE_SECONDS * SAMPLE_RATE;
const ZEROS = Buffer.alloc(STORED_SIDE_SAMPLES * BYTES_PER_SAMPLE);

export class SampleFiles {
  readonly gaps: Gap[] = [];
  private readonly files: number[] = [];
  private storedSamples = 0;

  /** @param paths  one file per channel */
  constructor(paths: readonly string[]) {
    try {
      for (const path of paths) this.files.push(openSync(path, "w"));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  write(planes: readonly Buffer[], samples: number): void {
    for (const [channel, file] of this.files.entries()) writeWhole(file, planes[channel] as Buffer);
    this.storedSamples += samples;
  }

  /** @returns zeros that were stored in each file */
  writeGap(samples: number): number {
    const before = this.storedSamples;
    this.storeGap(samples);
    return this.storedSamples - before;
  }

  private storeGap(samples: number): void {
    // Before a late start there is no speech to be separated.
    const isStart = this.storedSamples === 0;
    if (!isStart && samples <= LONGEST_STORED_GAP_SECONDS * SAMPLE_RATE) {
      this.writeZeros(samples);
      return;
    }
    const side = isStart ? 0 : STORED_SIDE_SAMPLES;
    this.writeZeros(side);
    const seconds = (samples - 2 * side) / SAMPLE_RATE;
    const storedSeconds = this.storedSamples / SAMPLE_RATE;
    const last = this.gaps.at(-1);
    if (last?.storedSeconds === storedSeconds) last.seconds += seconds;
    else this.gaps.push({ storedSeconds, seconds });
    this.writeZeros(side);
  }

  close(): void {
    for (const file of this.files.splice(0)) closeSync(file);
  }

  private writeZeros(samples: number): void {
    for (let left = samples; left > 0; left -= STORED_SIDE_SAMPLES) {
      const zeros = ZEROS.subarray(0, Math.min(left, STORED_SIDE_SAMPLES) * BYTES_PER_SAMPLE);
      for (const file of this.files) writeWhole(file, zeros);
    }
    this.storedSamples += samples;
  }
}
