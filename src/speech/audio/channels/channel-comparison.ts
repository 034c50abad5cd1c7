// Compares all channels of a recording or live session while their audio arrives. Finds windows in which two channels
// have sound that one does not explain in the other; voice activity detection then decides whether that sound is
// speech.
import { ChannelLevel } from "./channel-level.ts";
import { type Suspicion, suspicionOf } from "./evidence.ts";
import { KEPT_SAMPLES, PairComparison } from "./pair.ts";
import type { Relation } from "./relation.ts";
import { emptySpectra, RecentSamples, transformPair, WINDOW_SAMPLES, type WindowSpectra } from "./windows.ts";

/** Channel numbers, the lower one first. */
export type Pair = readonly [left: number, right: number];

export interface ComparedWindow {
  pair: Pair;
  /** Index of the window, from the start. */
  window: number;
  suspicion: Suspicion;
  /** Whether both channels have sound in it. */
  isCommon: boolean;
  /** Whether a delay between them was found in this window; evidence from earlier windows is then void. */
  hasMoved: boolean;
  /** Estimate of the second channel from the first at this window. */
  relation: () => Relation;
}

export class ChannelComparison {
  readonly levels: ChannelLevel[];
  private readonly recent: RecentSamples[];
  private readonly spectra: WindowSpectra[];
  private readonly pairs: { pair: Pair; comparison: PairComparison }[] = [];
  private windows = 0;

  /** @param report  called for every window in which one of two channels has sound */
  constructor(
    channels: number,
    private readonly report: (window: ComparedWindow) => void,
  ) {
    const all = Array.from({ length: channels }, (_, channel) => channel);
    this.levels = all.map(() => new ChannelLevel());
    this.recent = all.map(() => new RecentSamples(KEPT_SAMPLES));
    // transformPair processes two channels.
    this.spectra = Array.from({ length: channels + (channels % 2) }, emptySpectra);
    for (const right of all) {
      for (const left of all.slice(0, right))
        this.pairs.push({ pair: [left, right], comparison: new PairComparison() });
    }
  }

  /** Number of compared windows. */
  get windowCount(): number {
    return this.windows;
  }

  /** @param pieces  the next 16 kHz samples of each channel, -1 to 1, all of one length */
  add(pieces: readonly Float32Array[]): void {
    if (this.pairs.length === 0) return;
    for (const [channel, piece] of pieces.entries()) this.recent[channel]?.append(piece);
    const end = this.recent[0]?.end ?? 0;
    while ((this.windows + 1) * WINDOW_SAMPLES <= end) this.compare();
  }

  private compare(): void {
    const window = this.windows++;
    const start = window * WINDOW_SAMPLES;
    const { recent, spectra } = this;
    for (let channel = 0; channel < recent.length; channel += 2) {
      const left = recent[channel]?.at(start);
      const right = recent[channel + 1]?.at(start) ?? left;
      if (!left || !right) continue;
      const into = [spectra[channel], spectra[channel + 1]] as [WindowSpectra, WindowSpectra];
      transformPair(left.buffer, left.index, right.buffer, right.index, into);
    }
    const channels = recent.map((samples, channel) => {
      const one = spectra[channel] as WindowSpectra;
      return { recent: samples, spectra: one, isActive: this.levels[channel]?.add(one) === true };
    });
    for (const { pair, comparison } of this.pairs) {
      const [left, right] = [channels[pair[0]], channels[pair[1]]];
      const match = left && right && comparison.add(left, right, start, (one) => suspicionOf(one) === 0);
      if (!match) continue;
      const isCommon = left.isActive && right.isActive;
      const { hasMoved } = comparison;
      const suspicion = suspicionOf(match);
      this.report({ pair, window, suspicion, isCommon, hasMoved, relation: () => comparison.relation });
    }
  }
}
