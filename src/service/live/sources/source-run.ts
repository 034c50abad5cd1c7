// Runs the source of one session, in the process that owns the session: connects, reads, connects again, until the session ends.
import type { Logger } from "pino";
import { type ParlanceError, toParlanceError } from "../../../platform/errors.ts";
import { sleep } from "../../../platform/process/sleep.ts";
import { isStopRequested } from "../../../platform/storage/db/jobs/live-sessions.ts";
import { mustWait, whenPossible } from "../../../platform/storage/when-possible.ts";
import { nextConnectionNumber } from "../connection/connection-numbers.ts";
import type { Reached } from "../events/client-command.ts";
import type { Closing, ClosingKind } from "../events/closing.ts";
import type { Session } from "../session/session.ts";
import { ViewerRecord } from "../viewers/viewer-record.ts";
import { Captions } from "./captions.ts";
import type { SourceAudio } from "./source-audio.ts";
import { PAUSE_SECONDS, SourceConnection } from "./source-connection.ts";
import { SourceReading, type SourceServices, type WantedSource } from "./source-reading.ts";

const TICK_MILLISECONDS = 1_000;
/** After this time without audio, the session receives empty chunks, so that it does not end for inactivity. */
const QUIET_SECONDS = 2;
const [FIRST_PAUSE_MILLISECONDS, MOST_PAUSE_MILLISECONDS] = [500, 10_000];
const ATTACH_PAUSE_MILLISECONDS = 1_000;
/** Times that a source may make the decoder process crash or hang. */
const MOST_DECODER_LOSSES = 3;
/** Before its first audio, a session ends after so many connections in a row that the server ends without audio. A server that restarts causes one. */
const MOST_ABSENCES = 3;
/** Most finals are sent within this time after their utterance. A part of the captions does not wait longer: later finals are in the next one. */
const FINAL_SECONDS = 2;

/** The session has not ended, and may be connected to again. */
const PASSING: ReadonlySet<ClosingKind> = new Set<ClosingKind>(["interrupted", "restarting", "unread"]);

export class SourceRun {
  private readonly captions: Captions;
  private readonly logger: Logger;
  private connection: SourceConnection | undefined;
  private reading: SourceReading | undefined;
  private losses = 0;
  private absences = 0;
  /** The reason of the last failure to read the source. */
  private failure: string | undefined;
  private isStopping: boolean;
  private isChecking = false;
  /** Longest utterance, with the silence that ends it. */
  private readonly utteranceSeconds: number;

  /** @param stopping  the process stops */
  constructor(
    private readonly services: SourceServices,
    private readonly session: Session,
    private readonly source: WantedSource,
    private readonly stopping: AbortSignal,
  ) {
    const { database, feeds, format, logger } = services;
    this.captions = new Captions(database, new ViewerRecord(database, session.id, format, feeds));
    // An earlier process stopped the session: the rest of its audio is recognised now.
    this.isStopping = session.state === "stopping";
    this.logger = logger.child({ session: session.id });
    const { maximumSeconds, endpointingSeconds, turns } = session.params;
    this.utteranceSeconds = maximumSeconds + Math.max(endpointingSeconds, turns?.maximumSeconds ?? 0);
  }

  /** Resolves when the session has ended, or belongs to another process. */
  async run(): Promise<void> {
    const { session, stopping } = this;
    const ticking = setInterval(() => this.tick(), TICK_MILLISECONDS).unref();
    const end = () => this.reading?.end();
    stopping.addEventListener("abort", end, { once: true });
    try {
      await this.whenPossible(() => this.captions.open());
      while (!stopping.aborted) {
        const closing = await this.connected();
        if (!PASSING.has(closing.kind) || session.isReleased) break;
        await sleep(ATTACH_PAUSE_MILLISECONDS, stopping);
      }
      if (!stopping.aborted && !session.log.isLost)
        await this.whenPossible(() => this.captions.publish(Number.POSITIVE_INFINITY));
    } catch (error) {
      if (!stopping.aborted) throw error;
    } finally {
      clearInterval(ticking);
      stopping.removeEventListener("abort", end);
    }
  }

  private whenPossible(task: () => Promise<void>): Promise<void> {
    return whenPossible(task, this.stopping, (error) =>
      this.logger.warn({ err: error }, "the captions of a source wait for the database"),
    );
  }

  /** The session ends with the audio so far. */
  stop(): void {
    if (this.isStopping) return;
    this.isStopping = true;
    this.reading?.end();
    if (!this.connection) return;
    this.reading?.audio.finishReports();
    this.session.receive(this.connection, { kind: "stop" });
  }

