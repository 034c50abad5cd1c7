// Finds channels of a session that carry the same source; one of them is transcribed. Channels that begin to differ are
// separated from then on. Each decision has a time, and answers for a time use the decisions up to it: how far the audio
// is ahead of the channels that are recognised does not change a result.
import {
  ChannelComparison,
  type ComparedWindow,
  type Pair,
} from "../../../speech/audio/channels/channel-comparison.ts";
import { bestOf } from "../../../speech/audio/channels/channel-level.ts";
import { Difference, type FindSpeech, relationHypotheses } from "../../../speech/audio/channels/difference.ts";
import { SPAN_WINDOWS, type Suspicion } from "../../../speech/audio/channels/evidence.ts";
import { WINDOW_SECONDS } from "../../../speech/audio/channels/windows.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import type { RecognitionPool } from "../../inference/pool.ts";
import type { ChannelDistinction, ChannelSources, ChannelState } from "../channel/channel-contract.ts";
import { RecentAudio } from "./recent-audio.ts";

const WINDOW_SAMPLES = Math.round(WINDOW_SECONDS * SAMPLE_RATE);
/** Windows in which one channel explains the other: half a second of sound. */
const LEAST_COMMON_WINDOWS = 2;
/** Share of the common windows that must be explained for a first decision. */
const LEAST_EXPLAINED_SHARE = 0.3;
/** An utterance with this share of sound of its own is transcribed, whatever was decided. */
const OWN_UTTERANCE_SHARE = 0.3;
/** Windows that are remembered: two minutes, the longest utterance. */
const REMEMBERED_WINDOWS = 470;

interface PairState {
  pair: Pair;
  difference: Difference;
  commonWindows: number;
  explainedWindows: number;
  /** Whether a delay between the channels was found. */
  hasMoved: boolean;
  /** Set once the channels were found to carry different sources. */
  distinction?: Distinction;
}

interface Distinction {
  /** Time of the first window that proved the difference, seconds. */
  since: number;
  /** Time of the decision, seconds. */
  decidedAt: number;
}

interface Judgement {
  state: PairState;
  window: number;
  suspicion: Suspicion;
  hypotheses: ReturnType<typeof relationHypotheses>;
}

interface Decision {
  /** Seconds. */
  at: number;
  /** By channel: the channel that is transcribed in its place. */
  carriers: Map<number, number>;
}

export class SharedSources implements ChannelSources {
  private readonly comparison: ChannelComparison;
  private readonly audio: RecentAudio;
  private readonly states: PairState[] = [];
  /** In order of time; the first one applies from the start. */
  private readonly decisions: [Decision, ...Decision[]] = [{ at: Number.NEGATIVE_INFINITY, carriers: new Map() }];
  /** Recent windows: channels with sound of their own. */
  private readonly own = new Map<number, Set<number>>();
  /** By channel: channels that leak into it. */
  private readonly leaks = new Map<number, Set<number>>();
  /** Windows that wait for voice activity detection. */
  private judgements: Judgement[] = [];
  /** Sample at which the comparison began. */
  private origin = 0;
  /** Samples since then. */
  private length = 0;

  constructor(
    private readonly channels: number,
    detection: Pick<RecognitionPool, "voiceActivity">,
    private readonly signal: AbortSignal,
  ) {
    this.comparison = new ChannelComparison(channels, (window) => this.compared(window));
    this.audio = new RecentAudio(channels, detection, signal);
    for (let right = 0; right < channels; right++) {
      for (let left = 0; left < right; left++) {
        const difference = this.newDifference();
        this.states.push({ pair: [left, right], difference, commonWindows: 0, explainedWindows: 0, hasMoved: false });
      }
    }
  }

