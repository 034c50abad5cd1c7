// Finds channels of a session that carry the same source, from the audio so far; one of them is transcribed. Channels
// that begin to differ are separated from then on.
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
import type { ChannelSources } from "../channel/channel-contract.ts";
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
/** Most windows from the oldest one that waits for voice activity detection to the newest. With more, the session accepts no audio. */
const MOST_WAITING_WINDOWS = 12;

interface PairState {
  pair: Pair;
  difference: Difference;
  commonWindows: number;
  explainedWindows: number;
  /** Whether a delay between the channels was found. */
  hasMoved: boolean;
  /** First of the windows that proved a difference. */
  ownFrom?: number;
  /** Whether the channels leak into each other. */
  leaks: boolean;
}

const areDifferent = ({ difference, leaks }: PairState) => leaks || difference.isCertain;

interface Judgement {
  state: PairState;
  /** The comparison that the window is evidence for; outdated if the delay has changed since. */
  difference: Difference;
  window: number;
  suspicion: Suspicion;
  hypotheses: ReturnType<typeof relationHypotheses>;
}

export class SharedSources implements ChannelSources {
  private readonly comparison: ChannelComparison;
  private readonly audio: RecentAudio;
  private readonly states: PairState[] = [];
  /** By channel: the channel that is transcribed in its place. */
  private readonly carriers = new Map<number, number>();
  /** Recent windows: channels with sound of their own. */
  private readonly own = new Map<number, Set<number>>();
  /** By channel: channels that leak into it. */
  private readonly leaks = new Map<number, Set<number>>();
  private work = Promise.resolve();
  /** Windows that wait for voice activity detection, the oldest first. */
  private readonly waiting: number[] = [];
  /** Sample at which the comparison began. */
  private origin = 0;

  constructor(
    private readonly channels: number,
    detection: Pick<RecognitionPool, "voiceActivity">,
    private readonly signal: AbortSignal,
  ) {
    this.comparison = new ChannelComparison(channels, (window) => this.compared(window));
    this.audio = new RecentAudio(channels, detection, signal);
    for (let right = 0; right < channels; right++) {
      for (let left = 0; left < right; left++) {
        const difference = new Difference(this.findSpeech);
        this.states.push({
          pair: [left, right],
          difference,
          commonWindows: 0,
          explainedWindows: 0,
          hasMoved: false,
          leaks: false,
        });
      }
    }
  }

  /** Resumes a session. @param carriers  decisions of an earlier process @param origin  first sample to be added */
  resume(carriers: ReadonlyMap<number, number>, origin: number): void {
    this.origin = origin;
    for (const [channel, carrier] of carriers) this.carriers.set(channel, carrier);
  }

  /** Resolves when the session may accept more audio. @param pieces  16 kHz samples of each channel */
  async add(pieces: readonly Float32Array[]): Promise<void> {
    if (this.channels < 2) return;
    // The wait precedes the append, because RecentAudio then discards old samples, which waiting detections need.
    const [oldest] = this.waiting;
    if (oldest !== undefined && this.comparison.windowCount - oldest > MOST_WAITING_WINDOWS) await this.work;
    this.audio.append(pieces);
    this.comparison.add(pieces);
  }

  /** The channel that is transcribed in place of this one; undefined if this one is transcribed. */
  carrierOf(channel: number): number | undefined {
    if (this.channels > 1) this.decide();
    return this.carriers.get(channel);
  }

  /**
   * The same for an utterance, after all its audio was compared.
   * @param from, until  seconds of the session
   */
  async isCarried(channel: number, from: number, until: number): Promise<boolean> {
    if (this.channels < 2) return false;
    await this.work;
    if (this.carrierOf(channel) === undefined) return false;
    const first = this.windowAt(from);
    const last = Math.max(first, this.windowAt(until) - 1);
    let own = 0;
    for (let window = first; window <= last; window++) if (this.own.get(window)?.has(channel)) own++;
    return own < OWN_UTTERANCE_SHARE * (last - first + 1);
  }

  /** Time from which a channel is known to have its own source, seconds; 0 if it always had. */
  distinctSince(channel: number): number {
    const windows = this.states
      .filter((state) => state.pair.includes(channel) && areDifferent(state))
      .map(({ ownFrom = 0 }) => ownFrom);
    return windows.length === 0 ? 0 : (this.origin + Math.max(...windows) * WINDOW_SAMPLES) / SAMPLE_RATE;
  }

  /** Channels that are transcribed. */
  get distinctCount(): number {
    return this.channels - this.carriers.size;
  }

