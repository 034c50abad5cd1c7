// Arranges the words of one caption in rows.

import { isAbbreviation } from "../text/abbreviations.ts";
import { columnsOf, PHRASE_END } from "../text/scripts.ts";
import { isSentenceEnd } from "../text/sentences.ts";
import type { RunWord } from "./runs.ts";

const textOf = (words: readonly Pick<RunWord, "word">[]) =>
  words
    .map(({ word }) => word)
    .join("")
    .trim();

/**
 * A break after a phrase is preferred if the rows differ by up to this share of the width more than with the most even
 * break.
 */
const PHRASE_BONUS = 0.25;

/** Greedy. Rows end between words; a word wider than a row has its own row. */
function filledRows(words: readonly RunWord[], width: number): string[] {
  const rows: RunWord[][] = [];
  for (const word of words) {
    const row = rows.at(-1);
    if (row && columnsOf(textOf([...row, word])) <= width) row.push(word);
    else rows.push([word]);
  }
  return rows.map(textOf);
}

/** Preference for a break behind a word, as a share of the width. */
function breakBonus({ word, language }: RunWord, next: RunWord | undefined): number {
  if (isSentenceEnd(word, next?.word, language) || PHRASE_END.test(word)) return PHRASE_BONUS;
  return isAbbreviation(word, language) ? -1 : 0;
}

/** Two rows of about the same width are easier to read than a full one and a remainder. */
function evenRows(words: readonly RunWord[], width: number): string[] | undefined {
  let best: { pair: string[]; unevenness: number } | undefined;
  for (let at = 1; at < words.length; at++) {
    const pair = [textOf(words.slice(0, at)), textOf(words.slice(at))] as [string, string];
    const [upper, lower] = pair.map(columnsOf) as [number, number];
    if (Math.max(upper, lower) > width) continue;
    const unevenness = Math.abs(upper - lower) - width * breakBonus(words[at - 1] as RunWord, words[at]);
    if (!best || unevenness < best.unevenness) best = { pair, unevenness };
  }
  return best?.pair;
}

/** @param width  most columns of a row */
export function rowsOf(words: readonly RunWord[], width: number): string[] {
  const rows = filledRows(words, width);
  return (rows.length === 2 ? evenRows(words, width) : undefined) ?? rows;
}

/** @param places  of the words that begin a row; others than those of words are ignored */
export function rowsAt(words: readonly RunWord[], places: ReadonlySet<number>): string[] {
  const rows: RunWord[][] = [[]];
  for (const [at, word] of words.entries()) {
    if (at > 0 && places.has(at)) rows.push([]);
    rows.at(-1)?.push(word);
  }
  return rows.map(textOf);
}
