// Wakes idle parts of this process when there is work in the database, so that they need not poll it. Notifications of PostgreSQL
// (migration 0016) announce work at once. In addition, the process runs one statement every ten seconds that finds work whose notification
// was lost. Behind a pooler that delivers no notifications, such as pgbouncer in transaction mode, that statement runs up to twice a second.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Logger } from "pino";
import { Waker } from "../../process/waker.ts";
import type { Database } from "./database.ts";
import { fromStatement, noteClock } from "./database-time.ts";
import { RECENT_SECONDS } from "./files/tombstones.ts";
import { type Listening, openNotifications } from "./notifications.ts";

const TOPICS = [
  "fetch",
  "process",
  "callbacks",
  "ended",
  "removal",
  "machines",
  "duties",
  "tombstones",
  "changes",
  "models",
] as const;

/**
 * fetch, process: a job of the lane may be claimable; callbacks: one is due; ended: a job that a request waits for;
 * removal: an account is to be removed; machines: a data folder was started; duties: a process gave up its duties;
 * tombstones: objects were deleted of which machines may have copies; changes: notifications about changed jobs may have been lost;
 * models: the models of the fleet, or those of one of its processes, changed.
 */
export type Topic = (typeof TOPICS)[number];

/** State that the periodic statement returns. */
export interface Pulse {
  fetch: boolean;
  process: boolean;
  callbacks: boolean;
  removal: boolean;
  /** Objects were deleted a short time ago. */
  tombstones: boolean;
  /** A model of the fleet is wanted or being fetched, or has changed a short time ago. */
  models: boolean;
  /** Of the data folder of this process: the newest one that started. */
  generation: number | null;
  duties: readonly { name: string; holder: string; seconds: number }[];
}

/** While notifications arrive: bounds the cost of one that was lost. */
const LISTENING_MILLISECONDS = 10_000;
/** While they do not arrive: the pause after work was found, and its limit as long as none is. */
const LEAST_POLL_MILLISECONDS = 500;
const MOST_POLL_MILLISECONDS = 2_000;
const POLL_GROWTH = 1.5;
/** Pauses vary by this share in both directions, so that processes do not look at the same moment. */
const JITTER = 0.15;
const RECONNECT_MILLISECONDS = 2_000;
/** If this process does not receive its own notification within this time, none are delivered. */
const PROBE_MILLISECONDS = 5_000;
/** Interval of the attempts while none are delivered. */
const UNSUPPORTED_MILLISECONDS = 300_000;
const PROBE = "probe ";
/** Followed by the ids of an account and of its job (migration 0020). */
const CHANGE = "change ";
const UNSUPPORTED =
  "notifications of PostgreSQL do not reach this process, probably because of a connection pooler in transaction mode. The database is polled " +
  "up to twice a second instead. Connect directly, or use a pooler in session mode";

interface Connected {
  connection: Listening;
  channel: string;
}

export class Signals {
  private readonly handlers = new Map<Topic, (() => void)[]>();
  private readonly pulseHandlers: ((pulse: Pulse) => void)[] = [];
  private readonly changeHandlers: ((accountId: string, jobId: string) => void)[] = [];
  private readonly stopping = new AbortController();
  private readonly news = new Waker();
  private loop: Promise<void> | undefined;
  private connecting: Promise<void> | undefined;
  private listening: Connected | undefined;
  private connectAt = 0;
  private pollMilliseconds = LEAST_POLL_MILLISECONDS;
  private wasReported = false;
  private probe: { payload: string; hasArrived: boolean; news: Waker } | undefined;

  constructor(
    private readonly options: { database: Database; machine: string; logger: Logger; probeMilliseconds?: number },
  ) {}

  /** Whether notifications arrive. */
  get isListening(): boolean {
    return this.listening !== undefined;
  }

  on(topic: Topic, handler: () => void): void {
    this.handlers.set(topic, [...(this.handlers.get(topic) ?? []), handler]);
  }

  onPulse(handler: (pulse: Pulse) => void): void {
    this.pulseHandlers.push(handler);
  }

  /** @param handler  called when a job of a watched account, or its corrections, changed */
  onChange(handler: (accountId: string, jobId: string) => void): void {
    this.changeHandlers.push(handler);
  }

