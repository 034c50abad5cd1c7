// Words as the interface shows a live utterance.
import type { Utterance } from "../../jobs/transcript.ts";
import { withoutMark, written } from "../../text/writing.ts";
import type { PlacedWord } from "./speech-context.ts";

/** Seconds and confidences to a thousandth. */
export const rounded = (value: number) => Math.round(value * 1000) / 1000;

/**
 * Live text and its first word begin with a space, as clients of the interface expect.
 * @param words        at least one, with times from the start of the session
 * @param isAfterStop  whether the utterance before it ended a sentence
 */
export function utteranceOf(
  words: readonly PlacedWord[],
  { language, channel, isAfterStop }: { language: string; channel: number; isAfterStop: boolean },
): Utterance {
  const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / words.length;
  const marked = written(
    words.map(({ text }) => text),
    isAfterStop,
  );
  const texts = words.map(({ isJoined }, index) => (isJoined && index > 0 ? "" : " ") + marked[index]);
  return {
    text: texts.join(""),
    language,
    start: rounded(words[0]?.startSeconds ?? 0),
    end: rounded(words.at(-1)?.endSeconds ?? 0),
    confidence: rounded(confidence),
    channel,
    words: words.map((word, index) => ({
      word: texts[index] ?? "",
      start: rounded(word.startSeconds),
      end: rounded(word.endSeconds),
      confidence: rounded(word.confidence),
    })),
  };
}

/** Words of which the last one is followed by more speech: that a sentence ends there was a guess. */
export function openEnded(words: readonly PlacedWord[]): PlacedWord[] {
  return words.map((word, at) => (at === words.length - 1 ? { ...word, text: withoutMark(word.text) } : word));
}
