// Representation in which leaks are estimated: 16 kHz samples in blocks of 32 ms, as spectra of two adjacent blocks.
import { Fourier } from "../channels/fourier.ts";

export const BLOCK_SAMPLES = 512;
export const TRANSFORM_SAMPLES = 2 * BLOCK_SAMPLES;
/** Bins of a real signal's spectrum. */
export const BINS = BLOCK_SAMPLES + 1;
export const HERTZ_PER_BIN = 16_000 / TRANSFORM_SAMPLES;

/** Spectrum of a real signal. */
export interface Spectrum {
  real: Float32Array;
  imaginary: Float32Array;
}

export const emptySpectrum = (): Spectrum => ({ real: new Float32Array(BINS), imaginary: new Float32Array(BINS) });

const fourier = new Fourier(TRANSFORM_SAMPLES);

/** Spectra of two real signals of TRANSFORM_SAMPLES samples. @param fill  writes the signals into the arrays */
export function transform(
  fill: (first: Float64Array, second: Float64Array) => void,
  first: Spectrum,
  second: Spectrum,
): void {
  const { real, imaginary } = fourier;
  fill(real, imaginary);
  fourier.transform();
  for (let bin = 0; bin < BINS; bin++) {
    const mirror = (TRANSFORM_SAMPLES - bin) % TRANSFORM_SAMPLES;
    const [re, im] = [real[bin] as number, imaginary[bin] as number];
    const [mirroredRe, mirroredIm] = [real[mirror] as number, imaginary[mirror] as number];
    first.real[bin] = (re + mirroredRe) / 2;
    first.imaginary[bin] = (im - mirroredIm) / 2;
    second.real[bin] = (im + mirroredIm) / 2;
    second.imaginary[bin] = (mirroredRe - re) / 2;
  }
}

/** The signals of two spectra. @param use  receives TRANSFORM_SAMPLES samples of each; valid during the call */
export function inverse(
  first: Spectrum,
  second: Spectrum,
  use: (first: Float64Array, second: Float64Array) => void,
): void {
  const { real, imaginary } = fourier;
  // The spectrum of first + i second, with real and imaginary parts exchanged: a forward transform then computes the
  // inverse.
  for (let bin = 0; bin < BINS; bin++) {
    const [re, im] = [first.real[bin] as number, first.imaginary[bin] as number];
    const [otherRe, otherIm] = [second.real[bin] as number, second.imaginary[bin] as number];
    real[bin] = (im + otherRe) / TRANSFORM_SAMPLES;
    imaginary[bin] = (re - otherIm) / TRANSFORM_SAMPLES;
    if (bin === 0 || bin === BLOCK_SAMPLES) continue;
    const mirror = TRANSFORM_SAMPLES - bin;
    real[mirror] = (otherRe - im) / TRANSFORM_SAMPLES;
    imaginary[mirror] = (re + otherIm) / TRANSFORM_SAMPLES;
  }
  fourier.transform();
  use(imaginary, real);
}
