// From places in an utterance's text to times.
import type { Utterance, Word } from "../transcript/transcript.ts";

/** The words that the characters from `start` to before `end` of the text belong to. */
export function wordsAt(utterance: Utterance, start: number, end: number): Word[] {
  const found: Word[] = [];
  let at = 0;
  for (const word of utterance.words) {
    const from = at;
    at += word.word.length;
    if (from < end && at > start) found.push(word);
  }
  return found;
}

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
