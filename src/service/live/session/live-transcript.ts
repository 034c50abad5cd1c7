// Processes recognised speech: applies the wording of the caller, emits events, runs add-ons, and collects the finals of the result.

import { revised } from "../../../contract/transcript/speaker-revision.ts";
import type { Transcription, Utterance } from "../../../contract/transcript/transcript.ts";
import type { ParlanceError } from "../../../platform/errors.ts";
import { endsSentence } from "../../../speech/text/writing.ts";
import { rounded } from "../../transcripts/recognized-segments.ts";
import type { KnownStart } from "../audio/stream-reader.ts";
import type { ChannelEvents } from "../channel/channel-contract.ts";
import { withoutRepetition } from "../compressed/lost-audio.ts";
import type { EventClass, EventOf, LiveErrorCode, LiveEvent } from "../events/live-event.ts";
import type { SessionLog } from "../log/log-contract.ts";
import { LiveSpeakers } from "../speakers/live-speakers.ts";
import { type DiarizedSession, diarizedSession } from "../speakers/session-diarization.ts";
import { LiveAddons } from "./addons.ts";
import { SessionChanges } from "./changes.ts";
import { translateToEnglish } from "./english-translation.ts";
import { ForeignSpeech } from "./foreign-speech.ts";
import { Outbox } from "./outbox.ts";
import { ReportedSpeech } from "./reported-speech.ts";
import type { SessionChannels } from "./session-channels.ts";
import type { SessionParams, SessionServices } from "./session-contract.ts";
import { ShownPartials } from "./shown-partials.ts";
import { TurnStates } from "./turn-states.ts";
import { UnrecognizedStretches } from "./unrecognized-stretches.ts";

/** Persisted errors with these codes are warnings of the result. */
const WARNING_CODES: ReadonlySet<LiveErrorCode> = new Set([
  "invalid_audio_format",
  "invalid_message",
  "undecodable_audio",
  "source_gap",
  "turn_detection_unavailable",
  "enhancement_unavailable",
]);

/** Parts of the session that its transcript uses. */
export interface TranscriptSession {
  id: string;
  params: SessionParams;
  log: SessionLog;
  services: SessionServices;
  /** Format and headers of the stored bytes. */
  stored(): Required<KnownStart>;
  channels(): SessionChannels;
  isRecording(): boolean;
  /** Length of the audio so far. */
  seconds(): number;
  handleStorageError(error: unknown): void;
}

export class LiveTranscript {
  readonly finals = new Map<string, Utterance>();
  /** Text of the last final of each channel. */
  private readonly lastTexts = new Map<number, string>();
  readonly addons: LiveAddons;
  readonly outbox: Outbox;
  readonly changes: SessionChanges;
  /** Undefined if the session is not diarized. */
  readonly speakers: LiveSpeakers | undefined;
  private readonly foreignSpeech: ForeignSpeech;
  private readonly turnStates = new TurnStates();
  private readonly reportedSpeech = new ReportedSpeech();
  private readonly unrecognized = new UnrecognizedStretches();
  private readonly shownPartials = new ShownPartials();
  /** About the format of the audio. */
  private readonly persistedWarnings = new Set<string>();

