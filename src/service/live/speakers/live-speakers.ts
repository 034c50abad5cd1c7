// The speakers of a session. Words of finals get speaker numbers that mean the same person for the whole session; corrections follow as
// events. If the channels separate the speakers, each channel is one; otherwise each has a diarizer, for which words never wait.

import { revised, type SpeakerRevision, withSpeakers } from "../../../contract/transcript/speaker-revision.ts";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { type ParlanceError, toParlanceError } from "../../../platform/errors.ts";
import { sleep } from "../../../platform/process/sleep.ts";
import { MOST_WAITING_SAMPLES } from "../../../speech/speakers/live-diarizer.ts";
import { WINDOW_SAMPLES } from "../../../speech/speakers/speaker-networks.ts";
import {
  channelsSeparate,
  type DiarizationParameters,
  identifiesSpeakers,
  speakerBounds,
} from "../../intelligence/diarization.ts";
import type { ChannelSpeakersState, ChannelState } from "../channel/channel-contract.ts";
import type { LiveEvent } from "../events/live-event.ts";
import type { JournalEntry } from "../log/log-contract.ts";
import { ChannelSpeakers } from "./channel-speakers.ts";
import { ModelNetworks } from "./model-networks.ts";
import { SpeakerNames } from "./names.ts";
import { revisionOf } from "./revisions.ts";
import type { SpeakerServices } from "./speaker-services.ts";

/** Parts of the session that the speakers use. */
export interface SpeakerSession {
  /** Persists and sends an event. */
  send(event: LiveEvent, ...entries: JournalEntry[]): void;
  /** Sends an event that only the current connection needs. */
  report(event: LiveEvent): void;
  /** Persisted finals with their corrections, by id. */
  finals: ReadonlyMap<string, Utterance>;
}

/** Channels of the session. */
export interface SpeakerChannels {
  /** Number of channels with different sources. */
  readonly distinctCount: number;
  /** Whether another channel is transcribed in place of this one. */
  isCarried(channel: number): boolean;
  mayHaveSpeech(channel: number, from: number, until: number): boolean;
}

/** Most speakers of a channel: the clusters are compared with each other at every new voice. */
const MOST_SPEAKERS = 30;
/** Finals whose words may still change. */
const RECENT_FINALS = 500;
/** Audio beyond this would count as silence, see LiveDiarizer. */
const MOST_RELOADED_SAMPLES = MOST_WAITING_SAMPLES + WINDOW_SAMPLES;
/** finish() ends if the networks complete no step within this time. A step takes far less, also on an overloaded machine. */
const STEP_TIMEOUT_MILLISECONDS = 3_000;
/** Times that finish() waits for a step: 15 s in all. */
const MOST_WAITS = 5;
/** Audio is read from a multiple of this, as for voice activity. */
const ALIGNED_SAMPLES = 512;

export class LiveSpeakers {
  private readonly channels = new Map<number, ChannelSpeakers>();
  /** Speaker of each channel that is a speaker, or was. */
  private readonly numbers = new Map<number, number>();
  private next = 0;
  /** States of an earlier process that no diarizer has continued yet. */
  private readonly resumed = new Map<number, ChannelSpeakersState>();
  /** The last persisted state of each channel. */
  private readonly stored = new Map<number, ChannelState>();
  /** The last finals with their corrections, including those that are being persisted. */
  private readonly recent = new Map<string, Utterance>();
  private position = 0;
  /** Completed steps of all channels. */
  private steps = 0;
  private session!: SpeakerChannels;
  private readonly networks: ModelNetworks;
  private problem: string | undefined;
  private finishing: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private readonly names: SpeakerNames | undefined;
  private readonly params: DiarizationParameters;

  constructor(
    private readonly services: SpeakerServices,
    private readonly events: SpeakerSession,
  ) {
    this.params = services.params;
    this.networks = new ModelNetworks(services, this.stopping.signal, (problem) =>
      this.warn(`finals have no speakers: ${problem}`),
    );
    if (identifiesSpeakers(services.params)) {
      this.names = new SpeakerNames(services.people, (speakers) => events.report({ kind: "speakersNamed", speakers }));
    }
  }

