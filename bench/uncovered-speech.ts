// Speech without words: stretches of voice activity that no word covers.
import { WINDOW_SECONDS } from "../src/speech/audio/voice-activity/detector-windows.ts";
import {
  loadVoiceActivityModel,
  probabilitiesOf,
  type VoiceActivityModel,
} from "../src/speech/audio/voice-activity/silero.ts";

const SPEECH_PROBABILITY = 0.5;
/** Uncertainty of word times. */
const MARGIN_SECONDS = 0.1;
/** Shorter stretches are breaths, laughs and edges of words. */
const MIN_SECONDS = 0.7;

let loaded: Promise<VoiceActivityModel> | undefined;

/** @returns stretches of speech longer than 0.7 s without words, seconds from the start of the samples */
export async function uncoveredSpeech(
  samples: Float32Array,
  words: readonly { start: number; end: number }[],
): Promise<[start: number, end: number][]> {
  loaded ??= loadVoiceActivityModel();
  const probabilities = await probabilitiesOf(await loaded, samples);
  const isCovered = (seconds: number) =>
    words.some(({ start, end }) => seconds >= start - MARGIN_SECONDS && seconds <= end + MARGIN_SECONDS);
  const stretches: [number, number][] = [];
  let first: number | undefined;
  for (let window = 0; window <= probabilities.length; window++) {
    const seconds = window * WINDOW_SECONDS;
    const isOpen = (probabilities[window] ?? 0) >= SPEECH_PROBABILITY && !isCovered(seconds);
    if (isOpen) first ??= seconds;
    else if (first !== undefined) {
      if (seconds - first > MIN_SECONDS) stretches.push([first, seconds]);
      first = undefined;
    }
  }
  return stretches;
}
