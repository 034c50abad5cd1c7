// Utterances → captions: how many words stand on the screen at once, where rows break, how long each is shown.
// Pure; the writers of srt and vtt only print what comes out of here.
import type { Utterance, Word } from "../jobs/transcript.ts";

export interface LayoutOptions {
  /** Captions shown for less are held longer where the next one leaves room, seconds. */
  minimumDuration?: number;
  maximumDuration?: number;
  maximumCharactersPerRow?: number;
  maximumRowsPerCaption?: number;
}

export interface Caption {
  start: number;
  end: number;
  rows: string[];
  speaker?: number;
}

/** The stricter house style: two rows of 42, one to seven seconds. */
export const COMPLIANCE: Required<LayoutOptions> = {
  minimumDuration: 1,
  maximumDuration: 7,
  maximumCharactersPerRow: 42,
  maximumRowsPerCaption: 2,
};

const DEFAULT_ROWS = 2;
const SENTENCE_END = /[.!?…]["'”’)]?$/;
const PHRASE_END = /[,;:–—]["'”’)]?$/;
/** How much of a caption's room may stay empty for the sake of a better break. */
const EARLIEST_BREAK = 0.5;

/** Breaks words into rows; a row never ends inside a word, a word longer than a row stands alone. */
function rowsOf(words: Word[], width: number): string[] {
  const rows: string[] = [];
  let row = "";
  for (const { word } of words) {
    if (row !== "" && (row + word).trimEnd().length > width) {
      rows.push(row);
      row = word.trimStart();
    } else row = row === "" ? word.trimStart() : row + word;
  }
  if (row !== "") rows.push(row);
  return rows.length === 2 ? balanced(rows, width) : rows;
}

/** Two rows of about the same length read more easily than a full one and a leftover. */
function balanced(rows: string[], width: number): string[] {
  const whole = rows.join(" ");
  let best: [string, string] | undefined;
  for (let at = whole.indexOf(" "); at >= 0; at = whole.indexOf(" ", at + 1)) {
    const pair: [string, string] = [whole.slice(0, at), whole.slice(at + 1)];
    if (Math.max(pair[0].length, pair[1].length) > width) continue;
    const unevenness = ([upper, lower]: [string, string]) =>
      Math.abs(upper.length - lower.length) - (PHRASE_END.test(upper) || SENTENCE_END.test(upper) ? width / 4 : 0);
    if (!best || unevenness(pair) < unevenness(best)) best = pair;
  }
  return best ?? rows;
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
  for (const [index, caption] of captions.entries()) {
    const limit = captions[index + 1]?.start ?? Number.POSITIVE_INFINITY;
    caption.end = Math.max(caption.end, Math.min(caption.start + shortest, limit));
  }
  return captions;
}
