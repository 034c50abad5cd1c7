// Compares two channels window by window and reports where one has sound that the other does not explain.
import { DELAY_SEARCH_SAMPLES, delayBetween, LONGEST_DELAY_SAMPLES } from "./delay.ts";
import { type Relation, RelationEstimate, type WindowMatch } from "./relation.ts";
import {
  COMPARED_RATE,
  emptySpectra,
  type RecentSamples,
  transformPair,
  WINDOW_SAMPLES,
  type WindowSpectra,
} from "./windows.ts";

/** Shorter delays stay within a frame and are part of the phase. */
const LEAST_SHIFT_SAMPLES = 6;
/** A delay is searched in each of the first unexplained windows, then at growing intervals. */
const FIRST_SEARCHES = 4;
const MOST_SEARCH_INTERVAL_WINDOWS = 128;

export interface ChannelWindow {
  recent: RecentSamples;
  spectra: WindowSpectra;
  isActive: boolean;
}

export class PairComparison {
  private readonly estimate = new RelationEstimate();
  /** Delay of the right channel in samples, compensated before the comparison. */
  private shiftSamples = 0;
  private searches = 0;
  private searchInterval = 1;
  private sinceSearch = 0;
  private hasJustMoved = false;
  private shifted: [WindowSpectra, WindowSpectra] | undefined;

  get relation(): Relation {
    const { relation } = this.estimate;
    return { ...relation, delaySeconds: relation.delaySeconds + this.shiftSamples / COMPARED_RATE };
  }

  /** Whether a delay was found in the last window; results for earlier windows are then void. */
  get hasMoved(): boolean {
    return this.hasJustMoved;
  }

  /**
   * @param start  first sample of the window
   * @returns undefined if both channels are quiet
   */
  add(
    left: ChannelWindow,
    right: ChannelWindow,
    start: number,
    isExplained: (match: WindowMatch) => boolean,
  ): WindowMatch | undefined {
    if (!left.isActive && !right.isActive) return undefined;
    this.hasJustMoved = false;
    const match = this.estimate.add(...this.spectraOf(left, right, start));
    this.sinceSearch++;
    if (isExplained(match) || this.sinceSearch < this.searchInterval || !left.isActive || !right.isActive) return match;
    this.sinceSearch = 0;
    if (++this.searches >= FIRST_SEARCHES) {
      this.searchInterval = Math.min(MOST_SEARCH_INTERVAL_WINDOWS, 2 * this.searchInterval);
    }
    this.hasJustMoved = this.searchDelay(left.recent, right.recent, start + WINDOW_SAMPLES);
    return this.hasJustMoved ? this.estimate.add(...this.spectraOf(left, right, start)) : match;
  }

  private spectraOf(left: ChannelWindow, right: ChannelWindow, start: number): [WindowSpectra, WindowSpectra] {
    const shift = this.shiftSamples;
    const [leftFrom, rightFrom] = [start - Math.max(0, shift), start - Math.max(0, -shift)];
    if (shift === 0 || !left.recent.has(leftFrom) || !right.recent.has(rightFrom)) return [left.spectra, right.spectra];
    this.shifted ??= [emptySpectra(), emptySpectra()];
    const [from, other] = [left.recent.at(leftFrom), right.recent.at(rightFrom)];
    transformPair(from.buffer, from.index, other.buffer, other.index, this.shifted);
    return this.shifted;
  }

  /** @returns whether a different delay was found */
  private searchDelay(left: RecentSamples, right: RecentSamples, end: number): boolean {
    const start = end - DELAY_SEARCH_SAMPLES;
    const from = Math.max(start, 0);
    const [first, second] = [left, right].map((recent) => {
      const block = new Float32Array(DELAY_SEARCH_SAMPLES);
      const { buffer, index } = recent.at(from);
      block.set(buffer.subarray(Math.max(0, index), index + end - from));
      return block;
    }) as [Float32Array, Float32Array];
    const found = delayBetween(first, second);
    if (found === undefined) return false;
    const shift = Math.abs(found) < LEAST_SHIFT_SAMPLES ? 0 : found;
    if (Math.abs(shift - this.shiftSamples) < LEAST_SHIFT_SAMPLES) return false;
    this.shiftSamples = shift;
    this.estimate.reset();
    return true;
  }
}

/** Samples that channels must keep for the delay search. */
export const KEPT_SAMPLES = DELAY_SEARCH_SAMPLES + LONGEST_DELAY_SAMPLES;
