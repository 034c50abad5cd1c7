// Converts positions in an utterance's text to words and times.
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { WordPlaces } from "./word-places.ts";

/** The words with characters of the text from `start` to before `end`. */
export const wordsAt = ({ words }: Pick<Utterance, "words">, start: number, end: number): Word[] =>
  new WordPlaces(words).wordsIn(start, end);

/** The spoken words that a run of written words replaces: those within its times. */
export function spokenWords(written: readonly Word[], spoken: readonly Word[]): Word[] {
  const [first, last] = [written[0], written.at(-1)];
  return first && last ? spoken.filter(({ start, end }) => start >= first.start && end <= last.end) : [];
}

/** Start and end in seconds of characters of an utterance's text. */
export function timesAt(utterance: Utterance, start: number, end: number): { start: number; end: number } {
  const words = wordsAt(utterance, start, end);
  return { start: words[0]?.start ?? utterance.start, end: words.at(-1)?.end ?? utterance.end };
}
