// Words as the interface shows a live utterance.
import type { Utterance } from "../jobs/transcript.ts";
import type { PlacedWord } from "./speech-context.ts";

/** Seconds and confidences to a thousandth. */
export const rounded = (value: number) => Math.round(value * 1000) / 1000;

const spaced = (word: PlacedWord, index: number) => (word.isJoined && index > 0 ? word.text : ` ${word.text}`);

/**
 * Live text and its first word begin with a space, as clients of the interface expect.
 * @param words  at least one, with times from the start of the session
 */
export function utteranceOf(words: PlacedWord[], language: string, channel: number): Utterance {
  const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / words.length;
  return {
    text: words.map(spaced).join(""),
    language,
    start: rounded(words[0]?.startSeconds ?? 0),
    end: rounded(words.at(-1)?.endSeconds ?? 0),
    confidence: rounded(confidence),
    channel,
    words: words.map((word, index) => ({
      word: spaced(word, index),
      start: rounded(word.startSeconds),
      end: rounded(word.endSeconds),
      confidence: rounded(word.confidence),
    })),
  };
}
