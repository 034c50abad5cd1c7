// One live session from its creation to end_session, over any number of connections. It knows neither WebSockets nor
// HTTP: a connection is something that takes text. What the client is told is stored before it is told.
import type { StreamFormat } from "../../audio/stream-format.ts";
import { callerWording } from "../../intelligence/caller-wording.ts";
import { respelled, spellingOf } from "../../intelligence/spelling.ts";
import { repaired, vocabularyTargets } from "../../intelligence/vocabulary.ts";
import type { Utterance } from "../../jobs/transcript.ts";
import { type VocabularyTerm, vocabularyOf } from "../../recognition/vocabulary.ts";
import { goneOn, type NumberStyle, withNumbers } from "../../text/numbers.ts";
import { endsSentence } from "../../text/writing.ts";
import { ChannelStream } from "../channel/channel.ts";
import type { ChannelState } from "../channel/channel-contract.ts";
import type { Enhancement } from "../channel/enhanced-input.ts";
import type { HeardLanguage } from "../channel/spoken-language.ts";
import { rounded } from "../channel/utterance.ts";
import type { ClientFrame, MessageBody } from "../connection/protocol.ts";
import { contradictions, StreamReader } from "../connection/stream-reader.ts";
import { type JournalEntry, LogLost, type SessionLog } from "../log/log-contract.ts";
import { LiveAddons } from "./addons.ts";
import { inEnglish } from "./english.ts";
import { Intake } from "./intake.ts";
import {
  chunkRefused,
  chunkTaken,
  clientError,
  enhancedMessage,
  languageMessage,
  stopRefused,
  stopTaken,
} from "./messages.ts";
import { Outbox } from "./outbox.ts";
import { liveResult, liveTranscription } from "./result.ts";
import { SessionClock } from "./session-clock.ts";
import {
  CLOSE,
  type Connection,
  type EndedSession,
  type SessionOwner,
  type SessionParams,
  type SessionServices,
} from "./session-contract.ts";

const RELOAD_BYTES = 1_048_576;
/** Storing a chunk takes this long before the client is held back. */
const HOLD_MILLISECONDS = 1_000;

export class Session implements EndedSession {
  private connection: Connection | undefined;
  private readonly channels: ChannelStream[] = [];
  private frames: Promise<void> = Promise.resolve();
  private readonly outbox: Outbox;
  private readonly finals = new Map<string, Utterance>();
  /** Of the finals. */
  private numbers: NumberStyle = {};
  /** Of the last final of each channel. */
  private readonly lastWords = new Map<number, string>();
  private readonly addons: LiveAddons;
  private readonly spelling: ReturnType<typeof spellingOf>;
  private readonly vocabulary: VocabularyTerm[];
  private readonly ownWording: string[];
  private readonly targets: ReturnType<typeof vocabularyTargets>;
  private isStopped = false;
  private stoppedOnThisConnection = false;
  private readonly intake: Intake;
  private readonly clock: SessionClock;
  private starting: Promise<void> | undefined;
  private finishing: Promise<void> | undefined;
  private isOver = false;
  /** Somebody else's by now, or nobody's. */
  private isGone = false;

  private constructor(
    readonly id: string,
    readonly params: SessionParams,
    readonly log: SessionLog,
    private readonly services: SessionServices,
    private readonly owner: SessionOwner,
    private reader: StreamReader,
    private readonly startedAt: number,
  ) {
    const collect = (message: MessageBody) => {
      if (message.type === "transcript") this.keepFinal(message.data.id, message.data.utterance);
      this.addons.note(message);
    };
    const realtime = (params.request["realtime_processing"] ?? {}) as Record<string, unknown>;
    this.spelling = spellingOf(realtime);
    this.vocabulary = vocabularyOf(realtime);
    this.ownWording = callerWording(realtime);
    this.targets = vocabularyTargets(this.vocabulary);
    this.addons = new LiveAddons(params.request, services.analyst, {
      tell: (message) => this.outbox.tell(message).catch((error: unknown) => this.unwritten(error)),
      english: (utterance) => this.english(utterance),
    });
    this.outbox = new Outbox(id, params.flags, log, collect, services.callbacks);
    this.intake = new Intake(log.audio);
    const unheard = () => Math.max(...this.channels.map((channel) => channel.unheardSeconds));
    this.clock = new SessionClock(services.timers, unheard, {
      idle: () => this.leaveIdle(),
      over: () => void this.end().catch(() => undefined),
      pause: () => this.connection?.pause(),
      resume: () => {
        if (!this.connection) return;
        this.connection.resume();
        // While it was held back it could not send.
        this.clock.active();
      },
    });
  }