  /** @param states  persisted states by channel, of an earlier process */
  begin(session: SpeakerChannels, states: ReadonlyMap<number, ChannelState>): void {
    this.session = session;
    for (const [channel, state] of states) {
      this.stored.set(channel, state);
      this.next = Math.max(this.next, state.speakers?.nextNumber ?? 0);
      const own = state.speakers;
      if (own?.diarizer) this.resumed.set(channel, own);
      else if (own?.words.last !== undefined) this.numbers.set(channel, own.words.last);
    }
    for (const { speaker = -1, words } of this.events.finals.values()) {
      this.next = Math.max(this.next, speaker + 1, ...words.map((word) => (word.speaker ?? -1) + 1));
    }
  }

  /** First sample of stored audio that is needed. @param total  stored samples */
  audioStart(total: number): number {
    const starts = [...this.resumed.values()].map(({ diarizer }) => (diarizer?.processedSamples ?? 0) - WINDOW_SAMPLES);
    // A session without a state has no final yet.
    const from = this.stored.size === 0 ? 0 : Math.min(...starts);
    const start = Math.max(0, Math.min(total, Math.max(from, total - MOST_RELOADED_SAMPLES)));
    return Math.floor(start / ALIGNED_SAMPLES) * ALIGNED_SAMPLES;
  }

  /** The position of the next samples. */
  startAt(sample: number): void {
    this.position = sample;
  }

  /** @param pieces  the next samples of each channel, at 16 kHz */
  append(pieces: readonly Float32Array[]): void {
    try {
      for (const [channel, samples] of pieces.entries()) {
        if (this.problem !== undefined || !this.isDiarized(channel)) this.drop(channel);
        else this.diarizing(channel).append(samples);
      }
    } catch (error) {
      // An error of diarization must not affect transcription.
      this.fail(toParlanceError(error));
    }
    this.position += pieces[0]?.length ?? 0;
  }

  /**
   * Processes the remaining audio and sends the last corrections; later ones are in the result only. Called when no more audio follows.
   * Further calls wait for the first. Networks that fail end it early, without an error.
   */
  finish(stepTimeoutMilliseconds = STEP_TIMEOUT_MILLISECONDS): Promise<void> {
    this.finishing ??= this.finishAll(stepTimeoutMilliseconds);
    return this.finishing;
  }

  private async finishAll(stepTimeoutMilliseconds: number): Promise<void> {
    let isFinished = false;
    const all = Promise.all([...this.channels.values()].map((channel) => channel.finish()))
      .catch(() => undefined)
      .finally(() => {
        isFinished = true;
      });
    for (let wait = 0; wait < MOST_WAITS; wait++) {
      const before = this.steps;
      await Promise.race([all, sleep(stepTimeoutMilliseconds, this.stopping.signal)]);
      if (isFinished || this.stopping.signal.aborted || this.steps === before) break;
    }
    this.stop();
  }

  /** The final with speakers. */
  assign(id: string, utterance: Utterance): Utterance {
    const own = this.channels.get(utterance.channel);
    const speakers = own ? own.assign(id, utterance) : this.ofChannel(utterance, true);
    const final = withSpeakers(utterance, speakers);
    this.recent.set(id, final);
    if (this.recent.size > RECENT_FINALS) this.recent.delete(this.recent.keys().next().value as string);
    return final;
  }

  /** The partial with the speakers that have a number. */
  expect(utterance: Utterance): Utterance {
    const own = this.channels.get(utterance.channel);
    return withSpeakers(utterance, own ? own.expected(utterance) : this.ofChannel(utterance, false));
  }

  /** Adds the state of the speakers to entries that are about to be persisted. */
  withState(entries: readonly JournalEntry[]): JournalEntry[] {
    return entries.map((entry) => {
      if (entry.kind !== "channel") return entry;
      const speakers = this.stateOf(entry.channel);
      const state = speakers ? { ...entry.state, speakers } : entry.state;
      this.stored.set(entry.channel, state);
      return { ...entry, state };
    });
  }

