// Runs the source of one session, in the process that owns the session: connects, reads, connects again, until the session ends.
import type { Logger } from "pino";
import { FetchAddress } from "../../../platform/addresses/fetch-address.ts";
import { errors, type ParlanceError, toParlanceError } from "../../../platform/errors.ts";
import { sleep } from "../../../platform/process/sleep.ts";
import type { Database } from "../../../platform/storage/db/database.ts";
import { databaseTime } from "../../../platform/storage/db/database-time.ts";
import { isStopRequested } from "../../../platform/storage/db/jobs/live-captions.ts";
import type { StreamDecoders } from "../../../speech/audio/streams/stream-decoders.ts";
import type { Reached } from "../events/client-command.ts";
import type { Closing, ClosingKind } from "../events/closing.ts";
import type { RecordFormat } from "../events/record-format.ts";
import type { Session } from "../session/session.ts";
import type { ViewerFeeds } from "../viewers/viewer-feeds.ts";
import { ViewerRecord } from "../viewers/viewer-record.ts";
import { Captions } from "./captions.ts";
import { EndlessReading } from "./endless-reading.ts";
import { Fetching, MOST_MILLISECONDS } from "./fetching.ts";
import { HlsReading, MOST_PLAYLIST_BYTES } from "./hls-reading.ts";
import { isHls, stationAddress } from "./playlist.ts";
import { SourceAudio } from "./source-audio.ts";
import { SourceConnection } from "./source-connection.ts";
import { SourceDecoder } from "./source-decoder.ts";

const TICK_MILLISECONDS = 1_000;
/** Without audio, after which the session receives empty chunks. */
const QUIET_SECONDS = 2;
const [FIRST_PAUSE_MILLISECONDS, MOST_PAUSE_MILLISECONDS] = [500, 10_000];
const ATTACH_PAUSE_MILLISECONDS = 1_000;
/** Times that a source may make the decoder process crash or hang. */
const MOST_DECODER_LOSSES = 3;
/** After the longest utterance, its final is sent within this time, mostly. Later ones are in the next part. */
const FINAL_SECONDS = 2;

/** The session has not ended, and may be connected to again. */
const PASSING: ReadonlySet<ClosingKind> = new Set<ClosingKind>(["interrupted", "restarting", "unread"]);
const PLAYLIST_TYPES = /mpegurl|x-scpls|pls\+xml/;
const PLAYLIST_NAMES = /\.(m3u8?|pls)$/i;

export interface SourceServices {
  database: Database;
  decoders: StreamDecoders;
  feeds: ViewerFeeds;
  format: RecordFormat;
  allowPrivateAddresses: boolean;
  logger: Logger;
}

export interface WantedSource {
  address: string;
  accountId: string;
  /** Longest time without audio. */
  outageSeconds: number;
}

/** What reads the source for one connection to the session. */
class Reading {
  private readonly ending = new AbortController();
  readonly audio: SourceAudio;
  private readonly fetching: Fetching;
  private readonly decoder: SourceDecoder;
  private readonly hls: HlsReading;
  private readonly endless: EndlessReading;
  private isHls = false;

  constructor(
    { database, decoders, allowPrivateAddresses }: SourceServices,
    session: Session,
    { address, accountId }: WantedSource,
    captions: Captions,
  ) {
    const { signal } = this;
    const now = () => databaseTime(database);
    this.fetching = new Fetching({ address: FetchAddress.of(address), accountId, allowPrivateAddresses, signal });
    this.audio = new SourceAudio(session, captions, signal);
    const onSamples = (samples: Buffer, ticks: number | undefined) =>
      this.isHls ? this.hls.onSamples(samples, ticks) : this.audio.add(samples);
    this.decoder = new SourceDecoder(decoders, `source ${session.id}`, accountId, onSamples);
    this.hls = new HlsReading(this.fetching, this.audio, this.decoder, now);
    this.endless = new EndlessReading(this.fetching, this.audio, this.decoder, now);
  }

  get signal(): AbortSignal {
    return this.ending.signal;
  }

  end(): void {
    this.ending.abort();
  }

  close(): Promise<void> {
    return this.decoder.restart();
  }

  /** The decoder process was lost: the stream so far cannot be continued. */
  forget(): void {
    this.endless.forget();
  }