  /** Opens a new session, or one that an earlier process left: it goes on where its journal ends. */
  static async open(
    id: string,
    params: SessionParams,
    log: SessionLog,
    services: SessionServices,
    owner: SessionOwner,
    startedAt: number,
  ): Promise<Session> {
    const known = log.entries.find((entry) => entry.kind === "format");
    const reader = new StreamReader(params.format, known);
    const session = new Session(id, params, log, services, owner, reader, startedAt);
    const states = session.replay(log.entries);
    session.createChannels(states);
    await session.reload(states);
    for (const [id, utterance] of session.finals) session.addons.begin(id, utterance);
    if (session.isStopped) session.finish();
    else if (session.outbox.has("start_recording")) session.clock.away();
    return session;
  }

  get isConnected(): boolean {
    return this.connection !== undefined;
  }

  get hasEnded(): boolean {
    return this.isOver;
  }

  get durationSeconds(): number {
    return this.reader.secondsAt(this.log.audio.total);
  }

  get totalBytes(): number {
    return this.log.audio.total;
  }

  /** Format and header of the stored bytes. */
  get stored(): { headerBytes: number; format: StreamFormat } {
    const { headerBytes, format } = this.reader.beginning ?? { headerBytes: 0, format: this.params.format };
    return { headerBytes, format };
  }

  /** Every message that was made for the client, but acknowledgments and partials. */
  get messages(): readonly string[] {
    return this.outbox.messages;
  }

  /** A newer connection takes the place of an older one. */
  async attach(connection: Connection): Promise<void> {
    const isNewest = connection.number > (this.connection?.number ?? 0);
    if (this.isGone) return connection.close(CLOSE.restart, "the session is elsewhere by now; reconnect to go on");
    const replaced = isNewest ? this.connection : connection;
    replaced?.close(CLOSE.replaced, "replaced by a newer connection");
    if (!isNewest) return;
    this.connection = connection;
    this.stoppedOnThisConnection = false;
    this.clock.active();
    await this.outbox.attach(connection);
    if (this.clock.isPaused) connection.pause();
    this.starting ??= this.start().catch((error: unknown) => {
      this.starting = undefined;
      throw error;
    });
    await this.starting;
    if (this.isOver && !this.isGone) connection.close(CLOSE.done, "session complete");
  }

  private async start(): Promise<void> {
    if (!this.outbox.has("start_recording")) {
      await this.owner.started(this.id);
      await this.outbox.tell({ type: "start_recording" });
    }
    this.clock.started();
  }

  /** Frames are taken one after another in the order they came. */
  receive(connection: Connection, frame: ClientFrame): void {
    this.inOrder(connection, () => this.take(frame, connection));
  }

  /** The connection is gone; what came before counts. @param code  as the client closed it; 1006 when it just broke */
  detach(connection: Connection, code: number): void {
    this.inOrder(connection, async () => {
      this.release();
      if (this.isOver || this.isStopped) return;
      // A normal close means the same as stop_recording; anything else may come back.
      if (code === CLOSE.done) await this.end();
      else this.clock.away();
    });
  }

  /** As if stop_recording had come. */
  async end(): Promise<void> {
    if (this.isStopped) return;
    this.isStopped = true;
    await this.log.note({ kind: "stop" });
    this.finish();
  }

