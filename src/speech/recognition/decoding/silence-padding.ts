import type { SpeechModelTraits } from "./speech-model.ts";

/** Pads the audio with silence as the model requires. @param trailingSeconds  silence after it */
export function padWithSilence(
  samples: Float32Array,
  trailingSeconds: number,
  { sampleRate, leadingSilenceSeconds, shortestSamples }: SpeechModelTraits,
): Float32Array {
  const leading = Math.round(leadingSilenceSeconds * sampleRate);
  const trailing = Math.round(trailingSeconds * sampleRate);
  const padded = new Float32Array(Math.max(shortestSamples, leading + samples.length + trailing));
  padded.set(samples, leading);
  return padded;
}