  start(): void {
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.loop, this.connecting]);
    await this.lose(this.listening);
  }

  private notify(topics: readonly string[]): void {
    for (const topic of topics) for (const handler of this.handlers.get(topic as Topic) ?? []) handler();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const seen = this.news.count;
      // The polls continue meanwhile.
      if (!this.listening && performance.now() >= this.connectAt)
        this.connecting ??= this.connect().finally(() => {
          this.connecting = undefined;
        });
      const hasWork = await this.look();
      if (signal.aborted) return;
      this.pollMilliseconds = hasWork
        ? LEAST_POLL_MILLISECONDS
        : Math.min(MOST_POLL_MILLISECONDS, this.pollMilliseconds * POLL_GROWTH);
      const pause = this.listening ? LISTENING_MILLISECONDS : this.pollMilliseconds;
      await this.news.wait(pause * (1 - JITTER + 2 * JITTER * Math.random()), signal, seen);
    }
  }

  /** Never rejects: without a connection for notifications, the database is polled. */
  private async connect(): Promise<void> {
    const { database, logger } = this.options;
    this.connectAt = performance.now() + RECONNECT_MILLISECONDS * (1 + Math.random());
    let made: Connected | undefined;
    const connection = openNotifications(database, {
      onNotification: (payload) => this.receive(payload),
      onEnd: () => void this.lose(made),
    });
    try {
      const { rows } = await sql<{ channel: string }>`select signal_channel() as channel`.execute(connection.database);
      const channel = rows[0]?.channel ?? "";
      await sql`listen ${sql.id(channel)}`.execute(connection.database);
      if (await this.arrives(channel)) {
        made = { connection, channel };
        this.listening = made;
        if (this.wasReported) logger.info("notifications of PostgreSQL are received again, and polling has ended");
        this.wasReported = false;
        // Notifications of what happened before were lost.
        this.notify(TOPICS);
        return;
      }
      this.connectAt = performance.now() + UNSUPPORTED_MILLISECONDS;
      this.report(undefined, UNSUPPORTED);
    } catch (error) {
      this.report(error, "no connection for notifications of PostgreSQL; the database is polled until there is one");
    }
    await connection.close().catch(() => undefined);
  }

  private report(error: unknown, message: string): void {
    if (!this.wasReported && !this.stopping.signal.aborted) this.options.logger.warn({ err: error }, message);
    this.wasReported = true;
  }

  /** Sends a notification on another connection: a pooler may answer LISTEN without ever delivering one. */
  private async arrives(channel: string): Promise<boolean> {
    const { database, probeMilliseconds = PROBE_MILLISECONDS } = this.options;
    const probe = { payload: PROBE + randomUUID(), hasArrived: false, news: new Waker() };
    this.probe = probe;
    await sql`select pg_notify(${channel}, ${probe.payload})`.execute(database);
    if (!probe.hasArrived) await probe.news.wait(probeMilliseconds, this.stopping.signal);
    this.probe = undefined;
    return probe.hasArrived;
  }

  private receive(payload: string): void {
    if (payload.startsWith(CHANGE)) this.receiveChange(payload);
    else if (!payload.startsWith(PROBE)) this.notify([payload]);
    if (payload !== this.probe?.payload) return;
    this.probe.hasArrived = true;
    this.probe.news.wake();
  }

  private receiveChange(payload: string): void {
    const [accountId = "", jobId = ""] = payload.slice(CHANGE.length).split(" ");
    for (const handler of this.changeHandlers) handler(accountId, jobId);
  }

  private async lose(lost: Connected | undefined): Promise<void> {
    if (!lost || this.listening !== lost) return;
    this.listening = undefined;
    this.pollMilliseconds = LEAST_POLL_MILLISECONDS;
    this.news.wake();
    await lost.connection.close().catch(() => undefined);
  }

  /** @returns whether there is work */
  private async look(): Promise<boolean> {
    const { listening } = this;
    try {
      const pulse = await this.read(listening);
      if (this.stopping.signal.aborted) return false;
      for (const handler of this.pulseHandlers) handler(pulse);
      const topics = (["fetch", "process", "callbacks", "removal"] as const).filter((topic) => pulse[topic]);
      this.notify(topics);
      return topics.length > 0;
    } catch (error) {
      // Other parts report a database that does not answer.
      this.options.logger.debug({ err: error }, "the database could not be queried for pending work");
      await this.lose(listening);
      return false;
    }
  }

  private async read(listening: Connected | undefined): Promise<Pulse> {
    const { database, machine } = this.options;
    const sent = performance.now();
    const { rows } = await sql<Pulse & { is_listening: boolean; milliseconds: number }>`select
      (extract(epoch from clock_timestamp()) * 1000)::float8 as milliseconds,
      exists (select from account_lanes where lane = 'fetch' and waiting > 0) as fetch,
      exists (select from account_lanes where lane = 'process' and waiting > 0) as process,
      exists (select from delivery_lanes where due_at <= now() and (claimed_until is null or claimed_until < now())) as callbacks,
      exists (select from accounts where deleting_at is not null) as removal,
      exists (select from tombstones where created_at > ${fromStatement(-RECENT_SECONDS)}) as tombstones,
      exists (select from fleet_models where state in ('wanted', 'fetching') or changed_at > ${fromStatement(-RECENT_SECONDS)}) as models,
      (select generation from machines where name = ${machine}) as generation,
      coalesce((select json_agg(json_build_object('name', name, 'holder', holder,
        'seconds', extract(epoch from until - now())::float8)) from duties where until > now()), '[]') as duties,
      exists (select from pg_listening_channels() as channel where channel = ${listening?.channel ?? ""}) as is_listening
    `.execute(listening?.connection.database ?? database);
    const [row] = rows;
    if (!row) throw new Error("no row");
    noteClock(database, { sent, received: performance.now(), milliseconds: Number(row.milliseconds) });
    // The embedded database has started again, or a pooler gave the connection to another session.
    if (listening && !row.is_listening) {
      this.connectAt = 0;
      await this.lose(listening);
    }
    return row;
  }
}
