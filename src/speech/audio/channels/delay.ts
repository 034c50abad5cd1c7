// Estimates the delay between two channels that carry the same sound. Pure.
import { Fourier } from "./fourier.ts";
import { COMPARED_RATE, END_BIN, FIRST_BIN, FRAME_SAMPLES } from "./windows.ts";

/** 2 s of audio: enough syllables for one clear peak. */
export const DELAY_SEARCH_SAMPLES = 16_384;
/** 200 ms: above the delay of unsynchronised capture devices and of satellite echoes. */
export const LONGEST_DELAY_SAMPLES = 0.2 * COMPARED_RATE;
/** A correlation peak counts as a delay from this multiple of the typical value. */
const CLEAR_PEAK = 8;
const [FIRST, END] = [FIRST_BIN, END_BIN].map((bin) => (bin * DELAY_SEARCH_SAMPLES) / FRAME_SAMPLES) as [
  number,
  number,
];

let shared: [Fourier, Fourier] | undefined;

/**
 * Generalised cross-correlation with phase transform (Knapp and Carter 1976).
 * @param left, right  DELAY_SEARCH_SAMPLES samples each
 * @returns delay of `right` in samples (below 0: `right` is earlier); undefined without a clear peak
 */
export function delayBetween(left: Float32Array, right: Float32Array): number | undefined {
  shared ??= [new Fourier(DELAY_SEARCH_SAMPLES), new Fourier(DELAY_SEARCH_SAMPLES)];
  const [both, correlation] = shared;
  both.real.set(left);
  both.imaginary.set(right);
  both.transform();
  correlation.real.fill(0);
  correlation.imaginary.fill(0);
  for (let bin = FIRST; bin < END; bin++) {
    const [leftRe, leftIm, rightRe, rightIm] = both.spectraAt(bin);
    // Conjugate of the cross-spectrum, so that a forward transform computes the inverse.
    const crossRe = leftRe * rightRe + leftIm * rightIm;
    const crossIm = rightIm * leftRe - rightRe * leftIm;
    const size = Math.hypot(crossRe, crossIm) || 1;
    correlation.real[bin] = crossRe / size;
    correlation.imaginary[bin] = -crossIm / size;
  }
  correlation.transform();
  let best = 0;
  let highest = 0;
  let sum = 0;
  for (let lag = -LONGEST_DELAY_SAMPLES; lag <= LONGEST_DELAY_SAMPLES; lag++) {
    const at = (lag + DELAY_SEARCH_SAMPLES) % DELAY_SEARCH_SAMPLES;
    const height = Math.hypot(correlation.real[at] as number, correlation.imaginary[at] as number);
    sum += height;
    if (height <= highest) continue;
    highest = height;
    best = lag;
  }
  const typical = sum / (2 * LONGEST_DELAY_SAMPLES + 1);
  return highest > CLEAR_PEAK * typical ? best : undefined;
}
