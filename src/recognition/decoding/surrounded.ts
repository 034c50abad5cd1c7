import type { SpeechModelTraits } from "./speech-model.ts";

/** The audio between silence as long as the model wants it. @param behindSeconds  silence behind it */
export function surrounded(
  samples: Float32Array,
  behindSeconds: number,
  { sampleRate, silenceBefore, shortestSamples }: SpeechModelTraits,
): Float32Array {
  const before = Math.round(silenceBefore * sampleRate);
  const behind = Math.round(behindSeconds * sampleRate);
  const longer = new Float32Array(Math.max(shortestSamples, before + samples.length + behind));
  longer.set(samples, before);
  return longer;
}
