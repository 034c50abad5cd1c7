// The words of an utterance in the text that is shown for it. While text is typed, its words get the times that the service
// will give them. Pure.
import type { Utterance } from "../../../src/contract/job.ts";
import { alignCorrection } from "../../../src/service/transcripts/correction-alignment.ts";
import { textOf } from "./find-text.ts";

export interface PlacedWord {
  /** UTF-16 units of the shown text. */
  from: number;
  until: number;
  /** Seconds. */
  start: number;
  end: number;
  confidence: number;
}

export type Spoken = Pick<Utterance, "words" | "text" | "start" | "end" | "language">;

const texts = new WeakMap<object, string>();
const storedWords = new WeakMap<object, PlacedWord[]>();

/** The text that is shown for an utterance; the service gives some corrected ones no words. */
export function shownText(utterance: Pick<Utterance, "words" | "text">): string {
  const known = texts.get(utterance);
  if (known !== undefined) return known;
  const text = utterance.words.length > 0 ? textOf(utterance) : utterance.text.trim();
  texts.set(utterance, text);
  return text;
}

/** As the service stores it. */
export const normal = (text: string): string => text.replace(/\s+/gu, " ").trim();

/** @param text  as it is shown, with changes that are not stored */
export function placedWords(utterance: Spoken, text: string): PlacedWord[] {
  const stored = shownText(utterance);
  if (text !== stored) return placed(utterance, text, normal(text) === normal(stored));
  const known = storedWords.get(utterance) ?? placed(utterance, text, true);
  storedWords.set(utterance, known);
  return known;
}

function placed(utterance: Spoken, text: string, isStored: boolean): PlacedWord[] {
  const words = isStored ? utterance.words : alignCorrection(utterance, normal(text));
  const found: PlacedWord[] = [];
  let from = 0;
  for (const { word, start, end, confidence } of words) {
    const own = word.trim();
    const at = text.indexOf(own, from);
    // A word with a space of another kind inside: the rest of the text has no times.
    if (at < 0) break;
    from = at + own.length;
    found.push({ from: at, until: from, start, end, confidence });
  }
  return found;
}

/** Positions of the first and the last word that a stretch of the text touches; undefined for none. */
export function wordsBetween(
  words: readonly PlacedWord[],
  from: number,
  until: number,
): [first: number, last: number] | undefined {
  const touches = (word: PlacedWord) => word.from < until && word.until > from;
  const first = words.findIndex(touches);
  return first < 0 ? undefined : [first, words.findLastIndex(touches)];
}

/** The word at a place of the text, or the next one after it. */
export const wordAt = (words: readonly PlacedWord[], offset: number): PlacedWord | undefined =>
  words.find(({ until }) => until >= offset) ?? words.at(-1);
