// One live session from its creation to end_session, over any number of connections. Independent of WebSockets and
// HTTP: a connection is an object that accepts text. Messages are persisted before they are sent.
import { silentByte } from "../../audio/stream-format.ts";
import { errors, type ParlanceError } from "../../errors.ts";
import { callerWording } from "../../intelligence/caller-wording.ts";
import { respelled, spellingOf } from "../../intelligence/spelling.ts";
import { repaired, vocabularyTargets } from "../../intelligence/vocabulary.ts";
import { type VocabularyTerm, vocabularyOf } from "../../recognition/vocabulary.ts";
import { withNumerals } from "../../text/numerals/numerals.ts";
import { milliseconds, type Utterance, warningsOfRequest } from "../../transcript/transcript.ts";
import { ChannelStream } from "../channel/channel.ts";
import { type ChannelState, SAMPLE_RATE } from "../channel/channel-contract.ts";
import type { Enhancement } from "../channel/enhanced-input.ts";
import type { SpeechLanguage } from "../channel/spoken-language.ts";
import type { ClientFrame, MessageBody } from "../connection/protocol.ts";
import {
  headerWarning,
  type KnownStart,
  repeatedHeaderWarning,
  type Start,
  StreamReader,
} from "../connection/stream-reader.ts";
import { type JournalEntry, LogLost, type SessionLog } from "../log/log-contract.ts";
import { TurnClock } from "../turns/turn-clock.ts";
import { LiveAddons } from "./addons.ts";
import { translateToEnglish } from "./english-translation.ts";
import { ForeignSpeech } from "./foreign-speech.ts";
import { FrameQueue } from "./frame-queue.ts";
import { Intake } from "./intake.ts";
import {
  chunkAcknowledged,
  chunkRefused,
  clientError,
  enhancedMessage,
  languageMessage,
  stopAcknowledged,
  stopRefused,
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
import { SharedSources } from "./shared-sources.ts";
import { SignalWatch } from "./signal-watch.ts";

const RELOAD_BYTES = 1_048_576;
/** A channel state beyond this multiple of the longest session is damaged. */
const MOST_POSITION_FACTOR = 2;
/** Further unknown fields of frames are not reported. */
const MOST_REPORTED_FIELDS = 20;
/** If persisting a chunk takes longer, the connection is paused (back-pressure). */
const HOLD_MILLISECONDS = 1_000;
/**
 * Chunks that are not yet durable and so not acknowledged, each about 1 kB of memory: above this, no further frame is
 * accepted.
 */
const MOST_UNACKNOWLEDGED = 1_000;

export class Session implements EndedSession {
  private connection: Connection | undefined;
  private readonly channels: ChannelStream[] = [];
  private sources: SharedSources | undefined;
  /**
   * States of channels whose last utterances were transcribed in another channel; persisted with that channel's next
   * final.
   */
  private readonly carriedStates = new Map<number, ChannelState>();
  private readonly frames: FrameQueue;
  private readonly outbox: Outbox;
  private readonly finals = new Map<string, Utterance>();
  private readonly addons: LiveAddons;
  private readonly foreignSpeech: ForeignSpeech;
  private readonly spelling: ReturnType<typeof spellingOf>;
  private readonly vocabulary: VocabularyTerm[];
  private readonly callerWords: string[];
  private readonly hasNumerals: boolean;
  private readonly targets: ReturnType<typeof vocabularyTargets>;
  private isStopped = false;
  private stoppedOnThisConnection = false;
  /** Unknown fields that were reported to the client. */
  private readonly reportedFields = new Set<string>();
  private readonly intake: Intake;
  private readonly clock: SessionClock;
  private readonly turns: TurnClock;
  /** Turn ends in the journal of an earlier process, bytes. */
  private readonly knownTurnEnds: number[] = [];
  /** Resolves when the last chunk was acknowledged. */
  private acknowledging: Promise<void> = Promise.resolve();
  /** Whether the stream contains WAV headers after its start. */
  private repeatsHeader = false;
  private starting: Promise<void> | undefined;
  private finishing: Promise<void> | undefined;
  /** Code and reason for closing the connection when the session is complete. */
  private ending: [code: number, reason: string] = [CLOSE.done, "session complete"];
  private isOver = false;
  /** Number of slow storage operations for which the connection is paused. */
  private slowOperations = 0;
  private unacknowledged = 0;
  /** Another process took the session over, or it was deleted. */
  private hasLostOwnership = false;

  private constructor(
    readonly id: string,
    readonly params: SessionParams,
    readonly log: SessionLog,
    private readonly services: SessionServices,
    private readonly owner: SessionOwner,
    private reader: StreamReader,
    private readonly startedAt: number,
    private readonly signal: SignalWatch,
  ) {
    const collect = (message: MessageBody) => {
      if (message.type === "transcript") this.keepFinal(message.data.id, message.data.utterance);
      this.addons.observe(message);
    };
    const realtime = (params.request["realtime_processing"] ?? {}) as Record<string, unknown>;
    this.spelling = spellingOf(realtime);
    this.vocabulary = vocabularyOf(realtime);
    this.callerWords = callerWording(realtime);
    this.hasNumerals = realtime["numerals"] !== false;
    this.targets = vocabularyTargets(this.vocabulary);
    this.addons = new LiveAddons(params.request, services.accountId, services.addonRunner, {
      send: (message) => this.outbox.persistAndSend(message).catch((error: unknown) => this.handleStorageError(error)),
      translateToEnglish: (utterance) => this.translateToEnglish(utterance),
      report: (message) => this.report(message),
      fetchTranslation: async (source, targets) => (await services.fetchTranslation?.(source, targets)) ?? [],
    });
    this.foreignSpeech = new ForeignSpeech(services.multilingual, services.logger, {
      report: (message) => this.report(message),
      usePlan: (plan) => {
        for (const channel of this.channels) channel.usePlan(plan);
      },
    });
    this.outbox = new Outbox(id, params.flags, log, collect, services.callbacks);
    this.intake = new Intake(log.audio);
    const unheard = () => Math.max(...this.channels.map((channel) => channel.undetectedSeconds));
    this.clock = new SessionClock(services.timers, unheard, {
      idle: () => this.endIdle(),
      over: () => void this.end().catch(() => undefined),
      pause: () => this.connection?.pause(),
      resume: () => {
        if (!this.connection) return;
        this.connection.resume();
        // A paused client could not send.
        this.clock.active();
        this.turns.wasPaused();
      },
      isReceiving: () => this.connection?.isReceiving === true,
    });
    this.frames = new FrameQueue(
      (error) => this.handleFrameError(error),
      () => this.clock.hold("frames"),
      () => this.clock.release("frames"),
    );
    this.turns = new TurnClock(params.endpointingSeconds, {
      nearing: () => {
        for (const channel of this.channels) channel.anticipateTurnEnd();
      },
      ended: () => void this.endTurn().catch((error: unknown) => this.handleStorageError(error)),
      isPaused: () => this.clock.isPaused,
      afterFrames: (task) => this.frames.add(0, async () => task()),
    });
  }

  /** Opens a new session, or resumes one of an earlier process at the end of its journal. */
  static async open(
    id: string,
    params: SessionParams,
    log: SessionLog,
    services: SessionServices,
    owner: SessionOwner,
    startedAt: number,
  ): Promise<Session> {
    const known = log.entries.findLast((entry) => entry.kind === "format");
    const watch = new SignalWatch();
    const reader = new StreamReader(params.format, known, (bytes, format) => watch.push(bytes, format));
    const session = new Session(id, params, log, services, owner, reader, startedAt, watch);
    if (known?.repeatsHeader) await session.findHeaders(reader);
    const states = session.replay(log.entries);
    session.createChannels(states);
    await session.reload(states);
    for (const [id, utterance] of session.finals) session.addons.begin(id, utterance);
    if (session.isStopped) session.finish();
    // Starts the grace period: the session ends even if no client connects.
    else session.clock.disconnected();
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

  /** Format and headers of the stored bytes. */
  get stored(): Required<KnownStart> {
    const { headerBytes, format } = this.reader.beginning ?? { headerBytes: 0, format: this.params.format };
    return { headerBytes, format, headers: this.reader.headers };
  }

  /** Why the session has no words although there was speech. */
  get failure(): ParlanceError | undefined {
    return this.finals.size === 0 ? this.foreignSpeech.problem : undefined;
  }

  /** All messages except acknowledgments and partials. */
  get messages(): readonly string[] {
    return this.outbox.messages;
  }

  /** A newer connection replaces an older one. */
  async attach(connection: Connection): Promise<void> {
    const isNewest = connection.number > (this.connection?.number ?? 0);
    if (this.hasLostOwnership)
      return connection.close(CLOSE.restart, "another node has taken over the session; reconnect to resume");
    const replaced = isNewest ? this.connection : connection;
    replaced?.close(CLOSE.replaced, "replaced by a newer connection");
    if (!isNewest) return;
    this.connection = connection;
    this.stoppedOnThisConnection = false;
    this.clock.active();
    if (!this.isStopped) this.turns.connected(() => connection.arrival(), this.log.audio.total > 0);
    if (this.clock.isPaused) connection.pause();
    else connection.resume();
    // Frames are accepted while waiting messages are sent: a client that reads only after sending everything would
    // otherwise block for ever.
    const delivered = this.outbox.attach(connection).catch((error: unknown) => this.handleStorageError(error));
    this.starting ??= this.start().catch((error: unknown) => {
      this.starting = undefined;
      throw error;
    });
    await this.starting;
    this.turns.opened();
    if (!this.isOver || this.hasLostOwnership) return;
    await delivered;
    connection.close(...this.ending);
  }

  private async start(): Promise<void> {
    if (!this.outbox.has("start_recording")) {
      await this.owner.started(this.id);
      await this.outbox.persistAndSend({ type: "start_recording" });
    }
    this.clock.started();
  }

  /** Frames are processed one at a time, in the order of their arrival. */
  receive(connection: Connection, frame: ClientFrame): void {
    const bytes = frame.kind === "audio" ? frame.bytes.length : 0;
    this.enqueueFrame(connection, bytes, () => this.handleFrame(frame, connection));
  }

  /**
   * The connection was closed; frames received before still count. @param code  the client's close code; 1006 if the
   * connection broke
   */
  detach(connection: Connection, code: number): void {
    this.enqueueFrame(connection, 0, async () => {
      this.release();
      if (this.isOver || this.isStopped) return;
      // A normal close means stop_recording; after any other code the client may reconnect.
      if (code === CLOSE.done) await this.end();
      else this.clock.disconnected();
    });
  }

  /** Ends the session as stop_recording does. */
  async end(): Promise<void> {
    if (this.isStopped) return;
    await this.recordStop();
    this.finish();
  }

  /**
   * If the journal cannot store the stop, the session ends nevertheless; a later process then waits for the client
   * again.
   */
  private async recordStop(): Promise<void> {
    this.isStopped = true;
    this.turns.stop();
    await this.log.appendEntries({ kind: "stop" }).catch((error: unknown) => this.handleStorageError(error));
  }

  /** Closes the connection for good; the audio received so far is completed as after stop_recording. */
  endWithCode(code: number, reason: string): void {
    // Waiting frames are not acknowledged; the one being processed is completed first.
    this.dropConnection(code, reason);
    this.frames.add(0, () => this.end());
  }

  /** Called when the process stops: clients may reconnect to the next one. */
  async suspend(): Promise<void> {
    this.suspending.abort();
    this.log.stopRetrying();
    this.stopChannels();
    this.services.callbacks?.stop();
    this.clock.stop();
    this.dropConnection(CLOSE.restart, "the service restarts; reconnect to resume");
    await this.frames.settled();
    await this.outbox.settled();
    await this.log.close();
  }

  /** Called when the session was deleted or another machine took it over. */
  async relinquish(code: number, reason: string): Promise<void> {
    this.isOver = true;
    this.hasLostOwnership = true;
    this.connection?.close(code, reason);
    await this.suspend();
  }

  // Recovery from the log of an earlier process

  private replay(entries: JournalEntry[]): Map<number, ChannelState> {
    const states = new Map<number, ChannelState>();
    for (const entry of entries) {
      if (entry.kind === "channel") states.set(entry.channel, entry.state);
      if (entry.kind === "turn-end") this.knownTurnEnds.push(entry.at);
      if (entry.kind === "stop") this.isStopped = true;
    }
    this.outbox.replay(entries);
    // Without the format, the audio is read from its first byte.
    if (!entries.some((entry) => entry.kind === "format")) states.clear();
    const most = MOST_POSITION_FACTOR * (this.services.timers.maximumMilliseconds / 1000) * SAMPLE_RATE;
    for (const [channel, { position }] of states) if (position > most) states.delete(channel);
    return states;
  }

  private createChannels(states: Map<number, ChannelState>): void {
    const { format, plan, secondEnglishModel, threshold, endpointingSeconds, maximumSeconds, isEnhanced } = this.params;
    const count = this.reader.beginning?.format.channels ?? format.channels;
    const sources = new SharedSources(count, this.services.detection, this.suspending.signal);
    this.sources = sources;
    for (let channel = 0; channel < count; channel++) {
      const options = {
        channel,
        plan,
        ...(secondEnglishModel === undefined ? {} : { secondEnglishModel }),
        threshold,
        endpointingSeconds,
        maximumSeconds,
        includesPartials: this.includesPartials,
        vocabulary: this.vocabulary,
        sources,
        ...(isEnhanced ? { enhancedStream: `${this.id}:${channel}` } : {}),
      };
      this.channels.push(new ChannelStream(options, this.services, this.events, states.get(channel)));
    }
  }

  private keepFinal(id: string, utterance: Utterance): void {
    this.finals.set(id, utterance);
  }

  /** Writes numbers in digits and applies the caller's vocabulary and spellings; partials and finals alike. */
  private withCallerWording(recognized: Utterance): Utterance {
    const written = this.hasNumerals ? withNumerals(recognized, this.callerWords) : recognized;
    const repairedWords = repaired(written, this.targets);
    const spelled = respelled(repairedWords, this.spelling);
    // A final has words: one that consists of removed words only is sent as it was recognised.
    return spelled.words.length > 0 ? spelled : repairedWords;
  }

  /** Undefined if no model can translate. */
  private async translateToEnglish(utterance: Utterance): Promise<Utterance | undefined> {
    const { englishTranslator } = this.params;
    if (englishTranslator === undefined) return undefined;
    const english = await translateToEnglish(
      utterance,
      { audio: this.log.audio, stored: this.stored },
      this.services.recognition,
      englishTranslator,
    );
    return this.hasNumerals ? withNumerals(english, this.callerWords) : english;
  }

  private get includesPartials(): boolean {
    return this.params.flags.receive_partial_transcripts || this.services.callbacks?.includesPartials === true;
  }

  private readonly suspending = new AbortController();
  private readonly events = {
    speechStart: (channel: number, time: number) => this.report({ type: "speech_start", data: { time, channel } }),
    speechEnd: (channel: number, time: number) => this.report({ type: "speech_end", data: { time, channel } }),
    enhanced: (channel: number, range: [number, number], enhancement: Enhancement) =>
      this.report(enhancedMessage(channel, range, enhancement)),
    languageDetected: (channel: number, range: [number, number], detected: SpeechLanguage) =>
      this.report(languageMessage(channel, range, detected)),
    partial: (id: string, recognized: Utterance) => {
      const utterance = this.withCallerWording(recognized);
      this.report({ type: "transcript", data: { id, is_final: false, utterance } });
      this.addons.partial(id, utterance);
    },
    final: async (id: string, recognized: Utterance, state: ChannelState) => {
      const utterance = this.withCallerWording(recognized);
      await this.outbox.persistAndSend(
        { type: "transcript", data: { id, is_final: true, utterance } },
        ...this.channelEntries(utterance.channel, state),
      );
      this.addons.begin(id, utterance);
    },
    foreignSpeech: () => this.foreignSpeech.found(),
    carried: (channel: number, state: ChannelState) => void this.carriedStates.set(channel, state),
    failed: (error: unknown) => {
      if (this.isOver || this.suspending.signal.aborted || error instanceof LogLost) return;
      this.services.logger.error({ err: error, session: this.id }, "a live channel failed");
      this.owner.failed(this.id, error).catch(() => undefined);
      this.dropConnection(CLOSE.internal, "internal fault");
    },
  };

  /** Channel states to persist with a final. */
  private channelEntries(channel: number, state: ChannelState): JournalEntry[] {
    this.carriedStates.delete(channel);
    const others = [...this.carriedStates].map(([other, carried]) => ({ channel: other, state: carried }));
    this.carriedStates.clear();
    return [{ channel, state }, ...others].map((entry) => ({ kind: "channel", ...entry }));
  }

  /** Sends without waiting; an error while storing closes the connection, not the process. */
  private report(body: MessageBody): void {
    this.outbox.send(body).catch((error: unknown) => this.handleStorageError(error));
  }

  private handleStorageError(error: unknown): void {
    if (this.isOver || this.suspending.signal.aborted || error instanceof LogLost) return;
    this.services.logger.error({ err: error, session: this.id }, "a live message could not be stored");
    this.dropConnection(CLOSE.internal, "internal fault; reconnect to resume");
  }

  /** Finds the headers within the stream, which positions depend on. */
  private async findHeaders(reader: StreamReader): Promise<void> {
    for (let at = reader.beginning?.headerBytes ?? 0; at < this.log.audio.total; ) {
      const bytes = await this.log.audio.read(at, Math.min(this.log.audio.total, at + RELOAD_BYTES));
      reader.skim(bytes);
      at += bytes.length;
    }
    this.repeatsHeader = true;
  }

  /** Recognises stored audio that is not in finals. */
  private async reload(states: Map<number, ChannelState>): Promise<void> {
    await this.fillLostAudio(states);
    if (this.log.audio.total === 0) return;
    const starts = this.channels.map((_, channel) => ChannelStream.audioStart(states.get(channel)));
    const from = Math.min(...starts);
    const carriers = new Map<number, number>();
    for (const [channel, { carriedBy }] of states) if (carriedBy !== undefined) carriers.set(channel, carriedBy);
    this.sources?.resume(carriers, from);
    if (this.reader.beginning) this.reader.startAt(from);
    let at = this.reader.beginning ? this.reader.byteFor(from) : 0;
    let sample = from;
    const turnEnds = this.knownTurnEnds.filter((end) => end > at);
    while (at < this.log.audio.total) {
      const until = Math.min(this.log.audio.total, at + RELOAD_BYTES, turnEnds[0] ?? Number.POSITIVE_INFINITY);
      const bytes = await this.log.audio.read(at, until);
      at += bytes.length;
      for (const pieces of this.reader.push(bytes)) {
        await this.sources?.add(pieces);
        for (const [channel, samples] of pieces.entries()) {
          const skip = Math.max(0, Math.min(samples.length, (starts[channel] as number) - sample));
          this.channels[channel]?.append(samples.subarray(skip));
        }
        sample += pieces[0]?.length ?? 0;
      }
      if (at !== turnEnds[0]) continue;
      turnEnds.shift();
      // For a channel whose audio begins later, that turn is in the past.
      for (const [channel, start] of starts.entries()) if (sample >= start) this.channels[channel]?.endTurn();
    }
  }

  /** Replaces lost audio that finals were made from with silence, so that later audio keeps its time. */
  private async fillLostAudio(states: Map<number, ChannelState>): Promise<void> {
    const { audio } = this.log;
    if (!this.reader.beginning) return;
    const known = Math.max(0, ...[...states.values()].map(({ position }) => this.reader.byteFor(position)));
    const lostBytes = known - audio.total;
    if (lostBytes <= 0) return;
    this.services.logger.error(
      { session: this.id, lostBytes },
      "stored audio of a live session is lost; replaced by silence",
    );
    const silence = silentByte(this.reader.beginning.format);
    while (audio.total < known) await audio.append(Buffer.alloc(Math.min(RELOAD_BYTES, known - audio.total), silence));
  }

  // Frames

  private enqueueFrame(connection: Connection, bytes: number, task: () => Promise<void>): void {
    this.frames.add(bytes, async () => {
      if (connection === this.connection) await task();
    });
  }

  private handleFrameError(error: unknown): void {
    if (this.isOver || error instanceof LogLost) return;
    this.services.logger.error({ err: error, session: this.id }, "a live frame could not be processed");
    this.dropConnection(CLOSE.internal, "internal fault; reconnect to resume");
  }

  private async handleFrame(frame: ClientFrame, connection: Connection): Promise<void> {
    if (!this.outbox.hasRoom) await this.waitForClientToRead();
    const { callbacks } = this.services;
    if (callbacks?.hasRoom === false) await this.withBackPressure(callbacks.room());
    if (connection !== this.connection) return;
    this.clock.active();
    if (frame.kind !== "unreadable" && frame.unknownFields) await this.reportUnknown(frame.unknownFields);
    if (frame.kind === "audio") return this.handleAudio(frame.bytes, connection);
    if (frame.kind === "stop") return this.handleStop();
    if (frame.isChunk) void this.outbox.send(chunkRefused(frame.reason));
    await this.outbox.send(clientError("invalid_message", frame.reason));
  }

  /** Reports each unknown field once: clients that send one send it in every frame. */
  private async reportUnknown(names: readonly string[]): Promise<void> {
    const fresh = names.filter((name) => !this.reportedFields.has(name));
    if (fresh.length === 0 || this.reportedFields.size >= MOST_REPORTED_FIELDS) return;
    for (const name of fresh) this.reportedFields.add(name);
    await this.outbox.send(clientError("invalid_message", `unknown fields are ignored: ${fresh.join(", ")}`));
  }

  /** A client that does not read its acknowledgments is not read from either. */
  private async waitForClientToRead(): Promise<void> {
    this.clock.hold("unread");
    await this.outbox.room();
    this.clock.release("unread");
  }

  private async handleAudio(bytes: Buffer, connection: Connection): Promise<void> {
    if (this.isStopped) return this.outbox.send(chunkRefused("the recording was stopped; no more audio is accepted"));
    const refusal = this.reader.refusalOf(bytes);
    if (refusal !== undefined) return this.refuse(refusal);
    if (!(await this.services.space.hasRoom("begun")) && !(await this.waitForRoom())) return;
    const { range, fresh } = await this.withBackPressure(this.intake.take(bytes, connection.number));
    if (this.unacknowledged >= MOST_UNACKNOWLEDGED) await this.withBackPressure(this.log.audio.stored());
    this.acknowledging = this.acknowledge(range, connection);
    await this.processAudio(fresh);
    this.turns.received(this.reader.secondsAt(range[1]) - this.reader.secondsAt(range[0]));
  }

  /** The acknowledgment waits for the disk; recognition does not. */
  private async acknowledge(range: [number, number], connection: Connection): Promise<void> {
    const time = (byte: number) => milliseconds(this.reader.secondsAt(byte));
    const message = chunkAcknowledged(range, [time(range[0]), time(range[1])]);
    this.unacknowledged++;
    try {
      await this.withBackPressure(this.log.audio.stored());
    } catch (error) {
      this.handleStorageError(error);
      return;
    } finally {
      this.unacknowledged--;
    }
    // Not awaited, so a slow reader delays nothing. A connection that replaced this one did not send the chunk.
    if (connection === this.connection) void this.outbox.send(message);
  }

  /**
   * Pauses the connection while the disk is full: audio must be on disk before it is acknowledged. @returns false if
   * the process stops first
   */
  private async waitForRoom(): Promise<boolean> {
    const { logger, space } = this.services;
    logger.error({ session: this.id }, "the disk is full: a live session waits");
    this.holdForStorage();
    await space.room("begun", this.suspending.signal);
    if (this.suspending.signal.aborted) return false;
    this.releaseForStorage();
    return true;
  }

  private holdForStorage(): void {
    this.slowOperations++;
    this.clock.hold("storage");
  }

  private releaseForStorage(): void {
    if (--this.slowOperations === 0) this.clock.release("storage");
  }

  /** Pauses the connection while a storage operation is slow, which bounds memory. */
  private async withBackPressure<Result>(task: Promise<Result>): Promise<Result> {
    let isPaused = false;
    const timer = setTimeout(() => {
      isPaused = true;
      this.holdForStorage();
    }, HOLD_MILLISECONDS);
    try {
      return await task;
    } finally {
      clearTimeout(timer);
      if (isPaused) this.releaseForStorage();
    }
  }

  /** Recorded in the journal, so that a restart ends the turn at the same position. */
  private async endTurn(): Promise<void> {
    if (this.isStopped) return;
    for (const channel of this.channels) channel.endTurn();
    await this.log.appendEntries({ kind: "turn-end", at: this.log.audio.total });
  }

  private async processAudio(bytes: Buffer): Promise<void> {
    const isNew = this.reader.beginning === undefined;
    const knownHeaders = this.reader.headers.count;
    for (const pieces of this.reader.push(bytes)) {
      // Before the channels, so that a final is decided with all of its audio compared.
      await this.sources?.add(pieces);
      for (const [channel, samples] of pieces.entries()) this.channels[channel]?.append(samples);
    }
    const { beginning } = this.reader;
    if (beginning && (isNew || this.reader.headers.count > knownHeaders)) await this.recordHeaders(beginning, isNew);
    this.clock.checkPressure();
    const { warning } = this.signal;
    if (warning !== undefined) await this.warn(warning);
  }

  /** Records the detected format, and once that the stream contains further headers. */
  private async recordHeaders({ headerBytes, format }: Start, isNew: boolean): Promise<void> {
    const repeatsHeader = this.reader.headers.count > (headerBytes > 0 ? 1 : 0);
    const isFirst = repeatsHeader && !this.repeatsHeader;
    this.repeatsHeader ||= repeatsHeader;
    if (isNew || isFirst) {
      await this.log.appendEntries({
        kind: "format",
        headerBytes,
        format,
        ...(repeatsHeader ? { repeatsHeader } : {}),
      });
    }
    const warning = isNew ? headerWarning({ headerBytes, format }, this.params.format) : undefined;
    if (warning) await this.outbox.send(clientError("invalid_audio_format", warning));
    const { contradictingHeader } = this.reader;
    if (contradictingHeader) await this.warn(repeatedHeaderWarning(contradictingHeader, format));
  }

  /** A warning about the audio: sent once per session and kept in its result. */
  private async warn(warning: string): Promise<void> {
    if (this.outbox.has("error")) return;
    await this.outbox.persistAndSend(clientError("invalid_audio_format", warning));
  }

  /** The stream is unreadable: no more audio is accepted, and the job ends with an error. */
  private async refuse(reason: string): Promise<void> {
    this.isStopped = true;
    this.turns.stop();
    this.clock.stop();
    // Acknowledgments are sent in the order of the chunks.
    await this.acknowledging;
    await this.outbox.send(chunkRefused(reason));
    await this.outbox.persistAndSend(clientError("invalid_audio_format", reason));
    await this.owner.refused(this.id, errors.liveAudioUnreadable(reason), this);
    this.isOver = true;
    this.ending = [CLOSE.badAudio, reason];
    this.dropConnection(...this.ending);
    this.stopChannels();
  }

  private async handleStop(): Promise<void> {
    if (this.stoppedOnThisConnection) return this.outbox.send(stopRefused("already stopped"));
    this.stoppedOnThisConnection = true;
    if (!this.isStopped) await this.recordStop();
    const left = Math.max(0, ...this.channels.map((channel) => channel.backlogSeconds));
    await this.outbox.send(stopAcknowledged(this.durationSeconds, left));
    this.finish();
  }

  // End

  private finish(): void {
    this.finishing ??= this.complete()
      .catch(async (error: unknown) => {
        if (this.isOver || this.suspending.signal.aborted || error instanceof LogLost) return;
        this.services.logger.error({ err: error, session: this.id }, "a live session could not be completed");
        this.dropConnection(CLOSE.internal, "internal fault");
        await this.owner.failed(this.id, error);
      })
      .catch((error: unknown) =>
        this.services.logger.error(
          { err: error, session: this.id },
          "the failure of a live session could not be stored",
        ),
      )
      // Cancels the remaining recognition requests, which are for partials that are no longer needed.
      .finally(() => this.stopChannels());
  }

  private async complete(): Promise<void> {
    const rest = this.reader.flush();
    await this.sources?.add(rest);
    for (const [channel, samples] of rest.entries()) this.channels[channel]?.append(samples);
    await Promise.all(this.channels.map((channel) => channel.flush()));
    if (this.isOver) return;
    await this.addons.settled();
    const duration = milliseconds(this.durationSeconds);
    await this.outbox.persistAndSendOnce({ type: "end_recording", data: { recording_duration: duration } });
    const transcription = liveTranscription([...this.finals.values()]);
    await this.outbox.persistAndSendOnce({ type: "post_transcript", data: transcription });
    const { results, messages } = await this.addons.finish(transcription);
    const channels = this.sources?.distinctCount ?? this.params.format.channels;
    const recording = { duration, channels, seconds: (Date.now() - this.startedAt) / 1000 };
    const { problem } = this.foreignSpeech;
    const warnings = [...warningsOfRequest(this.params.request), ...(problem ? [problem.message] : [])];
    const result = liveResult(transcription, results, recording, warnings);
    for (const message of messages) await this.outbox.persistAndSendOnce(message);
    await this.outbox.persistAndSendOnce({ type: "post_final_transcript", data: result });
    await this.outbox.persistAndSendOnce({ type: "end_session" });
    await this.services.callbacks?.settled();
    await this.owner.ended(this.id, result, this);
    this.isOver = true;
    this.clock.stop();
    this.connection?.close(...this.ending);
    // A client that reconnects for the last messages is not idle.
    this.ending = [CLOSE.done, "session complete"];
  }

  private stopChannels(): void {
    for (const channel of this.channels) channel.stop();
  }

  private endIdle(): void {
    // A client that waits for the end is not idle.
    if (this.isStopped) return;
    // The connection stays open until the last messages are sent.
    this.ending = [CLOSE.idle, "no frame was received for too long; the session is complete"];
    this.end().catch((error: unknown) => this.handleStorageError(error));
  }

  /** Closes the connection. If the client does not reconnect, the session ends. */
  private dropConnection(code: number, reason: string): void {
    this.connection?.close(code, reason);
    this.release();
    if (!this.isOver && !this.isStopped && !this.suspending.signal.aborted) this.clock.disconnected();
  }

  private release(): void {
    this.connection = undefined;
    this.outbox.detach();
    this.clock.stopIdle();
    this.turns.stop();
  }
}
