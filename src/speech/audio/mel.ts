// Whisper's spectrogram: its windows, a Fourier transform as a convolution for graphs, and the mel filters (Slaney's, as in
// librosa).
import { SAMPLE_RATE } from "./sample-rate.ts";

/** Hop and window of the spectrogram. */
export const HOP_SAMPLES = 160;
export const WINDOW_SAMPLES = 400;

/** Frequency bins of one window, from 0 Hz to half the sample rate. */
export const FREQUENCIES = WINDOW_SAMPLES / 2 + 1;

/** Lower bound for the power of a band, and the dynamic range below the loudest band (decades). */
export const LOWEST_POWER = 1e-10;
export const RANGE_DECADES = 8;

/** Weight of a sample in its window (Hann). */
export const windowWeight = (sample: number) => 0.5 - 0.5 * Math.cos((2 * Math.PI * sample) / WINDOW_SAMPLES);

/** Row-major [2 * FREQUENCIES, 1, WINDOW_SAMPLES]: real parts, then imaginary parts, with a Hann window. */
export function fourierKernel(): Float32Array {
  const kernel = new Float32Array(2 * FREQUENCIES * WINDOW_SAMPLES);
  for (let sample = 0; sample < WINDOW_SAMPLES; sample++) {
    const weight = windowWeight(sample);
    for (let frequency = 0; frequency < FREQUENCIES; frequency++) {
      const angle = (2 * Math.PI * ((frequency * sample) % WINDOW_SAMPLES)) / WINDOW_SAMPLES;
      kernel[frequency * WINDOW_SAMPLES + sample] = weight * Math.cos(angle);
      kernel[(FREQUENCIES + frequency) * WINDOW_SAMPLES + sample] = -weight * Math.sin(angle);
    }
  }
  return kernel;
}

/** Linear below 1 kHz, logarithmic above. */
const LINEAR_HERTZ = 200 / 3;
const BREAK_HERTZ = 1000;
const BREAK_MEL = BREAK_HERTZ / LINEAR_HERTZ;
const LOG_STEP = Math.log(6.4) / 27;

const melOf = (hertz: number) =>
  hertz < BREAK_HERTZ ? hertz / LINEAR_HERTZ : BREAK_MEL + Math.log(hertz / BREAK_HERTZ) / LOG_STEP;
const hertzOf = (mel: number) =>
  mel < BREAK_MEL ? mel * LINEAR_HERTZ : BREAK_HERTZ * Math.exp(LOG_STEP * (mel - BREAK_MEL));

/** Row-major [bins, FREQUENCIES]: triangles of equal area. */
export function melFilters(bins: number): Float32Array {
  const top = melOf(SAMPLE_RATE / 2);
  const edges = Array.from({ length: bins + 2 }, (_, at) => hertzOf((top * at) / (bins + 1)));
  const filters = new Float32Array(bins * FREQUENCIES);
  for (let bin = 0; bin < bins; bin++) {
    const [low, middle, high] = edges.slice(bin, bin + 3) as [number, number, number];
    for (let frequency = 0; frequency < FREQUENCIES; frequency++) {
      const hertz = (frequency * SAMPLE_RATE) / WINDOW_SAMPLES;
      const height = Math.min((hertz - low) / (middle - low), (high - hertz) / (high - middle));
      filters[bin * FREQUENCIES + frequency] = (Math.max(0, height) * 2) / (high - low);
    }
  }
  return filters;
}