  /** @returns when the source has ended; @throws live.source_failed, live.source_refused, live.source_decoder_lost */
  async once(): Promise<void> {
    let url = this.fetching.first;
    for (let list = 0; list < 2; list++) {
      const answer = await this.fetching.open(url, MOST_MILLISECONDS);
      this.isHls = false;
      if (!PLAYLIST_TYPES.test(answer.contentType) && !PLAYLIST_NAMES.test(answer.url.pathname))
        return this.endless.read(answer);
      const text = await this.fetching.rest(answer, MOST_PLAYLIST_BYTES);
      this.isHls = isHls(text);
      if (this.isHls) return this.hls.read(answer.url, text);
      url = stationAddress(text, answer.url);
    }
    throw errors.liveSourceRefused("its list names another list");
  }
}

export class SourceRun {
  private readonly captions: Captions;
  private readonly logger: Logger;
  private connection: SourceConnection | undefined;
  private reading: Reading | undefined;
  private numbers = 0;
  private losses = 0;
  private isStopping: boolean;
  private readonly holdSeconds: number;

  /** @param stopping  the process stops */
  constructor(
    private readonly services: SourceServices,
    private readonly session: Session,
    private readonly source: WantedSource,
    private readonly stopping: AbortSignal,
  ) {
    const { database, feeds, format, logger } = services;
    this.captions = new Captions(database, new ViewerRecord(database, session.id, format, feeds));
    // An earlier process stopped it, and what is left is recognised now.
    this.isStopping = session.state === "stopping";
    this.logger = logger.child({ session: session.id });
    const { maximumSeconds, endpointingSeconds, turns } = session.params;
    this.holdSeconds = maximumSeconds + Math.max(endpointingSeconds, turns?.maximumSeconds ?? 0) + FINAL_SECONDS;
  }

  /** Resolves when the session has ended, or belongs to another process. */
  async run(): Promise<void> {
    const { session, stopping } = this;
    const ticking = setInterval(() => {
      this.tick().catch((error: unknown) =>
        this.logger.warn({ err: error }, "the source of a session was not checked"),
      );
    }, TICK_MILLISECONDS).unref();
    const end = () => this.reading?.end();
    stopping.addEventListener("abort", end, { once: true });
    try {
      await this.captions.open();
      while (!stopping.aborted) {
        const closing = await this.connected();
        if (!PASSING.has(closing.kind) || session.isReleased) break;
        await sleep(ATTACH_PAUSE_MILLISECONDS, stopping);
      }
      if (!stopping.aborted && !session.log.isLost) await this.captions.publish(Number.POSITIVE_INFINITY);
    } finally {
      clearInterval(ticking);
      stopping.removeEventListener("abort", end);
    }
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
    const connection = new SourceConnection(++this.numbers, captions);
    const reading = new Reading(services, session, source, captions);
    this.connection = connection;
    this.reading = reading;
    void connection.closed.then(() => reading.end());
    await session.attach(connection);
    const reached = await this.reached(connection);
    if (!reached) return connection.closed;
    reading.audio.begin(connection, reached.bytes);
    try {
      if (this.isStopping) session.receive(connection, { kind: "stop" });
      else if (!stopping.aborted) await this.read(reading, connection);
      return await connection.closed;
    } finally {
      reading.end();
      await reading.close();
    }
  }

  private async read(reading: Reading, connection: SourceConnection): Promise<void> {
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
        this.logger.info({ code, reason, err: cause }, "the source of a live session was interrupted");
        if (this.mustEnd(error, reading)) return this.session.receive(connection, { kind: "refuse", reason });
      }
      const pause = Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** Math.min(failures, 10), MOST_PAUSE_MILLISECONDS);
      await sleep(pause, signal);
    }
  }

  /** Whether another attempt would end alike. */
  private mustEnd({ code }: ParlanceError, reading: Reading): boolean {
    if (code === "live.source_decoder_lost") {
      reading.forget();
      this.losses++;
    }
    return this.losses >= MOST_DECODER_LOSSES || (code === "live.source_refused" && !reading.audio.hasAudio);
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
    return Promise.race([answered, connection.closed.then(() => undefined)]);
  }

  private async tick(): Promise<void> {
    const { connection, reading, session, source } = this;
    if (!connection || !reading || this.stopping.aborted || this.isStopping) return;
    if (await isStopRequested(this.services.database, session.id)) return this.stop();
    const reached = await this.reached(connection);
    if (!reached) return;
    const { audio } = reading;
    const silentSeconds = audio.secondsWithoutAudio;
    await this.captions.publish(reached.detectedSeconds - Math.max(0, this.holdSeconds - silentSeconds));
    if (silentSeconds < QUIET_SECONDS) return;
    if (silentSeconds > source.outageSeconds) {
      audio.report(`the source sent no audio for ${source.outageSeconds} s: the session has ended`);
      return this.stop();
    }
    // Without it, the session would end for inactivity.
    session.receive(connection, { kind: "audio", bytes: Buffer.alloc(0), continues: true });
  }
}
