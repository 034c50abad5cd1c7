// Arranges the words of one caption in rows.

import { columnsOf, PHRASE_END, SENTENCE_END } from "../text/scripts.ts";
import type { Word } from "../transcript/transcript.ts";

const textOf = (words: readonly Pick<Word, "word">[]) =>
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
function filledRows(words: readonly Word[], width: number): string[] {
  const rows: Word[][] = [];
  for (const word of words) {
    const row = rows.at(-1);
    if (row && columnsOf(textOf([...row, word])) <= width) row.push(word);
    else rows.push([word]);
  }
  return rows.map(textOf);
}

/** Two rows of about the same width are easier to read than a full one and a remainder. */
function evenRows(words: readonly Word[], width: number): string[] | undefined {
  let best: { pair: string[]; unevenness: number } | undefined;
  for (let at = 1; at < words.length; at++) {
    const pair = [textOf(words.slice(0, at)), textOf(words.slice(at))] as [string, string];
    const [upper, lower] = pair.map(columnsOf) as [number, number];
    if (Math.max(upper, lower) > width) continue;
    const isPhrase = PHRASE_END.test(pair[0]) || SENTENCE_END.test(pair[0]);
    const unevenness = Math.abs(upper - lower) - (isPhrase ? width * PHRASE_BONUS : 0);
    if (!best || unevenness < best.unevenness) best = { pair, unevenness };
  }
  return best?.pair;
}

/** @param width  most columns of a row */
export function rowsOf(words: readonly Word[], width: number): string[] {
  const rows = filledRows(words, width);
  return (rows.length === 2 ? evenRows(words, width) : undefined) ?? rows;
}