  /** Resends the names of speakers to a new connection. */
  connected(): void {
    this.names?.resend();
  }

  /** Windows of a channel that were computed, by index, see LocalWindows. */
  rowsOf(channel: number): ReadonlyMap<number, Uint8Array> {
    return this.channels.get(channel)?.rows ?? new Map();
  }

  stop(): void {
    this.stopping.abort();
    for (const channel of this.channels.values()) channel.stop();
  }

  private isDiarized(channel: number): boolean {
    return !channelsSeparate(this.params, this.session.distinctCount) && !this.session.isCarried(channel);
  }

  private stateOf(channel: number): ChannelSpeakersState | undefined {
    const own = this.channels.get(channel);
    if (own) return { ...own.state, nextNumber: this.next };
    const last = this.numbers.get(channel);
    if (last !== undefined) return { words: { numbers: [], pending: [], last }, nextNumber: this.next };
    // Without a model, the last persisted state is kept for another process, which may have one.
    return this.problem === undefined ? undefined : this.stored.get(channel)?.speakers;
  }

  /** The channel's own speaker, where channels separate them. */
  private ofChannel({ channel, words }: Utterance, isFinal: boolean): (number | undefined)[] {
    if (!channelsSeparate(this.params, this.session.distinctCount)) return [];
    if (isFinal && !this.numbers.has(channel)) this.numbers.set(channel, this.next++);
    return words.map(() => this.numbers.get(channel));
  }

  private drop(channel: number): void {
    this.channels.get(channel)?.stop();
    this.channels.delete(channel);
  }

  private diarizing(channel: number): ChannelSpeakers {
    const known = this.channels.get(channel);
    if (known) return known;
    this.networks.prepare();
    const { maximum, minimum } = speakerBounds(this.params.diarization_config ?? {});
    const state = this.resumed.get(channel);
    this.resumed.delete(channel);
    const own = new ChannelSpeakers(
      {
        networks: this.networks,
        bounds: { minimum: Math.min(minimum, MOST_SPEAKERS), maximum: Math.min(maximum, MOST_SPEAKERS) },
        nextNumber: () => this.next++,
        isReady: () => this.networks.model !== undefined,
        mayHaveSpeech: (from, until) => this.session.mayHaveSpeech(channel, from, until),
        onRevised: (revisions) => {
          this.steps++;
          this.revise(
            channel,
            revisionOf(channel, revisions, (id) => this.finalOf(id)),
          );
        },
        onFailed: (error) => this.fail(error),
      },
      {
        startSample: this.position,
        state,
        number: this.numbers.get(channel),
      },
    );
    this.channels.set(channel, own);
    return own;
  }

  private finalOf(id: string): Utterance | undefined {
    return this.recent.get(id) ?? this.events.finals.get(id);
  }

  private revise(channel: number, revision: SpeakerRevision | undefined): void {
    const { model } = this.networks;
    if (model !== undefined) void this.names?.update(model, () => this.prints);
    if (!revision) return;
    for (const { id } of revision.utterances) {
      const final = this.finalOf(id);
      if (final) this.recent.set(id, final);
    }
    for (const [id, final] of this.recent) this.recent.set(id, revised(id, final, revision));
    const state = this.stored.get(channel);
    const entries = state ? this.withState([{ kind: "channel", channel, state }]) : [];
    this.events.send({ kind: "speakersRevised", ...revision }, ...entries);
  }

  private get prints() {
    return [...this.channels.values()].flatMap(({ prints }) => prints);
  }

  private fail(error: ParlanceError): void {
    this.services.logger.warn({ code: error.code, reason: error.message }, "live diarization of a session failed");
    this.warn(
      "later finals have no speakers: the speaker model failed; the result is diarized at the end of the session",
    );
  }

  private warn(problem: string): void {
    if (this.problem !== undefined || this.stopping.signal.aborted) return;
    this.problem = problem;
    for (const channel of [...this.channels.keys()]) this.drop(channel);
    this.events.report({ kind: "error", code: "speakers_unavailable", reason: problem });
  }
}