  /**
   * Resumes a session.
   * @param states  persisted states, by channel
   * @param origin  first sample to be added
   */
  resume(states: ReadonlyMap<number, Pick<ChannelState, "carriedBy" | "distinctions">>, origin: number): void {
    this.origin = origin;
    for (const [channel, { carriedBy, distinctions = [] }] of states) {
      if (carriedBy !== undefined) this.newest.carriers.set(channel, carriedBy);
      for (const { from, since, decidedAt } of distinctions) {
        const state = this.stateOf(channel, from);
        if (state) state.distinction ??= { since, decidedAt };
      }
    }
  }

  /** Splits audio where decisions are made, so that a decision does not depend on how the audio arrives. */
  *split(pieces: readonly Float32Array[]): Generator<readonly Float32Array[]> {
    const count = pieces[0]?.length ?? 0;
    for (let from = 0; from < count; ) {
      const until = this.channels < 2 ? count : Math.min(count, from + WINDOW_SAMPLES - (this.length % WINDOW_SAMPLES));
      yield pieces.map((piece) => piece.subarray(from, until));
      from = until;
    }
  }

  /**
   * Resolves when all decisions for the audio are made.
   * @param pieces  16 kHz samples of each channel, as `split` yields them
   */
  async add(pieces: readonly Float32Array[]): Promise<void> {
    if (this.channels < 2) return;
    this.length += pieces[0]?.length ?? 0;
    this.audio.append(pieces);
    this.comparison.add(pieces);
    for (const judgement of this.judgements) await this.judge(judgement);
    this.judgements = [];
    this.decide();
  }

  carrierOf(channel: number, at = Number.POSITIVE_INFINITY): number | undefined {
    return this.decisions.findLast((decision) => decision.at <= at)?.carriers.get(channel);
  }

  isCarried(channel: number, [from, until]: readonly [from: number, until: number], at: number): boolean {
    if (this.carrierOf(channel, at) === undefined) return false;
    const first = this.windowAt(from);
    const last = Math.max(first, this.windowAt(until) - 1);
    const end = this.windowAt(at);
    let own = 0;
    for (let window = first; window <= last; window++) if (window < end && this.own.get(window)?.has(channel)) own++;
    return own < OWN_UTTERANCE_SHARE * (last - first + 1);
  }

  distinctSince(channel: number, at: number): number {
    return Math.max(0, ...this.distinctionsOf(channel, at).map(({ since }) => since));
  }

  distinctionsOf(channel: number, at: number): ChannelDistinction[] {
    return this.states.flatMap(({ pair, distinction }) => {
      if (!pair.includes(channel) || !distinction || distinction.decidedAt > at) return [];
      return [{ from: pair[0] === channel ? pair[1] : pair[0], ...distinction }];
    });
  }

  /** Channels that are transcribed. */
  get distinctCount(): number {
    return this.channels - this.newest.carriers.size;
  }

  /** One channel leaks into another: if they seem to carry one source, the first one is transcribed. */
  prefer(from: number, to: number): void {
    const known = this.leaks.get(to) ?? new Set();
    if (known.has(from)) return;
    this.leaks.set(to, known.add(from));
    if (this.newest.carriers.get(from) !== to) return;
    const carriers = new Map(this.newest.carriers);
    carriers.delete(from);
    carriers.set(to, from);
    for (const [channel, carrier] of carriers) if (carrier === to) carriers.set(channel, from);
    this.decisions.push({ at: this.seconds, carriers });
  }

  /** Two channels leak into each other, so that each of them has its own source. */
  separate([left, right]: Pair): void {
    const state = this.stateOf(left, right);
    if (!state || state.distinction) return;
    state.distinction = { since: this.seconds, decidedAt: this.seconds };
    this.decide();
  }

  private get newest(): Decision {
    return this.decisions.at(-1) ?? this.decisions[0];
  }

  /** End of the audio so far. */
  private get seconds(): number {
    return this.secondsOf(this.length);
  }

  /** @param samples  since the comparison began */
  private secondsOf(samples: number): number {
    return (this.origin + samples) / SAMPLE_RATE;
  }

