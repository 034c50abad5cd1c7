// Ends a session: by its client, by a timer, by a withdrawn right, or because its audio is unreadable. It stores the stop, completes the
// transcript, has the end stored, and closes the connection with what was kept. The end is the same in every process: a later owner
// that finds the stop in the journal continues here.
import { milliseconds } from "../../../../contract/transcript/transcript.ts";
import { errors, isLogLost } from "../../../../platform/errors.ts";
import { within } from "../../../../platform/process/within.ts";
import type { StreamReader } from "../../audio/stream-reader.ts";
import type { ClientCommand } from "../../events/client-command.ts";
import type { Closing, StopCause } from "../../events/closing.ts";
import type { SessionLog } from "../../log/log-contract.ts";
import type { TurnClock } from "../../turns/turn-clock.ts";
import type { AudioInput } from "../audio-input.ts";
import type { BackPressure } from "../back-pressure.ts";
import type { LiveTranscript } from "../live-transcript.ts";
import type { SessionChannels } from "../session-channels.ts";
import type { SessionClock } from "../session-clock.ts";
import type { Connection, EndedSession, SessionOwner, SessionParams, SessionServices } from "../session-contract.ts";
import type { SessionMachine } from "../session-state.ts";
import { persistClosingEvents } from "./closing-events.ts";
import { FinalClosing } from "./final-closing.ts";

/** The session, and those of its parts that the end stops or completes. */
export interface EndParts {
  session: EndedSession & { readonly id: string; readonly durationSeconds: number };
  params: Pick<SessionParams, "request">;
  machine: SessionMachine;
  log: SessionLog;
  reader: StreamReader;
  channels: SessionChannels;
  transcript: LiveTranscript;
  input: AudioInput;
  clock: SessionClock;
  pressure: BackPressure;
  turns: TurnClock;
  owner: SessionOwner;
  services: Pick<SessionServices, "callbacks" | "logger" | "recordFormat" | "viewers">;
  /** When the session started, milliseconds. */
  startedAt: number;
  /** Aborted when the process stops. */
  suspending: AbortSignal;
  connection(): Connection | undefined;
  drop(closing: Closing): void;
  onStorageError(error: unknown): void;
}

/** After `recordingEnded`, a connection waits so long for corrections of the live speakers. Its client waits for a few seconds at most. */
const CORRECTIONS_MILLISECONDS = 500;
/** Bounds the wait for the database before the connection is closed. */
const SERVED_MILLISECONDS = 500;

export class SessionEnd {
  private readonly closing: FinalClosing;
  private isStoppedByConnection = false;
  /** Whether `recordingEnded` and the corrections that follow it were emitted. */
  private isRecorded = false;
  private noting: Promise<void> | undefined;

  /** @param cause  of a session that an earlier process stopped */
  constructor(
    private readonly parts: EndParts,
    cause: StopCause | undefined,
  ) {
    this.closing = new FinalClosing(cause);
  }

  /** A connection was accepted. */
  attached(): void {
    this.isStoppedByConnection = false;
    this.closing.attached();
  }

  /** The current connection received a command. */
  receives(command: ClientCommand): void {
    this.closing.receives(command);
  }

  /** Audio of the current connection is in the log. */
  stores(bytes: number): void {
    this.closing.stores(bytes);
  }

  /** Closes a connection after the last messages of a session whose end is stored. */
  close(connection: Connection | undefined): void {
    this.closing.close(connection, this.parts.session.durationSeconds);
  }

  /** Whether every event that the connection prints was emitted, though the end is not stored. */
  isOver({ lastEvent = "sessionEnded" }: Connection): boolean {
    return lastEvent !== "sessionEnded" && this.isRecorded;
  }

  /** Closes the connection while the result is made. */
  dismiss(): void {
    this.closing.close({ close: (closing) => this.parts.drop(closing) }, this.parts.session.durationSeconds);
  }

  /** Ends the session as stop_recording does. */
  async stop(cause: StopCause): Promise<void> {
    if (await this.recordStop(cause)) this.finish();
  }

  /** The client sent the command. */
  async stopForClient(): Promise<void> {
    const { channels, session, transcript } = this.parts;
    const { outbox } = transcript;
    if (this.isStoppedByConnection) return outbox.send({ kind: "stopRefused", reason: "already stopped" });
    this.isStoppedByConnection = true;
    await this.recordStop("client");
    const recordedSeconds = milliseconds(session.durationSeconds);
    const remainingSeconds = milliseconds(channels.backlogSeconds);
    await outbox.send({ kind: "stopAccepted", recordedSeconds, remainingSeconds });
    this.finish();
  }

