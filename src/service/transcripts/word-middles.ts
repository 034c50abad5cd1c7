// Finds words by the middle of their time. Middles can be out of order where people talk at once, so the highest middle up to each word is searched.
import { lowestPlace } from "../../contract/lowest-place.ts";
import type { Word } from "../../contract/transcript/transcript.ts";

export const middleOf = ({ start, end }: Word): number => (start + end) / 2;

/** Seconds; a missing end is open. */
export interface TimeRange {
  start?: number | undefined;
  end?: number | undefined;
}

/** @returns positions of the first selected word and after the last one; equal if none is selected */
export function selectWords(words: readonly Word[], { start, end }: TimeRange): [from: number, until: number] {
  const [lowest, highest] = [start ?? Number.NEGATIVE_INFINITY, end ?? Number.POSITIVE_INFINITY];
  const isSelected = (word: Word) => middleOf(word) >= lowest && middleOf(word) <= highest;
  const from = words.findIndex(isSelected);
  return from < 0 ? [0, 0] : [from, words.findLastIndex(isSelected) + 1];
}

/** Of a list of words that grows and changes. */
export class WordMiddles {
  /** For each word, the highest middle up to it; those of the last words may be missing. */
  private readonly highest: number[] = [];
  /** Place of the first word whose middle is before that of an earlier word. */
  private disordered = Number.POSITIVE_INFINITY;

  /** The words from a place on are others. */
  changedFrom(at: number): void {
    if (at < this.highest.length) this.highest.length = at;
    if (at <= this.disordered) this.disordered = Number.POSITIVE_INFINITY;
  }

  /** @returns the place of the first word whose middle is at a time or later; the number of words if there is none */
  placeAt(words: readonly Word[], time: number): number {
    this.complete(words);
    return lowestPlace(words.length, (at) => (this.highest[at] as number) >= time);
  }

  /** @returns times of which `placeAt` is a place: above the first one, at most the second one */
  timesOf(words: readonly Word[], place: number): [above: number, most: number] {
    this.complete(words);
    const before = place === 0 ? undefined : this.highest[place - 1];
    return [before ?? Number.NEGATIVE_INFINITY, this.highest[place] ?? Number.POSITIVE_INFINITY];
  }

  /** As `selectWords`. */
  select(words: readonly Word[], range: TimeRange): [from: number, until: number] {
    this.complete(words);
    if (this.disordered < words.length) return selectWords(words, range);
    const { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY } = range;
    const from = this.placeAt(words, start);
    const until = lowestPlace(words.length, (at) => (this.highest[at] as number) > end);
    return from < until ? [from, until] : [0, 0];
  }

  private complete(words: readonly Word[]): void {
    for (let at = this.highest.length; at < words.length; at++) {
      const [before, middle] = [this.highest[at - 1] ?? Number.NEGATIVE_INFINITY, middleOf(words[at] as Word)];
      if (middle < before) this.disordered = Math.min(this.disordered, at);
      this.highest.push(Math.max(before, middle));
    }
  }
}

/** Finds the last of some starts, in any order, that is at a time or earlier. */
export class LastStarts {
  /** The lowest start from each place on. */
  private readonly lowest: number[];

  constructor(starts: readonly number[]) {
    this.lowest = [...starts];
    for (let at = starts.length - 2; at >= 0; at--) {
      this.lowest[at] = Math.min(this.lowest[at] as number, this.lowest[at + 1] as number);
    }
  }

  /** @returns -1 if there is none */
  placeAt(time: number): number {
    return lowestPlace(this.lowest.length, (at) => (this.lowest[at] as number) > time) - 1;
  }
}