  private windowAt(seconds: number): number {
    return Math.floor((seconds * SAMPLE_RATE - this.origin) / WINDOW_SAMPLES);
  }

  private stateOf(one: number, other: number): PairState | undefined {
    return this.states.find(({ pair }) => pair.includes(one) && pair.includes(other));
  }

  private newDifference(): Difference {
    const findSpeech: FindSpeech = (remainder, range) => this.audio.findSpeech(remainder, range);
    return new Difference(findSpeech);
  }

  private compared({ pair, window, suspicion, isCommon, hasMoved, relation }: ComparedWindow): void {
    const state = this.stateOf(...pair);
    if (!state || state.distinction) return;
    // Later changes of the delay mean two sources that alternate, not a correction.
    if (hasMoved && !state.hasMoved) {
      state.hasMoved = true;
      state.difference = this.newDifference();
    }
    if (isCommon) {
      state.commonWindows++;
      if (suspicion === 0) state.explainedWindows++;
    }
    if (suspicion === 0) return;
    this.judgements.push({ state, window, suspicion, hypotheses: relationHypotheses(pair, relation()) });
  }

  private async judge({ state, window, suspicion, hypotheses }: Judgement): Promise<void> {
    if (this.signal.aborted) return;
    const { difference } = state;
    const [isOwn] = await difference.add(window, [suspicion], hypotheses).catch(() => [false]);
    if (!isOwn) return;
    const channels = this.own.get(window) ?? new Set();
    for (const channel of state.pair) channels.add(channel);
    this.own.set(window, channels);
    if (difference.isCertain) {
      const since = this.secondsOf(this.firstOwn(state.pair[1], window) * WINDOW_SAMPLES);
      state.distinction = { since, decidedAt: this.seconds };
    }
    if (this.own.size > REMEMBERED_WINDOWS) this.own.delete(this.own.keys().next().value as number);
  }

  /** First of the windows that led to a decision. */
  private firstOwn(channel: number, last: number): number {
    const windows = [...this.own].filter(([window, channels]) => window > last - SPAN_WINDOWS && channels.has(channel));
    return Math.min(last, ...windows.map(([window]) => window));
  }

  private isSame(left: number, right: number): boolean {
    const state = this.stateOf(left, right);
    if (!state || this.isDifferent(left, right)) return false;
    const { commonWindows, explainedWindows } = state;
    return explainedWindows >= LEAST_COMMON_WINDOWS && explainedWindows >= LEAST_EXPLAINED_SHARE * commonWindows;
  }

  private isDifferent(left: number, right: number): boolean {
    const decidedAt = this.stateOf(left, right)?.distinction?.decidedAt;
    return decidedAt !== undefined && decidedAt <= this.seconds;
  }

  /** Channels with a common source stay together until they are known to differ. */
  private decide(): void {
    const carriers = new Map(this.newest.carriers);
    let isChanged = false;
    for (const [channel, carrier] of carriers) {
      if (this.isDifferent(channel, carrier)) isChanged = carriers.delete(channel);
    }
    for (let channel = 0; channel < this.channels; channel++) {
      if (carriers.has(channel)) continue;
      for (let other = 0; other < channel; other++) {
        if (carriers.has(other) || !this.isSame(other, channel)) continue;
        this.join(carriers, other, channel);
        isChanged = true;
        break;
      }
    }
    if (isChanged) this.decisions.push({ at: this.seconds, carriers });
  }

  private join(carriers: Map<number, number>, one: number, other: number): void {
    const summaries = this.comparison.levels.map(({ summary }) => summary);
    const hasGroup = [...carriers.values()].includes(one);
    const louder = this.leaks.get(one)?.has(other) ? other : bestOf([one, other], summaries);
    const best = hasGroup || this.leaks.get(other)?.has(one) ? one : louder;
    const carried = best === one ? other : one;
    carriers.set(carried, best);
    for (const [channel, carrier] of carriers) if (carrier === carried) carriers.set(channel, best);
  }
}
