// One live session from its creation to its end, over any number of connections. Accepts commands and emits events, which are persisted
// before they are sent; a connection prints them in the dialect of its client. session-state.ts has its states.

import { milliseconds } from "../../../contract/transcript/transcript.ts";
import { isLogLost, type ParlanceError } from "../../../platform/errors.ts";
import type { Steps } from "../../../platform/process/steps.ts";
import { SignalWatch } from "../../../speech/audio/signal-watch.ts";
import { type KnownStart, StreamReader } from "../audio/stream-reader.ts";
import { type ClientCommand, type Departure, heldBytes } from "../events/client-command.ts";
import type { Closing, StopCause } from "../events/closing.ts";
import type { SessionLog } from "../log/log-contract.ts";
import { TurnClock } from "../turns/turn-clock.ts";
import { type AudioChunk, AudioInput } from "./audio-input.ts";
import { BackPressure } from "./back-pressure.ts";
import { SessionEnd } from "./end/session-end.ts";
import { FrameQueue } from "./frame-queue.ts";
import { FrameReports } from "./frame-reports.ts";
import { LiveTranscript } from "./live-transcript.ts";
import type { Outbox } from "./outbox.ts";
import { fillLostAudio, findHeaders, type RecoveredState, recoveredState } from "./recovery.ts";
import { mostPosition, SessionChannels } from "./session-channels.ts";
import { SessionClock } from "./session-clock.ts";
import type { Connection, EndedSession, SessionOwner, SessionParams, SessionServices } from "./session-contract.ts";
import { SessionMachine, type SessionState } from "./session-state.ts";
import { TurnEnds } from "./turn-ends.ts";

type OtherCommand = Exclude<ClientCommand, { kind: "audio" }>;

export class Session implements EndedSession {
  private readonly machine: SessionMachine;
  private connection: Connection | undefined;
  private readonly channels: SessionChannels;
  private readonly frames: FrameQueue<AudioChunk>;
  private readonly reports: FrameReports;
  private readonly transcript: LiveTranscript;
  private readonly outbox: Outbox;
  private readonly input: AudioInput;
  private readonly pressure: BackPressure;
  private readonly clock: SessionClock;
  private readonly turns: TurnClock;
  private readonly turnEnds: TurnEnds;
  private readonly suspending = new AbortController();
  private starting: Promise<void> | undefined;
  private readonly ending: SessionEnd;