  private async connected(): Promise<Closing> {
    const { services, session, source, captions, stopping } = this;
    const reading = new SourceReading(services, session, source, captions);
    const connection = new SourceConnection(nextConnectionNumber(), captions, () => reading.audio.secondsWithoutAudio);
    this.connection = connection;
    this.reading = reading;
    void connection.closed.then(() => reading.end());
    try {
      await session.attach(connection);
      const reached = await this.reached(connection);
      if (!reached) return await connection.closed;
      reading.audio.begin(connection, reached.bytes);
      if (this.isStopping) session.receive(connection, { kind: "stop" });
      else if (!stopping.aborted) await this.read(reading, connection);
      return await connection.closed;
    } catch (error) {
      if (!mustWait(error)) throw error;
      this.logger.warn({ err: error }, "the source of a live session could not begin yet; retrying");
      return { kind: "interrupted" };
    } finally {
      reading.end();
      await reading.close();
    }
  }

  private async read(reading: SourceReading, connection: SourceConnection): Promise<void> {
    const { signal, audio } = reading;
    for (let failures = 0; !signal.aborted; failures++) {
      const before = audio.seconds;
      try {
        await reading.once();
        if (!signal.aborted) this.stop();
        return;
      } catch (thrown) {
        if (signal.aborted) return;
        const error = toParlanceError(thrown);
        if (audio.seconds > before) failures = 0;
        const { code, message: reason, cause } = error;
        this.failure = reason;
        this.logger.info({ code, reason, err: cause }, "the source of a live session was interrupted");
        if (this.mustEnd(error, reading)) return this.session.receive(connection, { kind: "refuse", reason });
      }
      const pause = Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** Math.min(failures, 10), MOST_PAUSE_MILLISECONDS);
      await sleep(pause, signal);
    }
  }

  /** Whether another attempt would end alike. */
  private mustEnd({ code }: ParlanceError, reading: SourceReading): boolean {
    if (code === "live.source_decoder_lost") {
      reading.forget();
      this.losses++;
    }
    this.absences = code === "live.source_absent" ? this.absences + 1 : 0;
    if (this.losses >= MOST_DECODER_LOSSES) return true;
    return !reading.audio.hasAudio && (code === "live.source_refused" || this.absences >= MOST_ABSENCES);
  }

  /** How far the session has processed what it received. @returns undefined if the connection was closed */
  private async reached(connection: SourceConnection): Promise<Reached | undefined> {
    const answered = new Promise<Reached>((resolve) => {
      this.session.receive(connection, {
        kind: "answer",
        bytes: 0,
        print: (reached) => {
          resolve(reached);
          return [];
        },
      });
    });
    return connection.whileOpen(answered);
  }

  /** Most seconds of the audio so far whose finals are still to come. @param silentSeconds  time without audio */
  private openSeconds(silentSeconds: number): number {
    // The last utterance is open until its audio continues, or its turn has ended.
    if (silentSeconds >= PAUSE_SECONDS + FINAL_SECONDS) return 0;
    return this.utteranceSeconds + Math.max(0, FINAL_SECONDS - silentSeconds);
  }

  private tick(): void {
    const { connection, reading } = this;
    if (!connection || !reading || this.stopping.aborted || this.isStopping) return;
    this.keepAlive(connection, reading.audio);
    if (this.isChecking) return;
    this.isChecking = true;
    this.check(connection, reading.audio)
      .catch((error: unknown) => this.logger.warn({ err: error }, "the source of a session was not checked"))
      .finally(() => {
        this.isChecking = false;
      });
  }

  /** Does not depend on the database, which may be unavailable for longer than a session may be idle. */
  private keepAlive(connection: SourceConnection, audio: SourceAudio): void {
    const { outageSeconds } = this.source;
    const silentSeconds = audio.secondsWithoutAudio;
    if (silentSeconds < QUIET_SECONDS) return;
    if (silentSeconds > outageSeconds) {
      const why = this.failure === undefined ? "" : `. ${this.failure}`;
      audio.report(`the source sent no audio for ${outageSeconds} s: the session has ended${why}`);
      this.stop();
    } else this.session.receive(connection, { kind: "audio", bytes: Buffer.alloc(0), continues: true });
  }

  private async check(connection: SourceConnection, audio: SourceAudio): Promise<void> {
    if (await isStopRequested(this.services.database, this.session.id)) return this.stop();
    const reached = await this.reached(connection);
    if (reached) await this.captions.publish(reached.detectedSeconds - this.openSeconds(audio.secondsWithoutAudio));
  }
}
