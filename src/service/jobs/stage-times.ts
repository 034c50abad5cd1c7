// How long stages take on this machine, learned from those that ended. The estimate of a running job needs their proportions: recognition
// takes ten times as long with one model as with another, and a language model may need longer than the recognition.

/** What a stage is expected to take, before this process has measured one of its kind. */
export interface StageCost {
  /** Stages of one kind take comparable times. */
  kind: string;
  secondsPerAudioSecond: number;
  /** The part of the time that does not depend on the length of the recording. */
  seconds: number;
}

const NEWEST_SHARE = 0.4;
/** Jobs name models and add-ons in any combination; those beyond this number are not learned. */
const MOST_KINDS = 1_000;
/** Shorter stages say nothing about the speed. */
const LEAST_SECONDS = 0.05;

export class StageTimes {
  /** Measured time as a share of the expected one, by kind. */
  private readonly factors = new Map<string, number>();

  /** @returns seconds of a stage for that much audio */
  expected({ kind, secondsPerAudioSecond, seconds }: StageCost, audioSeconds: number): number {
    return (seconds + secondsPerAudioSecond * audioSeconds) * (this.factors.get(kind) ?? this.usual());
  }

  /** @param seconds  that a whole stage took */
  add(cost: StageCost, audioSeconds: number, seconds: number): void {
    const { kind, secondsPerAudioSecond, seconds: fixed } = cost;
    if (seconds < LEAST_SECONDS || (!this.factors.has(kind) && this.factors.size >= MOST_KINDS)) return;
    const newest = seconds / (fixed + secondsPerAudioSecond * audioSeconds);
    const before = this.factors.get(kind);
    this.factors.set(kind, before === undefined ? newest : before ** (1 - NEWEST_SHARE) * newest ** NEWEST_SHARE);
  }

  /** For a kind without a measurement: a slow machine is slow for every kind. */
  private usual(): number {
    const known = [...this.factors.values()];
    return Math.exp(known.reduce((sum, factor) => sum + Math.log(factor), 0) / Math.max(1, known.length));
  }
}