  private constructor(
    readonly id: string,
    readonly params: SessionParams,
    readonly log: SessionLog,
    private readonly services: SessionServices,
    private readonly owner: SessionOwner,
    private readonly reader: StreamReader,
    private readonly startedAt: number,
    signal: SignalWatch,
    recovered: RecoveredState,
  ) {
    this.machine = new SessionMachine(recovered.isStopped ? "stopping" : "new");
    this.transcript = new LiveTranscript({
      id,
      params,
      log,
      services,
      stored: () => this.stored,
      channels: () => this.channels,
      ...{ isRecording: () => this.machine.isRecording, seconds: () => this.durationSeconds },
      handleStorageError: (error) => this.handleStorageError(error),
    });
    this.outbox = this.transcript.outbox;
    this.reports = new FrameReports(this.outbox);
    this.pressure = this.createPressure();
    this.clock = this.createClock();
    this.frames = new FrameQueue<AudioChunk>({
      process: (chunks) => this.handleAudio(chunks),
      onFailed: (error) => this.interrupt(error, "a live frame could not be processed"),
      onWaiting: (bytes) => this.pressure.framesWait(bytes),
      ticks: services.ticks,
    });
    this.turns = new TurnClock(this.transcript.changes.endpointingSeconds, {
      nearing: () => this.channels.anticipateTurnEnd(),
      ended: () => void this.turnEnds.end().catch((error: unknown) => this.handleStorageError(error)),
      isPaused: () => this.pressure.isPaused,
      afterFrames: (task) => this.frames.add(0, async () => task()),
    });
    this.channels = this.createChannels(recovered);
    const { channels, outbox, clock, turns, pressure } = this;
    const onStorageError = (error: unknown) => this.handleStorageError(error);
    const isRecording = () => this.machine.isRecording;
    const { signal: suspended } = this.suspending;
    this.turnEnds = new TurnEnds({ log, channels, outbox, pressure, signal: suspended, isRecording, onStorageError });
    this.input = new AudioInput(
      { params, log, reader, channels, outbox, turns, signal, pressure },
      log.entries.some((entry) => entry.kind === "format" && entry.repeatsHeader === true),
      onStorageError,
    );
    const { input, machine, transcript } = this;
    this.ending = new SessionEnd(
      {
        ...{
          session: this,
          params,
          machine,
          log,
          reader,
          channels,
          transcript,
          input,
          clock,
          pressure,
          turns,
          owner,
          services,
        },
        ...{ startedAt, suspending: this.suspending.signal, onStorageError },
        connection: () => this.connection,
        drop: (closing) => this.dropConnection(closing),
      },
      recovered.stopCause,
    );
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
    const mixes = params.compression?.encoding === "container";
    const reader = new StreamReader(params.format, known, (bytes, format) => watch.push(bytes, format), mixes);
    if (known?.repeatsHeader) await findHeaders(log.audio, reader);
    const stored = reader.beginning ? reader.secondsAt(log.audio.total) : 0;
    const recovered = recoveredState(log.entries, mostPosition(stored, services.timers.maximumMilliseconds));
    const session = new Session(id, params, log, services, owner, reader, startedAt, watch, recovered);
    const stop = () => session.stopWaiting();
    services.stopping?.addEventListener("abort", stop);
    try {
      services.stopping?.throwIfAborted();
      await session.resume(recovered);
    } catch (error) {
      session.stopWaiting();
      await session.stopWork();
      throw error;
    } finally {
      services.stopping?.removeEventListener("abort", stop);
    }
    return session;
  }

  private async resume({ channels, turnEnds, isStopped }: RecoveredState): Promise<void> {
    const { log, reader, services } = this;
    await this.transcript.changes.prepareText();
    await fillLostAudio(log.audio, reader, channels, services.logger.child({ session: this.id }));
    // Later events wait for it. The opening does not: the disk may be full.
    void this.outbox.resume().catch((error: unknown) => this.handleStorageError(error));
    await this.channels.reload(log.audio, reader, turnEnds);
    this.suspending.signal.throwIfAborted();
    this.transcript.resumeAddons();
    if (isStopped) this.ending.finish();
    // Starts the grace period: the session ends even if no client connects.
    else this.clock.disconnected();
  }

  private createPressure(): BackPressure {
    const { space, logger } = this.services;
    return new BackPressure({
      ...{ sessionId: this.id, space, logger },
      undetectedSeconds: () => this.channels.undetectedSeconds,
      pause: () => this.connection?.pause(),
      resume: () => {
        if (!this.connection) return;
        this.connection.resume();
        // A paused client could not send.
        this.clock.active();
        this.turns.wasPaused();
      },
    });
  }

  private createClock(): SessionClock {
    return new SessionClock(this.services.timers, {
      idle: () => this.ending.stopIdle(),
      over: (cause) => void this.end(cause).catch(() => undefined),
      mayReturn: () => this.services.mayReturn?.() !== false,
      maySend: () => !this.pressure.isPaused && this.connection?.isReceiving !== true,
    });
  }

  private createChannels({ channels }: RecoveredState): SessionChannels {
    const { format, threshold, maximumSeconds, isEnhanced } = this.params;
    const options = {
      ...{ threshold, maximumSeconds },
      ...(isEnhanced ? { enhancedStreams: this.id } : {}),
      ...this.transcript.channelOptions,
    };
    const events = this.transcript.channelEvents((error) => this.handleChannelFailure(error));
    return new SessionChannels(format.channels, options, this.services, events, channels, this.suspending.signal);
  }

  get state(): SessionState {
    return this.machine.state;
  }

  get isConnected(): boolean {
    return this.connection !== undefined;
  }

  /** Whether no client waits for a message of this session: its result is being made. */
  get hasServedClient(): boolean {
    return this.machine.isIn("finishing") && !this.isConnected && this.outbox.has("recordingEnded");
  }

