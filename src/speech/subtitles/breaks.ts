// Divides the words of a run into captions. Dynamic programming finds the division with the lowest cost within the
// limits, as Knuth and Plass (1981) do for the lines of a paragraph.
import { isAbbreviation } from "../text/abbreviations.ts";
import { columnsOf, PHRASE_END } from "../text/scripts.ts";
import { isSentenceEnd } from "../text/sentences.ts";
import type { LayoutOptions } from "./layout-options.ts";
import type { RunWord } from "./runs.ts";

// Relative costs: breaking a sentence costs more than a further caption, a caption of a single word more than breaking a sentence.
const CAPTION_COST = 1;
const SENTENCE_BREAK_COST = 0;
const PHRASE_BREAK_COST = 4;
const PAUSE_BREAK_COST = 5;
const OTHER_BREAK_COST = 12;
const SINGLE_WORD_COST = 30;
/** "from the U." / "S. government": only where nothing else keeps the limits. */
const ABBREVIATION_BREAK_COST = 80;
/** Two utterances in one caption. */
const JOINED_UTTERANCES_COST = 8;
/** Each second that a caption falls short of the minimum duration. */
const SHORT_SECOND_COST = 10;
/** Each character per second above the reading speed. */
const FAST_COST = 0.3;
/** Each second of a pause within a caption. */
const PAUSE_SECOND_COST = 6;
/** Length of a pause that separates phrases, seconds. */
const PAUSE_SECONDS = 0.3;
/** Keeps the speed of words without duration finite. */
const MINIMUM_SHOWN_SECONDS = 0.001;

export interface BreakContext extends LayoutOptions {
  /** Start of the next run, or end of the recording, seconds. */
  nextStart: number;
  /** The word of the same run after the last one. */
  following?: RunWord | undefined;
  /** Columns of the speaker's name in the first row of the first caption, and of each further one. */
  indents: { first: number; further: number };
}

function breakCost(word: RunWord, next: RunWord | undefined): number {
  if (!next || isSentenceEnd(word.word, next.word, word.language)) return SENTENCE_BREAK_COST;
  if (isAbbreviation(word.word, word.language)) return ABBREVIATION_BREAK_COST;
  if (PHRASE_END.test(word.word)) return PHRASE_BREAK_COST;
  return next.start - word.end >= PAUSE_SECONDS || word.endsUtterance ? PAUSE_BREAK_COST : OTHER_BREAK_COST;
}

/** Cost of two neighbouring words in one caption. */
function jointCost(before: RunWord, word: RunWord): number {
  const pause = word.start - before.end;
  return (pause >= PAUSE_SECONDS ? PAUSE_SECOND_COST * pause : 0) + (before.endsUtterance ? JOINED_UTTERANCES_COST : 0);
}

/** A caption under construction, which fills its rows in order. */
class GrowingCaption {
  count = 0;
  private rows = 1;
  private columns = 0;
  private rowColumns: number;
  private jointCosts = 0;
  private last: RunWord | undefined;

  constructor(
    private readonly first: RunWord,
    private readonly context: BreakContext,
    indent: number,
  ) {
    this.rowColumns = indent;
  }

  /** @returns whether the caption is within the limits with this word */
  add(word: RunWord): boolean {
    const own = columnsOf(word.word.trim());
    const spaced = columnsOf(word.word);
    if (this.last) this.jointCosts += jointCost(this.last, word);
    if (this.count === 0) this.rowColumns += own;
    else if (this.rowColumns + spaced <= this.context.maximumCharactersPerRow) this.rowColumns += spaced;
    else {
      this.rows++;
      this.rowColumns = own;
    }
    this.columns += spaced;
    this.count++;
    this.last = word;
    // A single word is always accepted, as it cannot be divided.
    if (this.count === 1) return true;
    const isShort = word.end - this.first.start <= this.context.maximumDuration;
    return isShort && this.rows <= this.context.maximumRowsPerCaption;
  }

  /** @param next  the word after it */
  cost(next: RunWord | undefined): number {
    const { minimumDuration, maximumDuration, readingSpeed, nextStart } = this.context;
    const last = this.last as RunWord;
    const spoken = last.end - this.first.start;
    // A caption may be shown until the next one begins.
    const shown = Math.max(spoken, Math.min((next?.start ?? nextStart) - this.first.start, maximumDuration));
    const speed = this.columns / Math.max(shown, MINIMUM_SHOWN_SECONDS);
    return (
      CAPTION_COST +
      breakCost(last, next) +
      this.jointCosts +
      SHORT_SECOND_COST * Math.max(0, minimumDuration - shown) +
      FAST_COST * Math.max(0, speed - readingSpeed) +
      (this.count === 1 ? SINGLE_WORD_COST : 0)
    );
  }
}

/** @returns the words of each caption */
export function breakIntoCaptions(words: readonly RunWord[], context: BreakContext): RunWord[][] {
  /** For each index: the lowest cost of the remaining words, and the number of words in their first caption. */
  const best = new Array<{ cost: number; count: number }>(words.length + 1);
  best[words.length] = { cost: 0, count: 0 };
  for (let from = words.length - 1; from >= 0; from--) {
    const { first, further } = context.indents;
    const caption = new GrowingCaption(words[from] as RunWord, context, from === 0 ? first : further);
    let found = { cost: Number.POSITIVE_INFINITY, count: 1 };
    for (let to = from; to < words.length && caption.add(words[to] as RunWord); to++) {
      const cost = caption.cost(words[to + 1] ?? context.following) + (best[to + 1]?.cost ?? 0);
      if (cost < found.cost) found = { cost, count: caption.count };
    }
    best[from] = found;
  }
  const captions: RunWord[][] = [];
  for (let at = 0; at < words.length; ) {
    const count = best[at]?.count ?? 1;
    captions.push(words.slice(at, at + count));
    at += count;
  }
  return captions;
}
