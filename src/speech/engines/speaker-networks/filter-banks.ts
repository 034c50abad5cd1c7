// Logarithmic mel filter banks as Kaldi computes them, which the voice network was trained with: windows of 25 ms every 10 ms, without
// dither, no window beyond the last sample. Pure.
// Source: https://kaldi-asr.org/doc/feat.html; constants as in Kaldi's feature-window and mel-computations.
import { SAMPLE_RATE } from "../../audio/sample-rate.ts";

export const BANKS = 80;
const BANK_WINDOW_SAMPLES = 400;
export const HOP_SAMPLES = 160;
const TRANSFORM_SIZE = 512;
const PRE_EMPHASIS = 0.97;
/** Exponent of Kaldi's own window, over a Hann window. */
const WINDOW_POWER = 0.85;
const LOWEST_HERTZ = 20;
const LEAST_ENERGY = 1.1920929e-7;

const mel = (hertz: number) => 1127 * Math.log(1 + hertz / 700);

interface Filter {
  /** First bin of the spectrum. */
  from: number;
  weights: Float64Array;
}

function triangles(): Filter[] {
  const low = mel(LOWEST_HERTZ);
  const step = (mel(SAMPLE_RATE / 2) - low) / (BANKS + 1);
  return Array.from({ length: BANKS }, (_, bank) => {
    const [left, centre, right] = [low + bank * step, low + (bank + 1) * step, low + (bank + 2) * step];
    const weights: number[] = [];
    let from = 0;
    // Without the bin of half the sample rate, as in Kaldi.
    for (let bin = 0; bin < TRANSFORM_SIZE / 2; bin++) {
      const at = mel((bin * SAMPLE_RATE) / TRANSFORM_SIZE);
      if (at <= left || at >= right) continue;
      if (weights.length === 0) from = bin;
      weights.push(at <= centre ? (at - left) / (centre - left) : (right - at) / (right - centre));
    }
    return { from, weights: Float64Array.from(weights) };
  });
}

const FILTERS = triangles();
const WINDOW = Float64Array.from(
  { length: BANK_WINDOW_SAMPLES },
  (_, at) => (0.5 - 0.5 * Math.cos((2 * Math.PI * at) / (BANK_WINDOW_SAMPLES - 1))) ** WINDOW_POWER,
);
/** A real transform of this size is a complex one of half of it. */
const HALF_SIZE = TRANSFORM_SIZE / 2;
const COSINES = Float64Array.from({ length: HALF_SIZE }, (_, at) => Math.cos((2 * Math.PI * at) / TRANSFORM_SIZE));
const SINES = Float64Array.from({ length: HALF_SIZE }, (_, at) => Math.sin((2 * Math.PI * at) / TRANSFORM_SIZE));
const BITS = Math.log2(HALF_SIZE);
const REVERSED = Uint16Array.from({ length: HALF_SIZE }, (_, at) => {
  let reversed = 0;
  for (let bit = 0; bit < BITS; bit++) if (at & (1 << bit)) reversed |= 1 << (BITS - 1 - bit);
  return reversed;
});

/** Complex Fourier transform of HALF_SIZE in place, radix 2. The values are in the order of REVERSED. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  for (let size = 2; size <= HALF_SIZE; size *= 2) {
    const half = size / 2;
    const stride = TRANSFORM_SIZE / size;
    for (let at = 0; at < half; at++) {
      const [cosine, sine] = [COSINES[at * stride] as number, SINES[at * stride] as number];
      for (let upper = at; upper < HALF_SIZE; upper += size) {
        const lower = upper + half;
        const a = real[lower] as number;
        const b = imaginary[lower] as number;
        const turnedReal = a * cosine + b * sine;
        const turnedImaginary = b * cosine - a * sine;
        real[lower] = (real[upper] as number) - turnedReal;
        imaginary[lower] = (imaginary[upper] as number) - turnedImaginary;
        real[upper] = (real[upper] as number) + turnedReal;
        imaginary[upper] = (imaginary[upper] as number) + turnedImaginary;
      }
    }
  }
}

/**
 * Power of the bins below half the sample rate, from the transform of even samples plus i times odd ones.
 * @source the split of a real transform: https://www.robinscheibler.org/2013/02/13/real-fft.html
 */
function powersOf(real: Float64Array, imaginary: Float64Array, powers: Float64Array): void {
  for (let bin = 0; bin < HALF_SIZE; bin++) {
    const mirrored = (HALF_SIZE - bin) % HALF_SIZE;
    const [a, b] = [real[bin] as number, imaginary[bin] as number];
    const [c, d] = [real[mirrored] as number, imaginary[mirrored] as number];
    const [evenReal, evenImaginary] = [(a + c) / 2, (b - d) / 2];
    const [oddReal, oddImaginary] = [(b + d) / 2, (c - a) / 2];
    const [cosine, sine] = [COSINES[bin] as number, SINES[bin] as number];
    const sumReal = evenReal + oddReal * cosine + oddImaginary * sine;
    const sumImaginary = evenImaginary + oddImaginary * cosine - oddReal * sine;
    powers[bin] = sumReal * sumReal + sumImaginary * sumImaginary;
  }
}

/** Number of windows in so many samples. */
export const bankFrames = (samples: number) =>
  samples < BANK_WINDOW_SAMPLES ? 0 : 1 + Math.floor((samples - BANK_WINDOW_SAMPLES) / HOP_SAMPLES);

/**
 * @param samples  mono audio at 16 kHz in -1 to 1
 * @returns row-major [windows, BANKS] without the mean of each bank over the windows; empty below 25 ms
 */
export function filterBanks(samples: Float32Array): Float32Array {
  const frames = bankFrames(samples.length);
  const banks = new Float32Array(frames * BANKS);
  const means = new Float64Array(BANKS);
  const windowed = new Float64Array(TRANSFORM_SIZE);
  const [real, imaginary] = [new Float64Array(HALF_SIZE), new Float64Array(HALF_SIZE)];
  const powers = new Float64Array(HALF_SIZE);
  for (let frame = 0; frame < frames; frame++) {
    const start = frame * HOP_SAMPLES;
    let sum = 0;
    for (let at = 0; at < BANK_WINDOW_SAMPLES; at++) sum += samples[start + at] as number;
    const offset = sum / BANK_WINDOW_SAMPLES;
    let before = (samples[start] as number) - offset;
    for (let at = 0; at < BANK_WINDOW_SAMPLES; at++) {
      const value = (samples[start + at] as number) - offset;
      windowed[at] = (value - PRE_EMPHASIS * before) * (WINDOW[at] as number);
      before = value;
    }
    for (let at = 0; at < HALF_SIZE; at++) {
      const from = 2 * (REVERSED[at] as number);
      real[at] = windowed[from] as number;
      imaginary[at] = windowed[from + 1] as number;
    }
    transform(real, imaginary);
    powersOf(real, imaginary, powers);
    for (let bank = 0; bank < BANKS; bank++) {
      const { from, weights } = FILTERS[bank] as Filter;
      let energy = 0;
      for (let at = 0; at < weights.length; at++) energy += (weights[at] as number) * (powers[from + at] as number);
      const value = Math.log(Math.max(energy, LEAST_ENERGY));
      banks[frame * BANKS + bank] = value;
      means[bank] = (means[bank] as number) + value / frames;
    }
  }
  for (let at = 0; at < banks.length; at++) banks[at] = (banks[at] as number) - (means[at % BANKS] as number);
  return banks;
}
