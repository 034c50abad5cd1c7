// Aligns a corrected text with the recognised words: unchanged words keep their times, new words share the times of
// those they replace.

import { milliseconds, type Utterance, type Word } from "../../contract/transcript/transcript.ts";
import { dictionaryWords, isUnspaced } from "../../speech/text/scripts.ts";

/** Confidence of corrected words. */
const CERTAIN = 1;
/** Above this number of comparisons, all words between the first and last change count as replaced. */
const MOST_COMPARED = 4_000_000;

interface Match {
  old: number;
  now: number;
}

const normalized = (word: string) => word.trim().toLowerCase();

/** Places that two lists have in common, in order. Longest common subsequence. The common prefix and suffix are removed first, as corrections are small. */
export function matches(old: readonly string[], now: readonly string[]): Match[] {
  let from = 0;
  while (from < old.length && from < now.length && old[from] === now[from]) from++;
  let back = 0;
  while (back < old.length - from && back < now.length - from && old.at(-1 - back) === now.at(-1 - back)) back++;
  const ends = [
    ...Array.from({ length: from }, (_, at) => ({ old: at, now: at })),
    ...Array.from({ length: back }, (_, at) => ({ old: old.length - back + at, now: now.length - back + at })),
  ];
  const [rows, columns] = [old.length - from - back, now.length - from - back];
  if (rows === 0 || columns === 0 || rows * columns > MOST_COMPARED) return ends;
  const lengths = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1));
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  const isSame = (row: number, column: number) => old[from + row] === now[from + column];
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      (lengths[row] as Uint32Array)[column] = isSame(row, column)
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const inner: Match[] = [];
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (isSame(row, column)) inner.push({ old: from + row++, now: from + column++ });
    else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return [...ends.slice(0, from), ...inner, ...ends.slice(from)];
}

/** Distributes words over a time range, in proportion to their length. */
function spread(texts: readonly string[], start: number, end: number): Word[] {
  const weights = texts.map((text) => text.trim().length + 1);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let passed = 0;
  return texts.map((word, index) => {
    const from = start + ((end - start) * passed) / whole;
    passed += weights[index] ?? 0;
    const until = start + ((end - start) * passed) / whole;
    return { word, start: milliseconds(from), end: milliseconds(until), confidence: CERTAIN };
  });
}

/**
 * @param text  corrected text, without leading or trailing space
 * @returns its words; starts never decrease and stay within the utterance
 */
export function alignCorrection(
  { words, start, end, language }: Pick<Utterance, "words" | "start" | "end" | "language">,
  text: string,
): Word[] {
  const now = isUnspaced(language) ? dictionaryWords(text, language) : (text.match(/(?<!\s)\s*\S+/g) ?? []);
  const kept = matches(
    words.map(({ word }) => normalized(word)),
    now.map(normalized),
  );
  const aligned: Word[] = [];
  let [oldAt, nowAt] = [0, 0];
  for (const match of [...kept, { old: words.length, now: now.length }]) {
    const before = words[match.old - 1];
    // Replacing words get the time of the replaced ones, inserted words the gap.
    const replaced = words.slice(oldAt, match.old);
    const from = replaced[0]?.start ?? aligned.at(-1)?.end ?? start;
    const until = replaced.length > 0 ? (before?.end ?? end) : (words[match.old]?.start ?? end);
    aligned.push(...spread(now.slice(nowAt, match.now), from, Math.max(from, until)));
    const same = words[match.old];
    if (same) aligned.push({ ...same, word: now[match.now] ?? same.word });
    [oldAt, nowAt] = [match.old + 1, match.now + 1];
  }
  return aligned.map((word, index) => (index === 0 ? { ...word, word: word.word.trimStart() } : word));
}

/** @param words  at least one, which the text replaces @returns its words, with the space before the first one */
export function alignWords(words: readonly Word[], language: string, text: string): Word[] {
  const [first, last] = [words[0] as Word, words.at(-1) as Word];
  const aligned =
    text === "" ? [] : alignCorrection({ words: [...words], start: first.start, end: last.end, language }, text);
  const space = /^\s*/.exec(first.word)?.[0] ?? "";
  return aligned.map((word, at) => (at === 0 ? { ...word, word: `${space}${word.word}` } : word));
}
