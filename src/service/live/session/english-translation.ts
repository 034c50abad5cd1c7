// Translates an utterance into English: the recogniser's translate task over the stored audio.

import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import type { RecognitionPool } from "../../inference/pool.ts";
import { utteranceOf } from "../channel/utterance.ts";
import { type Recording, storedSamples } from "../log/stored-samples.ts";

/** Audio added around the words, whose times are tight. */
const MARGIN_SECONDS = 0.25;

/**
 * @param model  one that can translate
 * @returns an utterance with the times of its English words; without words if none were recognised
 */
export async function translateToEnglish(
  { channel, start, end, language }: Utterance,
  audio: Recording,
  recognition: RecognitionPool,
  model: string,
): Promise<Utterance> {
  const first = Math.max(0, Math.round((start - MARGIN_SECONDS) * SAMPLE_RATE));
  const count = Math.round((end + MARGIN_SECONDS) * SAMPLE_RATE) - first;
  const { words } = await recognition.recognize(
    model,
    { audio: await storedSamples(audio, channel, first, count), languages: [language], task: "translate" },
    { priority: "live" },
  );
  const place = (seconds: number) => Math.min(end, Math.max(start, seconds + first / SAMPLE_RATE));
  const placed = words.map((word) => ({
    ...word,
    startSeconds: place(word.startSeconds),
    endSeconds: place(word.endSeconds),
  }));
  return utteranceOf(placed, { language: "en", channel, isAfterStop: false });
}
