// The channels of a session: one recognition pipeline each, created from their persisted states, fed with the same audio.
import { sleep } from "../../../platform/process/sleep.ts";
import { RateCheck } from "../../../speech/audio/rate-check.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { voiceFinder } from "../../inference/detect-voice.ts";
import type { SpeechPlan } from "../../models/speech-plan.ts";
import { PIECE_BYTES, type StreamReader } from "../audio/stream-reader.ts";
import { ChannelStream } from "../channel/channel.ts";
import type {
  ChannelChange,
  ChannelEvents,
  ChannelOptions,
  ChannelServices,
  ChannelState,
} from "../channel/channel-contract.ts";
import { audioStartOf } from "../channel/speech-detection.ts";
import type { JournalEntry, StoredAudio } from "../log/log-contract.ts";
import type { LiveSpeakers } from "../speakers/live-speakers.ts";
import { ChannelLeaks } from "./channel-leaks.ts";
import { HeldStretches } from "./held-stretches.ts";
import type { KnownTurnEnd } from "./recovery.ts";
import { SharedSources } from "./shared-sources.ts";

/** Options that all channels of a session share. */
export type SharedChannelOptions = Omit<
  ChannelOptions,
  "channel" | "sources" | "leaks" | "hasOtherVoice" | "enhancedStream"
> & {
  /** Names the streams of the channels in the enhancer; undefined if the audio is not enhanced. */
  enhancedStreams?: string;
  /** Undefined if the session is not diarized. */
  speakers?: LiveSpeakers;
};

/** Channels whose sampling rate is checked: all have the same. */
const CHECKED_CHANNELS = 2;

/** Stored audio that waits for voice activity detection after a restart, and the interval at which it is looked at. */
const MOST_UNDETECTED_SECONDS = 20;
const LOOK_MILLISECONDS = 20;
/** Without progress for this long, a final may wait for storage that is full: the audio is then kept in memory. */
const MOST_STUCK_MILLISECONDS = 5_000;

export class SessionChannels {
  private readonly channels: ChannelStream[];
  private readonly sources: SharedSources;
  private readonly leaks: ChannelLeaks;
  private readonly rates: RateCheck[];
  private readonly speakers: LiveSpeakers | undefined;
  /** Speech without words that waits for the other channels. */
  private readonly held: HeldStretches;
  /**
   * States of channels whose last utterances were transcribed in another channel; persisted with that channel's next
   * final.
   */
  private readonly carriedStates = new Map<number, ChannelState>();

  /** @param states  persisted states by channel, of an earlier process */
  constructor(
    count: number,
    { enhancedStreams, speakers, ...options }: SharedChannelOptions,
    services: ChannelServices,
    events: Omit<ChannelEvents, "carried">,
    private readonly states: ReadonlyMap<number, ChannelState>,
    private readonly signal: AbortSignal,
  ) {
    const sources = new SharedSources(count, services.detection, signal);
    this.sources = sources;
    this.leaks = new ChannelLeaks(count, sources);
    this.speakers = speakers;
    const findVoice = voiceFinder(services.detection, { priority: "live", signal });
    this.rates = Array.from({ length: Math.min(CHECKED_CHANNELS, count) }, () => new RateCheck(findVoice));
    const othersOf = (channel: number) => this.channels.filter((_, index) => index !== channel);
    this.held = new HeldStretches(
      (channel, seconds) => Promise.all(othersOf(channel).map(({ decided }) => decided.reached(seconds))),
      (channel, range) => events.unrecognized(channel, range),
    );
    const ownEvents: ChannelEvents = {
      ...events,
      carried: (channel, state) => void this.carriedStates.set(channel, state),
      unrecognized: (channel, range) =>
        count > 1 ? this.held.add(channel, range) : events.unrecognized(channel, range),
    };
    this.channels = Array.from({ length: count }, (_, channel) => {
      const enhanced = enhancedStreams === undefined ? {} : { enhancedStream: `${enhancedStreams}:${channel}` };
      const hasOtherVoice = async (from: number, until: number) => {
        const others = othersOf(channel);
        await Promise.all(others.map(({ detected }) => detected.reached(until)));
        return others.some(({ activity }) => activity.hasVoice(from, until));
      };
      const own = { channel, sources, leaks: this.leaks, hasOtherVoice, ...enhanced };
      return new ChannelStream({ ...options, ...own }, services, ownEvents, states.get(channel));
    });
    for (const [channel, { unreported = [] }] of states) for (const range of unreported) this.held.add(channel, range);
    speakers?.begin(this, states);
  }