  constructor(private readonly session: TranscriptSession) {
    const { id, params, log, services } = session;
    const onStorageError = (error: unknown) => session.handleStorageError(error);
    const collect = (event: LiveEvent) => {
      if (event.kind === "final") {
        this.finals.set(event.id, event.utterance);
        this.lastTexts.set(event.utterance.channel, event.utterance.text.trim());
      }
      if (event.kind === "speakersRevised") {
        // A session has thousands of finals, and as many corrections: only a merger may change all of them.
        const ids = event.merged.length > 0 ? [...this.finals.keys()] : event.utterances.map(({ id }) => id);
        for (const id of ids) {
          const final = this.finals.get(id);
          if (final) this.finals.set(id, revised(id, final, event));
        }
      }
      this.turnStates.observe(event);
      this.reportedSpeech.observe(event);
      if (event.kind === "speechUnrecognized") this.unrecognized.add(event);
      if (event.kind === "error" && WARNING_CODES.has(event.code)) this.persistedWarnings.add(event.reason);
      this.foreignSpeech.observe(event);
      this.addons.observe(event);
    };
    this.outbox = new Outbox({
      sessionId: id,
      subscription: params.subscription,
      log,
      format: services.recordFormat,
      onEvent: collect,
      ...(services.callbacks ? { callbacks: services.callbacks } : {}),
      ...(services.viewers ? { viewers: services.viewers } : {}),
    });
    this.addons = new LiveAddons(params.request, services.accountId, services.resultProcesses, {
      send: (event) => this.outbox.persistAndSend(event).catch(onStorageError),
      translateToEnglish: (utterance) => this.translateToEnglish(utterance),
      report: (event) => this.report(event),
      realtimeOf: (channel) => this.changes.realtimeOf(channel),
      fetchTranslation: async (source, targets) => (await services.fetchTranslation?.(source, targets)) ?? [],
    });
    this.foreignSpeech = new ForeignSpeech(services.multilingual, services.logger, {
      report: (event) => this.reportOnce(event),
      usePlan: (plan, request) =>
        session.channels().usePlan(plan, (channel) => this.changes.languagesOf(channel) === request),
    });
    if (params.request.diarization === true) {
      this.speakers = new LiveSpeakers(services.speakers, {
        send: (event, ...entries) => void this.outbox.persistAndSend(event, ...entries).catch(onStorageError),
        report: (event) => this.report(event),
        finals: this.finals,
      });
    }
    this.changes = new SessionChanges({
      ...{ params, log, outbox: this.outbox, turns: services.turns, languages: services.languages },
      isRecording: () => session.isRecording(),
      seconds: () => session.seconds(),
      release: () => session.channels().release(),
      apply: (change) => session.channels().change(change),
      usesTurns: () => this.connectTurns(),
      usesLanguages: (languages) => this.addons.prepareLanguages(languages),
    });
    this.outbox.replay(log.entries);
  }

  /** Speech in a language that no model recognises. */
  get problem(): ParlanceError | undefined {
    return this.foreignSpeech.problem;
  }

  /** Warnings for the result; complete when all audio is transcribed. */
  get warnings(): string[] {
    const persisted = withoutRepetition([...this.persistedWarnings]);
    const all = [...persisted, this.foreignSpeech.warning, this.unrecognized.warning];
    return all.filter((warning) => warning !== undefined);
  }

  /** Whether partials are sent to a client or a callback address. */
  get includesPartials(): boolean {
    return this.includes("partials");
  }

  private includes(eventClass: EventClass): boolean {
    const { params, services } = this.session;
    return params.subscription.has(eventClass) || services.callbacks?.includesClass(eventClass) === true;
  }

  /** Options of the channels that depend on the request and its clients. */
  get channelOptions() {
    return {
      ...this.changes.initialSettings,
      changes: this.changes.known,
      includesPartials: this.includesPartials,
      reportedSpeechOf: (channel: number) => this.reportedSpeech.of(channel),
      ...(this.includes("turns") ? { turnStateOf: (channel: number) => this.turnStates.of(channel) } : {}),
      ...(this.speakers ? { speakers: this.speakers } : {}),
    };
  }

  /** A client has connected: models that the session can do without are fetched. */
  connected(): void {
    this.speakers?.connected();
    if (this.changes.usesTurns) this.connectTurns();
  }

  private connectTurns(): void {
    this.session.services.turns?.connected((problem) => {
      const reason = `turn_detection has no effect; utterances end after the endpointing silence: ${problem}`;
      this.reportOnce({ kind: "error", code: "turn_detection_unavailable", reason });
    });
  }

  /** Begins the add-ons of finals of an earlier process. */
  resumeAddons(): void {
    this.addons.resume(this.finals);
  }

  /** Resolves when the last corrections of the live speakers were emitted. */
  async speakersFinished(): Promise<void> {
    await this.speakers?.finish();
  }

  /** Finds the speakers of a session that has ended, if it is diarized. @throws work.aborted */
  async diarize(transcription: Transcription, durationSeconds: number, signal: AbortSignal): Promise<DiarizedSession> {
    const { log, params, services } = this.session;
    const { speakers } = this;
    if (!speakers) return { transcription, warnings: [] };
    await speakers.finish();
    const recording = {
      audio: log.audio,
      stored: this.session.stored(),
      channels: params.format.channels,
      durationSeconds,
      distinctCount: this.session.channels().distinctCount,
      rowsOf: (channel: number) => speakers.rowsOf(channel),
    };
    return diarizedSession(transcription, [...this.finals.values()], recording, services.speakers, signal);
  }