  /** The process stops: clients may come back to the next one. */
  async suspend(): Promise<void> {
    this.suspending.abort();
    this.log.hurry();
    this.stopChannels();
    this.services.callbacks?.stop();
    this.clock.stop();
    this.drop(CLOSE.restart, "the service restarts; reconnect to go on");
    await this.frames;
    await this.outbox.settled();
    await this.log.close();
  }

  /** It was deleted, or is another machine's from now on. */
  async letGo(code: number, reason: string): Promise<void> {
    this.isOver = true;
    this.isGone = true;
    this.connection?.close(code, reason);
    await this.suspend();
  }

  // --- what an earlier process left ---

  private replay(entries: JournalEntry[]): Map<number, ChannelState> {
    const states = new Map<number, ChannelState>();
    for (const entry of entries) {
      if (entry.kind === "channel") states.set(entry.channel, entry.state);
      if (entry.kind === "stop") this.isStopped = true;
    }
    this.outbox.replay(entries);
    return states;
  }

  private createChannels(states: Map<number, ChannelState>): void {
    const { format, plan, threshold, endpointingSeconds, maximumSeconds, isEnhanced } = this.params;
    const count = this.reader.beginning?.format.channels ?? format.channels;
    for (let channel = 0; channel < count; channel++) {
      const options = {
        channel,
        plan,
        threshold,
        endpointingSeconds,
        maximumSeconds,
        wantsPartials: this.wantsPartials,
        vocabulary: this.vocabulary,
        ...(isEnhanced ? { enhancedStream: `${this.id}:${channel}` } : {}),
      };
      this.channels.push(new ChannelStream(options, this.services, this.events, states.get(channel)));
    }
  }

  private keepFinal(id: string, utterance: Utterance): void {
    this.finals.set(id, utterance);
    this.numbers = goneOn(this.numbers, utterance, this.ownWording);
    this.lastWords.set(utterance.channel, utterance.words.at(-1)?.word ?? "");
  }

  /** With numbers as the finals have them, and the caller's own words and spellings. */
  private worded(heard: Utterance): Utterance {
    const isAfterStop = endsSentence(this.lastWords.get(heard.channel) ?? "");
    const written = withNumbers(heard, goneOn(this.numbers, heard, this.ownWording), isAfterStop, this.ownWording);
    return respelled(repaired(written, this.targets), this.spelling);
  }

  /** Undefined where no model can tell. */
  private async english(utterance: Utterance): Promise<Utterance | undefined> {
    const { englishTranslator } = this.params;
    if (englishTranslator === undefined) return undefined;
    return inEnglish(
      utterance,
      { audio: this.log.audio, stored: this.stored },
      this.services.recognition,
      englishTranslator,
    );
  }

  private get wantsPartials(): boolean {
    return this.params.flags.receive_partial_transcripts || this.services.callbacks?.wantsPartials === true;
  }

  private readonly suspending = new AbortController();
  private readonly events = {
    speechStart: (channel: number, time: number) => this.report({ type: "speech_start", data: { time, channel } }),
    speechEnd: (channel: number, time: number) => this.report({ type: "speech_end", data: { time, channel } }),
    enhanced: (channel: number, range: [number, number], enhancement: Enhancement) =>
      this.report(enhancedMessage(channel, range, enhancement)),
    languageHeard: (channel: number, range: [number, number], heard: HeardLanguage) =>
      this.report(languageMessage(channel, range, heard)),
    partial: (id: string, heard: Utterance) => {
      const utterance = this.worded(heard);
      this.report({ type: "transcript", data: { id, is_final: false, utterance } });
    },
    final: async (id: string, heard: Utterance, state: ChannelState) => {
      const utterance = this.worded(heard);
      await this.outbox.tell(
        { type: "transcript", data: { id, is_final: true, utterance } },
        { kind: "channel", channel: utterance.channel, state },
      );
      this.addons.begin(id, utterance);
    },
    failed: (error: unknown) => {
      if (this.isOver || this.suspending.signal.aborted || error instanceof LogLost) return;
      this.services.logger.error({ err: error, session: this.id }, "a live channel failed");
      this.owner.failed(this.id, error).catch(() => undefined);
      this.drop(CLOSE.internal, "internal fault");
    },
  };

