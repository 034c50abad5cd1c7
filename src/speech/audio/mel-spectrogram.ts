// Whisper's logarithmic mel spectrogram in double precision: networks with integer inputs amplify small differences. Pure.
import { Fourier400 } from "./fourier-400.ts";
import {
  FREQUENCIES,
  HOP_SAMPLES,
  LOWEST_POWER,
  melFilters,
  RANGE_DECADES,
  WINDOW_SAMPLES,
  windowWeight,
} from "./mel.ts";

const BORDER_SAMPLES = WINDOW_SAMPLES / 2;

interface Filter {
  /** First frequency. */
  from: number;
  weights: Float64Array;
}

/** The filters without their zeros. */
function bandFilters(bins: number): Filter[] {
  const dense = melFilters(bins);
  return Array.from({ length: bins }, (_, bin) => {
    const row = dense.subarray(bin * FREQUENCIES, (bin + 1) * FREQUENCIES);
    const from = row.findIndex((weight) => weight > 0);
    const until = row.findLastIndex((weight) => weight > 0) + 1;
    return { from: Math.max(0, from), weights: Float64Array.from(row.subarray(Math.max(0, from), until)) };
  });
}

export class MelSpectrogram {
  private readonly fourier = new Fourier400();
  private readonly filters: readonly Filter[];
  private readonly window = Float64Array.from({ length: WINDOW_SAMPLES }, (_, at) => windowWeight(at));
  private readonly powers = [new Float64Array(FREQUENCIES), new Float64Array(FREQUENCIES)] as const;

  constructor(private readonly bins: number) {
    this.filters = bandFilters(bins);
  }

  /**
   * @param samples  a whole number of hops; both ends are mirrored
   * @param constant  so many samples at the beginning have the same value, which saves their transforms
   * @returns row-major [bins, samples / HOP_SAMPLES], scaled as in training
   */
  compute(samples: Float32Array, constant = 0): Float32Array {
    const frames = samples.length / HOP_SAMPLES;
    const decades = new Float32Array(this.bins * frames);
    // Windows that lie within the constant beginning.
    const same = Math.max(0, Math.floor((constant - BORDER_SAMPLES) / HOP_SAMPLES));
    let loudest = Number.NEGATIVE_INFINITY;
    for (let frame = 0; frame < frames; frame += 2) {
      if (frame > 0 && frame + 1 < same) {
        for (let bin = 0; bin < this.bins; bin++)
          decades.fill(decades[bin * frames] as number, bin * frames + frame, bin * frames + frame + 2);
        continue;
      }
      this.transformPair(samples, frame);
      for (const [at, powers] of this.powers.entries()) {
        if (frame + at >= frames) break;
        for (const [bin, { from, weights }] of this.filters.entries()) {
          let power = 0;
          for (let index = 0; index < weights.length; index++) {
            power += (weights[index] as number) * (powers[from + index] as number);
          }
          const value = Math.log10(Math.max(power, LOWEST_POWER));
          decades[bin * frames + frame + at] = value;
          loudest = Math.max(loudest, value);
        }
      }
    }
    const quietest = loudest - RANGE_DECADES;
    for (let at = 0; at < decades.length; at++) decades[at] = (Math.max(decades[at] as number, quietest) + 4) / 4;
    return decades;
  }

  /** Powers of two windows, which are the real and the imaginary parts of one transform. @param frame  of the first */
  private transformPair(samples: Float32Array, frame: number): void {
    const { fourier, window, powers } = this;
    this.copy(samples, frame * HOP_SAMPLES - BORDER_SAMPLES, fourier.real, window);
    this.copy(samples, (frame + 1) * HOP_SAMPLES - BORDER_SAMPLES, fourier.imaginary, window);
    fourier.transform();
    const { real, imaginary } = fourier;
    for (let at = 0; at < FREQUENCIES; at++) {
      const mirror = (WINDOW_SAMPLES - at) % WINDOW_SAMPLES;
      const [a, b] = [real[at] as number, imaginary[at] as number];
      const [c, d] = [real[mirror] as number, imaginary[mirror] as number];
      powers[0][at] = ((a + c) ** 2 + (b - d) ** 2) / 4;
      powers[1][at] = ((b + d) ** 2 + (c - a) ** 2) / 4;
    }
  }

  private copy(samples: Float32Array, from: number, target: Float64Array, window: Float64Array): void {
    const last = samples.length - 1;
    for (let at = 0; at < WINDOW_SAMPLES; at++) {
      const index = Math.abs(from + at);
      const sample = samples[index <= last ? index : 2 * last - index] ?? 0;
      target[at] = sample * (window[at] as number);
    }
  }
}