  /** Handlers for the session's channels. @param onFailed  called when a channel produces no further events */
  channelEvents(onFailed: (error: unknown) => void): Omit<ChannelEvents, "carried"> {
    const { log } = this.session;
    return {
      speechStart: (channel, seconds) => this.report({ kind: "speechStarted", channel, seconds }),
      speechEnd: (channel, seconds, isCut) =>
        this.report({ kind: "speechEnded", channel, seconds, ...(isCut ? { isCut } : {}) }),
      turnProbablyOver: (channel, seconds, probability, id, recognized) => {
        const written = this.written(recognized);
        const utterance = this.speakers?.expect(written) ?? written;
        this.report({ kind: "turnProbablyOver", channel, seconds, probability, id, utterance });
      },
      turnResumed: (channel, seconds) => this.report({ kind: "turnResumed", channel, seconds }),
      turnOver: (channel, seconds, probability, reason) =>
        this.report({ kind: "turnOver", channel, seconds, probability, reason }),
      enhanced: (channel, range, { noiseDecibels: noise, share }) => {
        const noiseDecibels = Number.isFinite(noise) ? Math.round(noise * 10) / 10 : null;
        this.report({ kind: "speechEnhanced", channel, range, noiseDecibels, strength: rounded(share) });
      },
      enhancementFailed: () => {
        const reason =
          "noise suppression failed for a part of the audio, which was transcribed as sent; if this repeats, see the log of the service";
        this.reportOnce({ kind: "error", code: "enhancement_unavailable", reason });
      },
      languageDetected: (channel, range, { language, probability = 1 }) =>
        this.report({ kind: "languageDetected", channel, range, language, probability: rounded(probability) }),
      partial: (id, recognized) => {
        const written = this.written(recognized);
        if (!this.shownPartials.replaces(id, written)) return;
        const utterance = this.speakers?.expect(written) ?? written;
        this.report({ kind: "partial", id, utterance });
        this.addons.partial(id, utterance);
      },
      final: async (id, recognized, state) => {
        const written = this.written(recognized);
        const { channel, start, end, words } = written;
        const entries = () => this.session.channels().entriesFor(channel, state);
        if (words.length === 0) {
          if (this.shownPartials.replaces(id, written)) this.report({ kind: "partial", id, utterance: written });
          const fillers = { channel, range: [start, end] as [number, number], isFiller: true as const };
          return this.outbox.persistAndSend({ kind: "speechUnrecognized", ...fillers }, ...entries());
        }
        const utterance = this.speakers?.assign(id, written) ?? written;
        await this.outbox.persistAndSend({ kind: "final", id, utterance }, ...entries());
        this.addons.begin(id, utterance);
      },
      unrecognized: (channel, range) => this.reportUnrecognized({ kind: "speechUnrecognized", channel, range }),
      foreignSpeech: async (channel, range) => {
        const plan = await this.foreignSpeech.found(this.changes.languagesOf(channel));
        if (!plan) this.reportUnrecognized({ kind: "speechUnrecognized", channel, range, isForeign: true });
        return plan;
      },
      wordless: (channel, state) => {
        const entries = this.session
          .channels()
          .entriesFor(channel, state)
          .map((entry) => (entry.kind === "channel" ? { ...entry, kind: "wordless" as const } : entry));
        log.appendEntries(...entries).catch((error: unknown) => this.session.handleStorageError(error));
      },
      doubtfulSpeech: () => this.foreignSpeech.doubted(),
      failed: onFailed,
    };
  }

  /** With the vocabulary, spellings and numbers that the caller requested; without words if they are fillers to remove. */
  private written(recognized: Utterance): Utterance {
    const before = this.lastTexts.get(recognized.channel);
    const isContinued = before !== undefined && !endsSentence(before, recognized.language);
    return this.changes.textOf(recognized.channel).applyTo(recognized, isContinued);
  }

  /** Undefined if no model can translate. */
  private async translateToEnglish(utterance: Utterance): Promise<Utterance | undefined> {
    const { log, params, services } = this.session;
    const translator = this.changes.modelsOf(utterance.channel).englishTranslator;
    if (translator === undefined) return undefined;
    const stored = { audio: log.audio, stored: this.session.stored(), channels: params.format.channels };
    const english = await translateToEnglish(utterance, stored, services.recognition, translator);
    return this.changes.textOf(utterance.channel).withNumerals(english);
  }

  private reportUnrecognized(event: EventOf<"speechUnrecognized">): void {
    if (this.unrecognized.isNew(event, this.finals.values())) this.report(event);
  }

  /** As `report`, for an event that the result has as well: it is stored, and sent once in the whole session. */
  private reportOnce(event: LiveEvent): void {
    this.outbox.persistAndSendOnce(event).catch((error: unknown) => this.session.handleStorageError(error));
  }

  /** Sends without waiting; an error while storing closes the connection, not the process. */
  private report(event: LiveEvent): void {
    this.outbox.send(event).catch((error: unknown) => this.session.handleStorageError(error));
  }
}