  get isReleased(): boolean {
    return this.machine.isReleased;
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
    return this.transcript.finals.size === 0 ? this.transcript.problem : undefined;
  }

  /** Persisted events in the record format. */
  messages(): Steps<string[]> {
    return this.outbox.messages();
  }

  // Connections

  /** A newer connection replaces an older one. */
  async attach(connection: Connection): Promise<void> {
    const isNewest = connection.number > (this.connection?.number ?? 0);
    if (this.machine.isIn("moved")) return connection.close({ kind: "moved" });
    (isNewest ? this.connection : connection)?.close({ kind: "replaced" });
    if (!isNewest) return;
    if (!this.machine.apply("connect")) return connection.close({ kind: "restarting" });
    if (!this.connection) this.services.ticks?.clientConnected();
    this.connection = connection;
    this.ending.attached();
    this.clock.active();
    if (this.machine.isRecording)
      this.turns.connected(() => connection.turnMayEnd?.() ?? connection.arrival(), this.log.audio.total > 0);
    if (this.pressure.isPaused) connection.pause();
    else connection.resume();
    // Frames are accepted meanwhile: a client that reads only after sending everything would otherwise block forever.
    const delivered = this.outbox.attach(connection).catch((error: unknown) => this.handleStorageError(error));
    this.transcript.connected();
    // A session that ended without a client has no start: it would follow its end.
    if (this.machine.isRecording) {
      this.starting ??= this.start().catch((error: unknown) => {
        this.starting = undefined;
        // Until its client returns, it is away, not idle.
        this.dropConnection({ kind: "interrupted" });
        throw error;
      });
    }
    await this.starting;
    this.turns.opened();
    if (!this.machine.isIn("ended") && !this.ending.isOver(connection)) return;
    await delivered;
    if (this.machine.isIn("ended")) this.ending.close(connection);
    // Only the result is not stored yet.
    else if (connection === this.connection) this.ending.dismiss();
  }

  private async start(): Promise<void> {
    const isNew = !this.outbox.has("recordingStarted");
    if (isNew) {
      await this.owner.started(this.id);
      await this.outbox.persistAndSend({ kind: "recordingStarted" });
    }
    this.clock.started(isNew ? 0 : Date.now() - this.startedAt);
  }

  /** The connection was closed; frames received before still count. */
  detach(connection: Connection, departure: Departure): void {
    this.enqueueFrame(connection, 0, async () => {
      this.release();
      if (departure === "finished") await this.end("client");
      else this.becomeAway();
    });
  }

  /** Closes the connection. If the client does not reconnect, the session ends. */
  dropConnection(closing: Closing): void {
    this.connection?.close(closing);
    this.release();
    this.becomeAway();
  }

  private becomeAway(): void {
    this.machine.apply("disconnect");
    if (this.machine.waitsForClient) this.clock.disconnected();
    void this.ending.left();
  }

  private release(): void {
    if (this.connection) this.services.ticks?.clientLeft();
    this.connection = undefined;
    this.outbox.detach();
    this.clock.stopIdle();
    this.turns.stop();
  }

  // Commands

  /** Commands are processed one at a time, in the order of their arrival. */
  receive(connection: Connection, command: ClientCommand): void {
    if (connection === this.connection) this.ending.receives(command);
    if (command.kind === "audio") this.frames.addChunk({ ...command, source: connection });
    else this.enqueueFrame(connection, heldBytes(command), () => this.handleCommand(command, connection));
  }

  private enqueueFrame(connection: Connection, bytes: number, task: () => Promise<void>): void {
    this.frames.add(bytes, async () => {
      if (connection === this.connection) await task();
    });
  }

  /** Resolves when frames of the connection may be processed. @returns whether it still is the session's */
  private async mayProcess(connection: Connection): Promise<boolean> {
    await this.pressure.untilQueuesHaveRoom(this.outbox, this.services.callbacks);
    if (connection !== this.connection) return false;
    this.clock.active();
    return true;
  }

