// Changes of an account's jobs, made by any process, for the streams of events that are open in this one. A stream receives the state of each
// job after its change. Where changes may have been missed, it receives a request to read everything again, so that nothing needs to be stored.
import type { Logger } from "pino";
import type { JobEvent } from "../../contract/job-events.ts";
import { errors } from "../../platform/errors.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { jobStates, watchAccounts } from "../../platform/storage/db/jobs/job-changes.ts";
import type { Signals } from "../../platform/storage/db/signals.ts";

/** Streams of an account in this process: a page of the console in view has one. */
const MOST_STREAMS = 32;
/** Changes within this time are read with one statement. */
const GATHER_MILLISECONDS = 100;
/** More changed jobs of an account are not read one by one. */
const MOST_JOBS = 200;
const RENEW_MILLISECONDS = 30_000;
/** Longer than two renewals. */
const WATCH_SECONDS = 75;
/** A statement that began before the account was watched sends no notification. It has ended after this time. */
const SETTLE_MILLISECONDS = 2_000;
/** While no notifications arrive. */
const UNSIGNALLED_MILLISECONDS = 5_000;

export interface ChangeStream {
  send(event: JobEvent): void;
  /** The process stops. */
  end(): void;
}

export interface JobChangesParts {
  database: Database;
  signals: Pick<Signals, "isListening" | "on" | "onChange">;
  logger: Logger;
}

const REREAD: JobEvent = { type: "reread", data: {} };

export class JobChanges {
  private readonly streams = new Map<string, Set<ChangeStream>>();
  /** Changed jobs by account. */
  private changed = new Map<string, Set<string>>();
  private gathering: NodeJS.Timeout | undefined;
  private reading: Promise<void> = Promise.resolve();
  private readonly timers: NodeJS.Timeout[];
  private isStopped = false;
  /** The last renewal failed. */
  private hasFailed = false;

  constructor(private readonly parts: JobChangesParts) {
    const { signals } = parts;
    signals.onChange((accountId, jobId) => this.note(accountId, jobId));
    signals.on("changes", () => void this.watchAgain());
    this.timers = [
      setInterval(() => void this.renew(), RENEW_MILLISECONDS).unref(),
      setInterval(() => {
        if (!signals.isListening) this.rereadAll();
      }, UNSIGNALLED_MILLISECONDS).unref(),
    ];
  }

  /**
   * Adds a stream, whose first event requests to read everything.
   * @returns removes it @throws limit.event_streams
   */
  async open(accountId: string, stream: ChangeStream): Promise<() => void> {
    const streams = this.streams.get(accountId) ?? new Set();
    if (streams.size >= MOST_STREAMS) throw errors.tooManyEventStreams(MOST_STREAMS);
    const isFirst = streams.size === 0;
    this.streams.set(accountId, streams.add(stream));
    const close = () => {
      streams.delete(stream);
      if (streams.size === 0 && this.streams.get(accountId) === streams) this.streams.delete(accountId);
    };
    try {
      await watchAccounts(this.parts.database, [accountId], WATCH_SECONDS);
    } catch (error) {
      close();
      throw error;
    }
    if (this.isStopped) stream.end();
    else stream.send(REREAD);
    if (isFirst) setTimeout(() => this.reread([accountId]), SETTLE_MILLISECONDS).unref();
    return close;
  }

  /** Ends every stream. */
  async stop(): Promise<void> {
    this.isStopped = true;
    for (const timer of this.timers) clearInterval(timer);
    clearTimeout(this.gathering);
    for (const streams of [...this.streams.values()]) for (const stream of [...streams]) stream.end();
    this.streams.clear();
    await this.reading;
  }

  private note(accountId: string, jobId: string): void {
    if (!this.streams.has(accountId)) return;
    const jobs = this.changed.get(accountId) ?? new Set();
    this.changed.set(accountId, jobs.add(jobId));
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      // One reading after another, so that an earlier state never follows a later one.
      this.reading = this.reading.then(() => this.readChanged());
    }, GATHER_MILLISECONDS);
  }

  /** Never rejects. */
  private async readChanged(): Promise<void> {
    const { changed } = this;
    this.changed = new Map();
    for (const [accountId, jobs] of changed) {
      if (!this.streams.has(accountId)) continue;
      try {
        for (const event of await this.eventsOf(accountId, [...jobs])) this.send(accountId, event);
      } catch (error) {
        this.parts.logger.warn({ err: error }, "changed jobs could not be read for the streams of events");
        this.reread([accountId]);
      }
    }
  }

  private async eventsOf(accountId: string, ids: readonly string[]): Promise<JobEvent[]> {
    if (ids.length > MOST_JOBS) return [REREAD];
    const states = await jobStates(this.parts.database, accountId, ids);
    return ids.map((id) => {
      const state = states.get(id);
      return state ? { type: "job", data: state } : { type: "deleted", data: { id } };
    });
  }

  private reread(accountIds: readonly string[]): void {
    for (const accountId of accountIds) this.send(accountId, REREAD);
  }

  private send(accountId: string, event: JobEvent): void {
    for (const stream of [...(this.streams.get(accountId) ?? [])]) stream.send(event);
  }

  /** Notifications may have been missed: after a crash of the server, the list of watched accounts is empty, too. */
  private async watchAgain(): Promise<void> {
    await this.renew();
    this.rereadAll();
    setTimeout(() => this.rereadAll(), SETTLE_MILLISECONDS).unref();
  }

  private rereadAll(): void {
    this.reread([...this.streams.keys()]);
  }

  /** Never rejects. */
  private async renew(): Promise<void> {
    const failedBefore = this.hasFailed;
    try {
      await watchAccounts(this.parts.database, [...this.streams.keys()], WATCH_SECONDS);
      this.hasFailed = false;
      // The accounts may have been unwatched in between.
      if (failedBefore) this.rereadAll();
    } catch (error) {
      this.hasFailed = true;
      this.parts.logger.warn({ err: error }, "the accounts of the streams of events could not be watched");
    }
  }
}
