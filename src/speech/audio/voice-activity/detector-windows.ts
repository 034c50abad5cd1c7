// The audio windows of the voice activity detector. Separate from the detector, so that the service process does not load ONNX Runtime.
import { SAMPLE_RATE } from "../sample-rate.ts";

export const WINDOW_SAMPLES = 512;
export const WINDOW_SECONDS = WINDOW_SAMPLES / SAMPLE_RATE;

/** Audio at the start of a stream that warms up the detector. */
export const WARM_UP_SAMPLES = 8 * WINDOW_SAMPLES;

/**
 * Warm-up input: the start of the audio, reversed. A cold detector would miss the first sound of a voice; after silence
 * it would take any first sound for one.
 * @param beginning  the first WARM_UP_SAMPLES samples; fewer if there are no more
 */
export function warmUpSamples(beginning: Float32Array): Float32Array {
  const backwards = new Float32Array(WARM_UP_SAMPLES);
  const { length } = beginning;
  for (let at = 0; at < length; at++) backwards[WARM_UP_SAMPLES - 1 - at] = beginning[at] as number;
  return backwards;
}