  private async handleCommand(command: OtherCommand, connection: Connection): Promise<void> {
    if (!(await this.mayProcess(connection))) return;
    if (command.kind === "answer") {
      const { reached } = this.input;
      return this.outbox.answer(() => command.print(reached));
    }
    if (command.kind === "refuse") return this.ending.refuse(command.reason);
    if (command.kind !== "unreadable" && command.unknownFields) await this.reports.unknownFields(command.unknownFields);
    if (command.kind === "stop") return this.ending.stopForClient();
    if (command.kind === "finalize") return this.turnEnds.finalize(milliseconds(this.durationSeconds));
    if (command.kind === "configure") {
      const change = typeof command.change === "function" ? command.change() : command.change;
      return change && this.transcript.changes.configure(change, this.turns);
    }
    await this.reports.unreadable(command);
  }

  /** @param chunks  of one connection */
  private async handleAudio(chunks: readonly AudioChunk[]): Promise<void> {
    const [{ source: connection }] = chunks as [AudioChunk];
    if (connection !== this.connection || !(await this.mayProcess(connection))) return;
    const unknown = chunks.flatMap(({ unknownFields = [] }) => unknownFields);
    if (unknown.length > 0) await this.reports.unknownFields(unknown);
    if (!this.machine.isRecording) return this.refuseAudio(chunks.length);
    if (!(await this.pressure.untilDiskHasRoom(this.suspending.signal))) return;
    const { refused, isOver } = await this.input.accept(chunks, () => connection === this.connection);
    if (refused !== undefined) return this.ending.refuse(refused);
    if (isOver) return this.end("length");
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
    if (connection === this.connection) this.ending.stores(bytes);
  }

  private async refuseAudio(chunks: number): Promise<void> {
    const reason = "the recording was stopped; no more audio is accepted";
    for (let chunk = 0; chunk < chunks; chunk++) await this.outbox.send({ kind: "chunkRefused", reason });
  }

  // Failures

  private handleChannelFailure(error: unknown): void {
    if (this.machine.isClosed || isLogLost(error)) return;
    this.services.logger.error({ err: error, session: this.id }, "a live channel failed");
    this.owner.failed(this.id, error).catch(() => undefined);
    this.dropConnection({ kind: "failed" });
  }

  private handleStorageError(error: unknown): void {
    this.interrupt(error, "a live event could not be stored");
  }

  private interrupt(error: unknown, what: string): void {
    if (this.machine.isClosed || isLogLost(error)) return;
    this.services.logger.error({ err: error, session: this.id }, what);
    this.dropConnection({ kind: "interrupted" });
  }

  // End

  /** Ends the session as stop_recording does. */
  end(cause: StopCause): Promise<void> {
    return this.ending.stop(cause);
  }

  /** Closes the connection for good; the audio received so far is completed as after stop_recording. */
  endAndClose(): void {
    // Waiting frames are not acknowledged; the one being processed is completed first.
    this.dropConnection({ kind: "revoked" });
    this.frames.add(0, () => this.end("revoked"));
  }

  // Shutdown and loss

  /** Called when the process stops: clients may reconnect to the next one. */
  async suspend(): Promise<void> {
    this.machine.apply("suspend");
    await this.closeLog();
  }

  /** Called when the session was deleted or another machine took it over. */
  async relinquish(closing: Closing): Promise<void> {
    this.machine.apply("lose");
    this.connection?.close(closing);
    await this.closeLog();
  }

  private async closeLog(): Promise<void> {
    await this.stopWork();
    await this.log.close();
  }

  /** Called when the process stops while the session is opened: writes that fail are not retried. */
  private stopWaiting(): void {
    this.machine.apply("suspend");
    this.suspending.abort();
    this.log.stopRetrying();
  }

  private async stopWork(): Promise<void> {
    this.suspending.abort();
    this.log.stopRetrying();
    this.channels.stop();
    this.services.callbacks?.stop();
    this.services.viewers?.stop();
    this.clock.stop();
    this.pressure.stop();
    this.dropConnection({ kind: "restarting" });
    await this.frames.settled();
    await this.outbox.settled();
  }
}
