// Result of comparing a whole recording, small enough to be sent between processes.
import { ChannelComparison, type ComparedWindow, type Pair } from "./channel-comparison.ts";
import type { Suspicion } from "./evidence.ts";
import { NO_RELATION, type Relation } from "./relation.ts";

/** Windows per section: 65.5 s. The relation between the channels is constant within a section. */
export const STRETCH_WINDOWS = 256;

/** One second. */
const SILENCE = new Float32Array(16_000);
/** Before the first whole window, channels are the same if their difference is 40 dB below them. */
const SAME_SHARE = 1e-4;

/** Section of the recording in which two channels may differ. */
export interface Stretch {
  /** Index of the section: it starts at window `number` × STRETCH_WINDOWS. */
  number: number;
  /** Estimate of the second channel from the first at the end of the section. */
  relation: Relation;
  /** One digit per window, see Suspicion. */
  suspicions: string;
}

export interface PairReport {
  channels: Pair;
  /** Windows in which both channels have sound. */
  commonWindows: number;
  /** In time order; empty if one channel explains the other everywhere. */
  stretches: Stretch[];
}

interface Collected {
  report: PairReport;
  /** Index of the current section. */
  number: number;
  suspicions: Suspicion[];
  relation: () => Relation;
  /** Of the samples before the first window: energy of both channels, and of their difference. */
  energy: number;
  difference: number;
}

export class RecordingComparison {
  readonly comparison: ChannelComparison;
  private readonly collected = new Map<string, Collected>();

  constructor(channels: number) {
    this.comparison = new ChannelComparison(channels, (window) => this.collect(window));
    for (let right = 0; right < channels; right++) {
      for (let left = 0; left < right; left++) {
        const report = { channels: [left, right] as const, commonWindows: 0, stretches: [] };
        const relation = () => NO_RELATION;
        const collected = { report, number: 0, suspicions: [], relation, energy: 0, difference: 0 };
        this.collected.set(`${left} ${right}`, collected);
      }
    }
  }

  /** @param pieces  16 kHz samples of each channel */
  add(pieces: readonly Float32Array[]): void {
    if (this.comparison.windowCount === 0) this.addDifferences(pieces);
    this.comparison.add(pieces);
  }

  /** Adds silence in all channels. */
  addSilence(samples: number): void {
    for (let left = samples; left > 0; left -= SILENCE.length) {
      const piece = SILENCE.subarray(0, left);
      this.add(this.comparison.levels.map(() => piece));
    }
  }

  /** Ends the audio and returns the reports. */
  reports(): PairReport[] {
    return [...this.collected.values()].map((collected) => {
      close(collected);
      const { report, energy, difference } = collected;
      // Less than one window is no evidence of one source, unless the channels are equal.
      const isShort = this.comparison.windowCount === 0;
      if (isShort && energy > 0 && difference <= SAME_SHARE * energy) report.commonWindows = 1;
      return report;
    });
  }

  private addDifferences(pieces: readonly Float32Array[]): void {
    for (const collected of this.collected.values()) {
      const [left, right] = collected.report.channels;
      for (const [at, value] of pieces[left]?.entries() ?? []) {
        const other = pieces[right]?.[at] ?? 0;
        collected.energy += value * value + other * other;
        collected.difference += (value - other) ** 2;
      }
    }
  }

  private collect({ pair, window, suspicion, isCommon, relation }: ComparedWindow): void {
    const collected = this.collected.get(pair.join(" "));
    if (!collected) return;
    if (isCommon) collected.report.commonWindows++;
    if (suspicion === 0) return;
    const number = Math.floor(window / STRETCH_WINDOWS);
    if (number !== collected.number) close(collected);
    collected.number = number;
    collected.suspicions[window % STRETCH_WINDOWS] = suspicion;
    collected.relation = relation;
  }
}

function close(collected: Collected): void {
  const { report, number, suspicions, relation } = collected;
  if (suspicions.length === 0) return;
  const digits = Array.from({ length: STRETCH_WINDOWS }, (_, at) => suspicions[at] ?? 0).join("");
  report.stretches.push({ number, relation: relation(), suspicions: digits });
  collected.suspicions = [];
}
