// Decides whether the sound that one channel has and another lacks is speech: subtracts the other channel under each
// hypothesis about their relation, and runs voice activity detection on the remainder.
import type { Pair } from "./channel-comparison.ts";
import { Evidence, type Suspicion } from "./evidence.ts";
import type { Relation } from "./relation.ts";

/** A channel that is subtracted from another one. */
export interface SubtractedChannel {
  channel: number;
  gain: number;
  /** Delay of the other channel. */
  delaySeconds: number;
}

/** Remainder of a channel after subtraction. */
export interface Remainder {
  channel: number;
  /** Subtracted channel; undefined for the channel as it is. */
  without?: SubtractedChannel;
}

/**
 * Detects speech in a remainder.
 * @param range  windows of the comparison, the last exclusive
 * @returns for each window, whether it contains speech
 */
export type FindSpeech = (remainder: Remainder, range: [from: number, to: number]) => Promise<boolean[]>;

/** Remainders of a channel, one per hypothesis about its relation to another channel. */
export type RemainderHypotheses = (Remainder | undefined)[];

/**
 * Hypotheses with gains further than this from the estimate (12 dB) are ignored: least squares give them if a channel
 * contains hardly anything of the other.
 */
const MOST_GAIN_RATIO = 4;

function hypothesesFor(
  channel: number,
  other: number,
  gains: readonly number[],
  delaySeconds: number,
): RemainderHypotheses {
  const withoutOther = (gain: number, delay: number) => ({
    channel,
    without: { channel: other, gain, delaySeconds: delay },
  });
  return [withoutOther(1, 0), ...gains.map((gain) => (gain === 0 ? undefined : withoutOther(gain, delaySeconds)))];
}

/** Remainders of the second channel without the first. */
export function relationHypotheses([left, right]: Pair, relation: Relation): RemainderHypotheses {
  const { gain, forwardGain, backwardGain, delaySeconds } = relation;
  const isNear = (one: number) => Math.abs(gain / one) < MOST_GAIN_RATIO && Math.abs(one / gain) < MOST_GAIN_RATIO;
  const gains = [gain, ...[forwardGain, backwardGain].map((one) => (isNear(one) ? one : 0))];
  return hypothesesFor(right, left, gains, delaySeconds);
}

/** Least coherence of channels with a common source, squared: 1 %. Independent channels have 0.2 to 0.4 %. */
const LEAST_COHERENCE_SQUARED = 1e-4;

/**
 * The quieter channel as it is, if nothing in it is from the other one, which is 12 dB louder or more. No difference of both has the
 * voice of the quiet one beside the sound of the loud one.
 */
export function unrelatedHypotheses([left, right]: Pair, relation: Relation): RemainderHypotheses {
  const { gain, forwardGain, backwardGain } = relation;
  const isRelated = gain === 0 || Math.abs(forwardGain) > LEAST_COHERENCE_SQUARED * Math.abs(backwardGain);
  if (isRelated) return [];
  if (Math.abs(gain) >= MOST_GAIN_RATIO) return [{ channel: left }];
  return Math.abs(gain) <= 1 / MOST_GAIN_RATIO ? [{ channel: right }] : [];
}

/** Remainders of a channel: as it is, and without another channel whose echo it contains. */
export function ownSpeechHypotheses(channel: number, [left, right]: Pair, relation: Relation): RemainderHypotheses {
  const { gain, forwardGain, backwardGain, delaySeconds } = relation;
  if (channel === right)
    return [{ channel }, ...hypothesesFor(right, left, [gain, forwardGain, backwardGain], delaySeconds)];
  const inverse = [gain, forwardGain, backwardGain].map((one) => (one === 0 ? 0 : 1 / one));
  return [{ channel }, ...hypothesesFor(left, right, inverse, -delaySeconds)];
}

export class Difference {
  private readonly evidence: Evidence[] = [];
  /** Indexes of the hypotheses that left too much speech. */
  private readonly refuted = new Set<number>();
  private isRefuted = false;

  constructor(private readonly findSpeech: FindSpeech) {}

  /** Whether all hypotheses are refuted: the channels carry different sources. */
  get isCertain(): boolean {
    return this.isRefuted;
  }

  /**
   * Adds windows, in time order.
   * @param from  index of the first window
   * @returns for each window, whether every remaining hypothesis leaves speech in it
   */
  async add(from: number, suspicions: readonly Suspicion[], hypotheses: RemainderHypotheses): Promise<boolean[]> {
    const all = suspicions.map((suspicion) => suspicion > 0);
    for (const [number, remainder] of hypotheses.entries()) {
      if (!remainder || this.refuted.has(number)) continue;
      const isSpeech = await this.findSpeech(remainder, [from, from + suspicions.length]);
      this.evidence[number] ??= new Evidence();
      for (const [at, suspicion] of suspicions.entries()) {
        if (!isSpeech[at]) all[at] = false;
        else if (this.evidence[number]?.add(from + at, suspicion)) this.refuted.add(number);
      }
    }
    this.isRefuted ||= hypotheses.every((remainder, number) => !remainder || this.refuted.has(number));
    return all;
  }
}
