// What joins of utterances need: which utterance an index names, and whether an utterance starts between two others. Both in nearly constant time.

import { lowestPlace } from "../../contract/lowest-place.ts";

/** Sets of numbers that are united; each has one number that stands for it. */
export class UnitedNumbers {
  private readonly parents: number[];

  constructor(count: number) {
    this.parents = Array.from({ length: count }, (_, at) => at);
  }

  /** @returns the number that stands for the set; undefined for one that is not there */
  find(number: number): number | undefined {
    const { parents } = this;
    let found = parents[number];
    if (found === undefined) return undefined;
    while (parents[found] !== found) found = parents[found] as number;
    for (let at = number; at !== found; ) {
      const next = parents[at] as number;
      parents[at] = found;
      at = next;
    }
    return found;
  }

  /** @param one  stands for its set, as does `into`, which stands for both from then on */
  unite(one: number, into: number): void {
    this.parents[one] = into;
  }
}

/** Starts of the utterances of a channel; they are only removed. */
export class OccupiedStarts {
  private readonly starts: readonly number[];
  private readonly counts: number[];
  /** A start that no utterance has is united with the next one; the last place stands for none. */
  private readonly occupied: UnitedNumbers;

  constructor(starts: readonly number[]) {
    this.starts = [...new Set(starts)].sort((left, right) => left - right);
    this.counts = this.starts.map(() => 0);
    for (const start of starts) (this.counts[this.placeOf(start)] as number)++;
    this.occupied = new UnitedNumbers(this.starts.length + 1);
  }

  isAnyBetween(after: number, before: number): boolean {
    const place = lowestPlace(this.starts.length, (at) => (this.starts[at] as number) > after);
    const next = this.starts[this.occupied.find(place) as number];
    return next !== undefined && next < before;
  }

  /** An utterance that started there is a part of another one. */
  remove(start: number): void {
    const place = this.placeOf(start);
    const left = (this.counts[place] as number) - 1;
    this.counts[place] = left;
    if (left === 0) this.occupied.unite(place, place + 1);
  }

  private placeOf(start: number): number {
    return lowestPlace(this.starts.length, (at) => (this.starts[at] as number) >= start);
  }
}