  /** One channel leaks into another: if they seem to carry one source, the first one is transcribed. */
  prefer(from: number, to: number): void {
    const known = this.leaks.get(to) ?? new Set();
    if (known.has(from)) return;
    this.leaks.set(to, known.add(from));
    if (this.carriers.get(from) !== to) return;
    this.carriers.delete(from);
    this.carriers.set(to, from);
    for (const [channel, carrier] of this.carriers) if (carrier === to) this.carriers.set(channel, from);
  }

  /** Two channels leak into each other, so that each of them has its own source. */
  separate([left, right]: Pair): void {
    const state = this.states.find(({ pair }) => pair[0] === left && pair[1] === right);
    if (!state || state.leaks || state.difference.isCertain) return;
    state.leaks = true;
    state.ownFrom = this.comparison.windowCount;
  }

  private windowAt(seconds: number): number {
    return Math.floor((seconds * SAMPLE_RATE - this.origin) / WINDOW_SAMPLES);
  }

  private readonly findSpeech: FindSpeech = (remainder, [from, to]) => this.audio.findSpeech(remainder, [from, to]);

  private compared({ pair, window, suspicion, isCommon, hasMoved, relation }: ComparedWindow): void {
    const state = this.states.find((one) => one.pair[0] === pair[0] && one.pair[1] === pair[1]);
    if (!state || areDifferent(state)) return;
    // Later changes of the delay mean two sources that alternate, not a correction.
    if (hasMoved && !state.hasMoved) {
      state.hasMoved = true;
      state.difference = new Difference(this.findSpeech);
    }
    if (isCommon) {
      state.commonWindows++;
      if (suspicion === 0) state.explainedWindows++;
    }
    if (suspicion === 0) return;
    const hypotheses = relationHypotheses(pair, relation());
    const { difference } = state;
    this.waiting.push(window);
    this.work = this.work
      .then(() => this.judge({ state, difference, window, suspicion, hypotheses }))
      .catch(() => undefined)
      .finally(() => void this.waiting.shift());
  }

  private async judge({ state, difference, window, suspicion, hypotheses }: Judgement): Promise<void> {
    if (state.difference !== difference || difference.isCertain || this.signal.aborted) return;
    const [isOwn] = await difference.add(window, [suspicion], hypotheses);
    if (!isOwn || state.difference !== difference) return;
    const channels = this.own.get(window) ?? new Set();
    for (const channel of state.pair) channels.add(channel);
    this.own.set(window, channels);
    if (difference.isCertain) state.ownFrom = this.firstOwn(state.pair[1], window);
    if (this.own.size > REMEMBERED_WINDOWS) this.own.delete(this.own.keys().next().value as number);
  }

  /** First of the windows that led to a decision. */
  private firstOwn(channel: number, last: number): number {
    const windows = [...this.own].filter(([window, channels]) => window > last - SPAN_WINDOWS && channels.has(channel));
    return Math.min(last, ...windows.map(([window]) => window));
  }

  private isSame(left: number, right: number): boolean {
    const state = this.states.find(({ pair }) => pair.includes(left) && pair.includes(right));
    if (!state || areDifferent(state)) return false;
    const { commonWindows, explainedWindows } = state;
    return explainedWindows >= LEAST_COMMON_WINDOWS && explainedWindows >= LEAST_EXPLAINED_SHARE * commonWindows;
  }

  private isDifferent(left: number, right: number): boolean {
    return this.states.some((state) => state.pair.includes(left) && state.pair.includes(right) && areDifferent(state));
  }

  /** Channels with a common source stay together until they are known to differ. */
  private decide(): void {
    for (const [channel, carrier] of this.carriers) {
      if (this.isDifferent(channel, carrier)) this.carriers.delete(channel);
    }
    for (let channel = 0; channel < this.channels; channel++) {
      if (this.carriers.has(channel)) continue;
      for (let other = 0; other < channel; other++) {
        if (this.carriers.has(other) || !this.isSame(other, channel)) continue;
        this.join(other, channel);
        break;
      }
    }
  }

  private join(one: number, other: number): void {
    const summaries = this.comparison.levels.map(({ summary }) => summary);
    const hasGroup = [...this.carriers.values()].includes(one);
    const louder = this.leaks.get(one)?.has(other) ? other : bestOf([one, other], summaries);
    const best = hasGroup || this.leaks.get(other)?.has(one) ? one : louder;
    const carried = best === one ? other : one;
    this.carriers.set(carried, best);
    for (const [channel, carrier] of this.carriers) if (carrier === carried) this.carriers.set(channel, best);
  }
}