  /** The client has been silent for too long. */
  stopIdle(): void {
    // A client that waits for the end is not idle.
    if (!this.parts.machine.isRecording) return;
    // The connection stays open until the last messages are sent.
    this.stop("idle").catch((error: unknown) => this.parts.onStorageError(error));
  }

  /** The stream is unreadable: no more audio is accepted, and the job ends with an error. */
  async refuse(reason: string): Promise<void> {
    const { channels, drop, input, machine, owner, session, transcript, turns } = this.parts;
    if (!machine.apply("refuse")) return;
    turns.stop();
    this.stopTimers();
    // Acknowledgments are sent in the order of the chunks.
    await input.acknowledged();
    await transcript.outbox.send({ kind: "chunkRefused", reason });
    await transcript.outbox.persistAndSend({ kind: "error", code: "invalid_audio_format", reason });
    await owner.refused(session.id, errors.liveAudioUnreadable(reason), session);
    machine.apply("complete");
    drop(this.closing.refuses({ kind: "unreadableAudio", reason }));
    channels.stop();
  }

  /** The stop is stored, or cannot be: completes the session in the background. */
  finish(): void {
    const { channels, drop, machine, owner, services, session } = this.parts;
    if (!machine.apply("stopStored")) return;
    const logged = { session: session.id };
    this.complete()
      .catch(async (error: unknown) => {
        if (machine.isClosed || isLogLost(error)) return;
        services.logger.error({ err: error, ...logged }, "a live session could not be completed");
        drop({ kind: "failed" });
        await owner.failed(session.id, error);
      })
      .catch((error: unknown) =>
        services.logger.error({ err: error, ...logged }, "the failure of a live session could not be stored"),
      )
      // Cancels the remaining recognition requests, which are for partials that are no longer needed.
      .finally(() => channels.stop());
  }

  /**
   * If the journal cannot store the stop, the session ends nevertheless; a later process then waits for the client
   * again. @returns false if the session was stopped already
   */
  private async recordStop(cause: StopCause): Promise<boolean> {
    const { input, log, machine, onStorageError, turns } = this.parts;
    if (!machine.apply("stop")) return false;
    this.closing.stops(cause);
    turns.stop();
    // The acknowledgments of all chunks precede the messages about the end.
    await input.acknowledged();
    await log.appendEntries({ kind: "stop", cause }).catch(onStorageError);
    return true;
  }

  private async complete(): Promise<void> {
    const { channels, connection, input, machine, owner, params, reader, services, session, startedAt } = this.parts;
    await input.end();
    await channels.append(reader.flush());
    await channels.flush();
    await input.finish();
    if (machine.isReleased) return;
    const { transcript, suspending } = this.parts;
    const { finals, outbox, addons } = transcript;
    const { durationSeconds } = session;
    const result = await persistClosingEvents({
      request: params.request,
      finals,
      outbox,
      format: services.recordFormat,
      addons,
      callbacks: services.callbacks,
      viewers: services.viewers,
      durationSeconds,
      recorded: () => this.recorded(),
      diarize: (transcription) => transcript.diarize(transcription, durationSeconds, suspending),
      channelCount: channels.distinctCount,
      startedAt,
      warnings: () => transcript.warnings,
    });
    await owner.ended(session.id, result, session);
    machine.apply("complete");
    this.stopTimers();
    this.close(connection());
  }

  /** A client whose messages are complete does not wait for the result: it would leave after a few seconds. */
  private async recorded(): Promise<void> {
    const { connection, transcript } = this.parts;
    if (connection()?.lastEvent === "speakersRevised") {
      await within(CORRECTIONS_MILLISECONDS, transcript.speakersFinished()).catch(() => undefined);
    }
    await transcript.outbox.settled();
    this.isRecorded = true;
    const current = connection();
    if (current && !this.isOver(current)) return;
    // Its client may begin another session at once, in any process.
    await within(SERVED_MILLISECONDS, this.noteServed()).catch(() => undefined);
    const last = connection();
    if (last && this.isOver(last)) this.dismiss();
  }

  /** The client left. */
  async left(): Promise<void> {
    if (this.isRecorded && this.parts.machine.isIn("finishing")) await this.noteServed();
  }

  /** If the database does not answer, the session counts against the limit of its account until its result is stored. */
  private noteServed(): Promise<void> {
    const { owner, session } = this.parts;
    this.noting ??= owner.served(session.id).catch(() => {
      this.noting = undefined;
    });
    return this.noting;
  }

  private stopTimers(): void {
    this.parts.clock.stop();
    this.parts.pressure.stop();
  }
}