  /** Whether another channel is transcribed in place of this one. */
  isCarried(channel: number): boolean {
    return this.sources.carrierOf(channel) !== undefined;
  }

  /** Whether there may be speech from one sample to another. */
  mayHaveSpeech(channel: number, from: number, until: number): boolean {
    return this.channels[channel]?.mayHaveSpeech(from, until) ?? true;
  }

  /** Audio that voice activity detection has not processed, seconds, in the channel that is furthest behind. */
  get undetectedSeconds(): number {
    return Math.max(...this.channels.map((channel) => channel.undetectedSeconds));
  }

  /** Voice activity was detected up to here in every channel, seconds. Audio that the removal of leaks holds back does not count. */
  get detectedSeconds(): number {
    return Math.max(0, Math.min(...this.channels.map(({ detected }) => detected.current)));
  }

  get backlogSeconds(): number {
    return Math.max(0, ...this.channels.map((channel) => channel.backlogSeconds));
  }

  /** Number of channels that carry a source of their own. */
  get distinctCount(): number {
    return this.sources.distinctCount;
  }

  /** Speed at which speech is played; undefined while its sampling rate may be the declared one. */
  get playedSpeed(): number | undefined {
    return this.rates.find(({ playedSpeed }) => playedSpeed !== undefined)?.playedSpeed;
  }

  /** Resolves when `playedSpeed` is known for the audio so far. */
  async speedChecked(): Promise<void> {
    await Promise.all(this.rates.map((rate) => rate.settled()));
  }

  /** @param pieces  the next samples of each channel, at 16 kHz */
  async append(pieces: readonly Float32Array[]): Promise<void> {
    await this.checkRates(pieces);
    // Before the channels, so that a final is decided with all of its audio compared.
    for (const part of this.sources.split(pieces)) {
      await this.sources.add(part);
      await this.leaks.add(part, (clean) => this.deliver(clean));
    }
  }

  private async checkRates(pieces: readonly Float32Array[]): Promise<void> {
    for (const [channel, rate] of this.rates.entries()) await rate.push(pieces[channel] ?? new Float32Array(0));
  }

  private deliver(pieces: readonly Float32Array[]): void {
    for (const [channel, samples] of pieces.entries()) this.channels[channel]?.append(samples);
    this.speakers?.append(pieces);
  }

  /** Resolves when the finals of all audio are persisted. */
  async flush(): Promise<void> {
    this.deliver(this.leaks.flush());
    await Promise.all(this.channels.map((channel) => channel.flush()));
    await this.held.settled();
  }

  /** Resolves when the finals of the audio so far are persisted. */
  async endTurn(): Promise<void> {
    this.deliver(this.leaks.release());
    await Promise.all(this.channels.map((channel) => channel.endTurn()));
  }

  anticipateTurnEnd(): void {
    for (const channel of this.channels) channel.anticipateTurnEnd();
  }

  /** Emits audio that was held back. @returns one past the last sample that every channel has received */
  release(): number {
    this.deliver(this.leaks.release());
    return Math.min(...this.channels.map(({ receivedUntil }) => receivedUntil));
  }

  change(change: ChannelChange): void {
    for (const channel of this.channels) channel.change(change);
  }

  /** @param isFor  whether a channel switches */
  usePlan(plan: SpeechPlan, isFor: (channel: number) => boolean): void {
    for (const [channel, stream] of this.channels.entries()) if (isFor(channel)) stream.usePlan(plan);
  }

  stop(): void {
    this.held.stop();
    for (const channel of this.channels) channel.stop();
    this.speakers?.stop();
  }

  /** Journal entries to persist with a final of a channel. */
  entriesFor(channel: number, state: ChannelState): JournalEntry[] {
    this.carriedStates.delete(channel);
    const others = [...this.carriedStates].map(([other, carried]) => ({ channel: other, state: carried }));
    this.carriedStates.clear();
    const entries = [{ channel, state }, ...others].map((one) => {
      const unreported = this.held.of(one.channel);
      const known = unreported.length > 0 ? { ...one.state, unreported } : one.state;
      return { kind: "channel" as const, channel: one.channel, state: known };
    });
    return this.speakers?.withState(entries) ?? entries;
  }

