// Level of a channel over the last blocks, and its background.
import { BINS, HERTZ_PER_BIN, type Spectrum } from "./blocks.ts";

/** 320 ms: a leak may arrive that much later than its source. */
const MEAN_BLOCKS = 10;
/** Length of a part of the memory of the background: 1 s. */
const PART_BLOCKS = 31;
const PARTS = 8;
/** The minimum of a smoothed power is this much below its mean. */
const MINIMUM_BIAS = 2;
const SMOOTHING = 0.7;
/** 250 Hz to 7 kHz. */
const [FIRST, END] = [Math.round(250 / HERTZ_PER_BIN), Math.round(7_000 / HERTZ_PER_BIN)];
/** Speech loses about 6 dB an octave: higher bins count more. */
const WEIGHTS = Float32Array.from({ length: BINS }, (_, bin) =>
  bin < FIRST || bin >= END ? 0 : Math.min(4, (bin * HERTZ_PER_BIN) / 1_000) ** 2,
);

/** Minimum over the last eight seconds. */
class Minimum {
  private readonly parts: Float32Array[];
  private part = 0;
  private blocks = 0;

  constructor(private readonly size: number) {
    this.parts = Array.from({ length: PARTS }, () => new Float32Array(size).fill(Number.POSITIVE_INFINITY));
  }

  add(values: Float32Array): void {
    if (++this.blocks > PART_BLOCKS) {
      this.blocks = 1;
      this.part = (this.part + 1) % PARTS;
      this.parts[this.part]?.fill(Number.POSITIVE_INFINITY);
    }
    const part = this.parts[this.part] as Float32Array;
    for (let at = 0; at < this.size; at++) part[at] = Math.min(part[at] as number, values[at] as number);
  }

  read(into: Float32Array): void {
    into.fill(Number.POSITIVE_INFINITY);
    for (const part of this.parts) {
      for (let at = 0; at < this.size; at++) into[at] = Math.min(into[at] as number, part[at] as number);
    }
  }
}

const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

export class ChannelPower {
  private readonly recent = new Float64Array(2 * MEAN_BLOCKS);
  private readonly smoothed = new Float32Array(BINS);
  private readonly minimum = new Minimum(BINS);
  private readonly lowest = new Float32Array(BINS);
  private readonly level = new Minimum(1);
  private readonly levelNow = new Float32Array(1);
  private blocks = 0;
  /** Weighted power of the last block. */
  now = 0;
  /** The same, mean of the last blocks. */
  mean = 0;
  /** The same, mean of the blocks before those. */
  earlierMean = 0;
  /** The same, of the background. */
  background = 0;

  /** Adds a block, and updates `now`, `mean` and `background`. */
  add({ real, imaginary }: Spectrum): void {
    const { smoothed } = this;
    let now = 0;
    for (let bin = 0; bin < BINS; bin++) {
      const power = (real[bin] as number) ** 2 + (imaginary[bin] as number) ** 2;
      const before = this.blocks === 0 ? power : (smoothed[bin] as number);
      smoothed[bin] = SMOOTHING * before + (1 - SMOOTHING) * power;
      now += (WEIGHTS[bin] as number) * power;
    }
    this.minimum.add(smoothed);
    this.levelNow[0] = this.blocks === 0 ? now : SMOOTHING * (this.levelNow[0] as number) + (1 - SMOOTHING) * now;
    this.level.add(this.levelNow);
    this.level.read(this.lowest.subarray(0, 1));
    this.background = MINIMUM_BIAS * (this.lowest[0] as number);
    const { recent } = this;
    recent.copyWithin(0, 1);
    recent[recent.length - 1] = now;
    this.blocks++;
    this.now = now;
    this.mean = mean(recent.subarray(MEAN_BLOCKS));
    this.earlierMean = mean(recent.subarray(0, MEAN_BLOCKS));
  }

  /** Power of the background in every bin, of a transform of two blocks without a window. */
  backgroundPowers(): Float32Array {
    this.minimum.read(this.lowest);
    for (let bin = 0; bin < BINS; bin++) this.lowest[bin] = MINIMUM_BIAS * (this.lowest[bin] as number);
    return this.lowest;
  }
}