  /** Nobody waits for it; one that cannot be stored ends the connection, not the process. */
  private report(body: MessageBody): void {
    this.outbox.report(body).catch((error: unknown) => this.unwritten(error));
  }

  private unwritten(error: unknown): void {
    if (this.isOver || this.suspending.signal.aborted || error instanceof LogLost) return;
    this.services.logger.error({ err: error, session: this.id }, "a live message could not be stored");
    this.drop(CLOSE.internal, "internal fault; reconnect to go on");
  }

  /** Audio that is stored but not in finals is heard again. */
  private async reload(states: Map<number, ChannelState>): Promise<void> {
    if (this.log.audio.total === 0) return;
    const starts = this.channels.map((_, channel) => ChannelStream.audioStart(states.get(channel)));
    const from = Math.min(...starts);
    if (this.reader.beginning) this.reader.startAt(from);
    let at = this.reader.beginning ? this.reader.byteFor(from) : 0;
    let sample = from;
    while (at < this.log.audio.total) {
      const bytes = await this.log.audio.read(at, Math.min(this.log.audio.total, at + RELOAD_BYTES));
      at += bytes.length;
      for (const pieces of this.reader.push(bytes)) {
        for (const [channel, samples] of pieces.entries()) {
          const skip = Math.max(0, Math.min(samples.length, (starts[channel] as number) - sample));
          this.channels[channel]?.append(samples.subarray(skip));
        }
        sample += pieces[0]?.length ?? 0;
      }
    }
  }

  // --- frames ---

  private inOrder(connection: Connection, task: () => Promise<void>): void {
    this.frames = this.frames
      .then(() => (connection === this.connection ? task() : undefined))
      .catch((error: unknown) => {
        if (this.isOver || error instanceof LogLost) return;
        this.services.logger.error({ err: error, session: this.id }, "a live frame could not be taken");
        this.drop(CLOSE.internal, "internal fault; reconnect to go on");
      });
  }

  private async take(frame: ClientFrame, connection: Connection): Promise<void> {
    this.clock.active();
    if (frame.kind === "audio") return this.takeAudio(frame.bytes, connection);
    if (frame.kind === "stop") return this.takeStop();
    if (frame.isChunk) await this.outbox.report(chunkRefused(frame.reason));
    await this.outbox.report(clientError("invalid_message", frame.reason));
  }

  private async takeAudio(bytes: Buffer, connection: Connection): Promise<void> {
    if (this.isStopped) return this.outbox.report(chunkRefused("the recording was stopped; no more audio is taken"));
    if (!(await this.services.space.hasRoom("begun")) && !(await this.waitForRoom())) return;
    const { range, fresh } = await this.heldBackWhile(this.intake.take(bytes, connection.number));
    const time = (byte: number) => rounded(this.reader.secondsAt(byte));
    // Nothing waits for the client to read it; one that came meanwhile did not send it.
    if (connection === this.connection) void this.outbox.report(chunkTaken(range, [time(range[0]), time(range[1])]));
    await this.hear(fresh);
  }

  /** Nothing is acknowledged that is not on disk: the client is held back. @returns false when the process stops first */
  private async waitForRoom(): Promise<boolean> {
    const { logger, space } = this.services;
    logger.error({ session: this.id }, "the disk is full: a live session waits");
    this.clock.hold();
    await space.room("begun", this.suspending.signal);
    if (this.suspending.signal.aborted) return false;
    this.clock.letOn();
    return true;
  }

