// Utterances → captions: how many words stand on the screen at once, where rows break, how long each is shown.
// Pure; the writers of srt and vtt only print what comes out of here.
import type { Utterance, Word } from "../jobs/transcript.ts";
import { columnsOf, PHRASE_END, SENTENCE_END } from "../text/scripts.ts";

export interface LayoutOptions {
  /** Captions shown for less are held longer where the next one leaves room, seconds. */
  minimumDuration?: number;
  maximumDuration?: number;
  /** A wide character (Chinese, Japanese, Korean) counts as two. */
  maximumCharactersPerRow?: number;
  maximumRowsPerCaption?: number;
  /** Columns that a reader takes in a second; captions are held for as long where the next one leaves room. */
  readingSpeed?: number;
}

export interface Caption {
  start: number;
  end: number;
  rows: string[];
  speaker?: number;
}

/** The stricter house style: two rows of 42, one to seven seconds. */
export const COMPLIANCE: Required<LayoutOptions> = {
  readingSpeed: 17,
  minimumDuration: 1,
  maximumDuration: 7,
  maximumCharactersPerRow: 42,
  maximumRowsPerCaption: 2,
};

const DEFAULT_ROWS = 2;
/** How much of a caption's room may stay empty for the sake of a better break. */
const EARLIEST_BREAK = 0.5;

const textOf = (words: readonly Word[]) =>
  words
    .map(({ word }) => word)
    .join("")
    .trim();

/** Breaks words into rows; a row never ends inside a word, a word longer than a row stands alone. */
function rowsOf(words: readonly Word[], width: number): string[] {
  const rows: Word[][] = [];
  for (const word of words) {
    const row = rows.at(-1);
    if (row && columnsOf(textOf([...row, word])) <= width) row.push(word);
    else rows.push([word]);
  }
  const texts = rows.map(textOf);
  return texts.length === 2 ? balanced(words, texts, width) : texts;
}

/** Two rows of about the same length read more easily than a full one and a leftover. */
function balanced(words: readonly Word[], rows: string[], width: number): string[] {
  let best: { pair: string[]; unevenness: number } | undefined;
  for (let at = 1; at < words.length; at++) {
    const pair = [textOf(words.slice(0, at)), textOf(words.slice(at))] as [string, string];
    const [upper, lower] = pair.map(columnsOf) as [number, number];
    if (Math.max(upper, lower) > width) continue;
    const isPhrase = PHRASE_END.test(pair[0]) || SENTENCE_END.test(pair[0]);
    const unevenness = Math.abs(upper - lower) - (isPhrase ? width / 4 : 0);
    if (!best || unevenness < best.unevenness) best = { pair, unevenness };
  }
  return best?.pair ?? rows;
}

/** How many of `words` the next caption takes. */
function take(words: Word[], options: LayoutOptions): number {
  const width = options.maximumCharactersPerRow ?? Number.POSITIVE_INFINITY;
  const rows = options.maximumRowsPerCaption ?? DEFAULT_ROWS;
  const longest = options.maximumDuration ?? Number.POSITIVE_INFINITY;
  const start = words[0]?.start ?? 0;
  let fits = 1;
  while (fits < words.length) {
    const next = words.slice(0, fits + 1);
    if ((words[fits] as Word).end - start > longest) break;
    if (Number.isFinite(width) && rowsOf(next, width).length > rows) break;
    fits++;
  }
  if (fits === words.length) return fits;
  for (const boundary of [SENTENCE_END, PHRASE_END]) {
    for (let count = fits; count >= Math.max(1, fits * EARLIEST_BREAK); count--) {
      if (boundary.test((words[count - 1] as Word).word)) return count;
    }
  }
  return fits;
}

/**
 * @param utterances  in time order
 * @returns captions in time order; within one channel none overlaps the next
 */
export function layoutCaptions(utterances: Utterance[], options: LayoutOptions = {}): Caption[] {
  const captions: Caption[] = [];
  for (const utterance of utterances) {
    let rest = utterance.words;
    while (rest.length > 0) {
      const words = rest.slice(0, take(rest, options));
      rest = rest.slice(words.length);
      const whole = words.length === utterance.words.length;
      captions.push({
        start: whole ? utterance.start : (words[0] as Word).start,
        end: whole ? utterance.end : (words.at(-1) as Word).end,
        rows: rowsOf(words, options.maximumCharactersPerRow ?? Number.POSITIVE_INFINITY).filter((row) => row !== ""),
        ...(utterance.speaker === undefined ? {} : { speaker: utterance.speaker }),
      });
    }
  }
  const shortest = options.minimumDuration ?? 0;
  const longest = options.maximumDuration ?? Number.POSITIVE_INFINITY;
  for (const [index, caption] of captions.entries()) {
    const limit = captions[index + 1]?.start ?? Number.POSITIVE_INFINITY;
    const columns = caption.rows.reduce((sum, row) => sum + columnsOf(row), 0);
    const readable = options.readingSpeed ? Math.min(longest, columns / options.readingSpeed) : 0;
    caption.end = Math.max(caption.end, Math.min(caption.start + Math.max(shortest, readable), limit));
  }
  return captions;
}