  /**
   * Recognises stored audio that is not in finals.
   * @param knownTurnEnds  turn ends in the journal
   */
  async reload(audio: StoredAudio, reader: StreamReader, knownTurnEnds: readonly KnownTurnEnd[]): Promise<void> {
    if (audio.total === 0) return;
    const starts = this.channels.map((_, channel) => audioStartOf(this.states.get(channel)));
    const total = Math.round(reader.secondsAt(audio.total) * SAMPLE_RATE);
    const from = Math.min(...starts, this.speakers?.audioStart(total) ?? Number.POSITIVE_INFINITY);
    this.speakers?.startAt(from);
    this.sources.resume(this.states, from);
    const warmUp = reader.beginning ? this.leaks.startFor(from) : from;
    if (reader.beginning) reader.startAt(warmUp);
    let at = reader.beginning ? reader.byteFor(warmUp) : 0;
    let sample = warmUp;
    // Positions in what the removal of leaks emits.
    let emitted = warmUp;
    const deliver = (pieces: readonly Float32Array[]) => {
      const length = pieces[0]?.length ?? 0;
      for (const [channel, samples] of pieces.entries()) {
        const skip = Math.max(0, Math.min(length, (starts[channel] as number) - emitted));
        this.channels[channel]?.append(samples.subarray(skip));
      }
      const known = Math.max(0, Math.min(length, from - emitted));
      this.speakers?.append(pieces.map((samples) => samples.subarray(known)));
      emitted += length;
    };
    const turnEnds = knownTurnEnds.filter((end) => end.at > at);
    const detected = () => this.channels.map((channel) => channel.detected.current).filter(Number.isFinite);
    const progress = new RecentProgress(() => detected().reduce((sum, seconds) => sum + seconds, 0));
    while (at < audio.total) {
      while (this.undetectedSeconds > MOST_UNDETECTED_SECONDS && progress.isRecent && !this.signal.aborted)
        await sleep(LOOK_MILLISECONDS);
      this.signal.throwIfAborted();
      const until = Math.min(audio.total, at + PIECE_BYTES, turnEnds[0]?.at ?? Number.POSITIVE_INFINITY);
      const bytes = await audio.read(at, until);
      at += bytes.length;
      for (const pieces of reader.push(bytes)) {
        const length = pieces[0]?.length ?? 0;
        await this.checkRates(pieces);
        const known = Math.min(length, Math.max(0, from - sample));
        // Audio before `from` warms up the removal of leaks. Its sources are not compared.
        if (known > 0)
          await this.leaks.add(
            pieces.map((samples) => samples.subarray(0, known)),
            deliver,
          );
        for (const part of this.sources.split(pieces.map((samples) => samples.subarray(known)))) {
          await this.sources.add(part);
          await this.leaks.add(part, deliver);
        }
        sample += length;
      }
      const [turnEnd] = turnEnds;
      if (at !== turnEnd?.at) continue;
      turnEnds.shift();
      deliver(this.leaks.release());
      // The change in each channel ends its utterance.
      if (turnEnd.isChange) continue;
      // For a channel whose audio begins later, that turn is in the past.
      for (const [channel, start] of starts.entries()) if (sample >= start) void this.channels[channel]?.endTurn();
    }
  }
}

/** Whether a position moved lately. */
class RecentProgress {
  private last = Number.NaN;
  private movedAt = performance.now();

  constructor(private readonly position: () => number) {}

  get isRecent(): boolean {
    const now = performance.now();
    const position = this.position();
    if (position !== this.last) this.movedAt = now;
    this.last = position;
    return now - this.movedAt < MOST_STUCK_MILLISECONDS;
  }
}

/**
 * Longest position that a channel's state may have, samples; a later one is damaged. Audio may arrive faster than in real time, and some of
 * it may be lost.
 * @param storedSeconds  length of the stored audio
 */
export const mostPosition = (storedSeconds: number, maximumMilliseconds: number): number =>
  (storedSeconds + MOST_LOST_FACTOR * (maximumMilliseconds / 1000)) * SAMPLE_RATE;

/** A multiple of the longest session. */
const MOST_LOST_FACTOR = 2;