  /** Where storing takes long, the client does not go on filling the memory. */
  private async heldBackWhile<Result>(task: Promise<Result>): Promise<Result> {
    const timer = setTimeout(() => this.clock.hold(), HOLD_MILLISECONDS);
    try {
      return await task;
    } finally {
      clearTimeout(timer);
      this.clock.letOn();
    }
  }

  private async hear(bytes: Buffer): Promise<void> {
    const isNew = this.reader.beginning === undefined;
    for (const pieces of this.reader.push(bytes)) {
      for (const [channel, samples] of pieces.entries()) this.channels[channel]?.append(samples);
    }
    const { beginning } = this.reader;
    if (isNew && beginning) await this.checkBeginning(beginning);
    this.clock.checkPressure();
  }

  private async checkBeginning(beginning: NonNullable<StreamReader["beginning"]>): Promise<void> {
    const { headerBytes, format } = beginning;
    await this.log.note({ kind: "format", headerBytes, format });
    const { refusal, warning } = contradictions(beginning, this.params.format);
    if (refusal) {
      this.drop(CLOSE.badAudio, refusal);
      return this.end();
    }
    if (warning) await this.outbox.report(clientError("invalid_audio_format", warning));
  }

  private async takeStop(): Promise<void> {
    if (this.stoppedOnThisConnection) return this.outbox.report(stopRefused("already stopped"));
    this.stoppedOnThisConnection = true;
    const wasStopped = this.isStopped;
    this.isStopped = true;
    if (!wasStopped) await this.log.note({ kind: "stop" });
    const left = Math.max(0, ...this.channels.map((channel) => channel.backlogSeconds));
    await this.outbox.report(stopTaken(this.durationSeconds, left));
    this.finish();
  }

  // --- the end ---

  private finish(): void {
    this.finishing ??= this.complete()
      .catch(async (error: unknown) => {
        if (this.isOver || this.suspending.signal.aborted || error instanceof LogLost) return;
        this.services.logger.error({ err: error, session: this.id }, "a live session could not be finished");
        this.drop(CLOSE.internal, "internal fault");
        await this.owner.failed(this.id, error);
      })
      .catch((error: unknown) => this.services.logger.error({ err: error, session: this.id }, "a live session is left"))
      // What is still asked of the recogniser is for partials that nobody waits for.
      .finally(() => this.stopChannels());
  }

  private async complete(): Promise<void> {
    for (const [channel, samples] of this.reader.flush().entries()) this.channels[channel]?.append(samples);
    await Promise.all(this.channels.map((channel) => channel.flush()));
    if (this.isOver) return;
    await this.addons.settled();
    const duration = rounded(this.durationSeconds);
    await this.outbox.tellOnce({ type: "end_recording", data: { recording_duration: duration } });
    const transcription = liveTranscription([...this.finals.values()]);
    await this.outbox.tellOnce({ type: "post_transcript", data: transcription });
    const { results, messages } = await this.addons.finish(transcription);
    const result = liveResult(transcription, results, {
      duration,
      channels: this.params.format.channels,
      seconds: (Date.now() - this.startedAt) / 1000,
    });
    for (const message of messages) await this.outbox.tellOnce(message);
    await this.outbox.tellOnce({ type: "post_final_transcript", data: result });
    await this.outbox.tellOnce({ type: "end_session" });
    await this.services.callbacks?.settled();
    await this.owner.ended(this.id, result, this);
    this.isOver = true;
    this.clock.stop();
    this.connection?.close(CLOSE.done, "session complete");
  }

  private stopChannels(): void {
    for (const channel of this.channels) channel.stop();
  }

  private leaveIdle(): void {
    // One that waits for the end is not idle.
    if (this.isStopped) return;
    this.drop(CLOSE.idle, "nothing came for too long");
    this.end().catch(() => undefined);
  }

  private drop(code: number, reason: string): void {
    this.connection?.close(code, reason);
    this.release();
  }

  private release(): void {
    this.connection = undefined;
    this.outbox.detach();
    this.clock.stopIdle();
  }
}
