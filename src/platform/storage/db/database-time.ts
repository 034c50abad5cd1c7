// Time of the rows. The clocks of machines differ, and one of them may be wrong; the database has one clock. That clock gives every time that
// a row stores or is compared with. Columns of time have the type DatabaseTime, which this file creates.
import { type Expression, type Kysely, type RawBuilder, sql } from "kysely";

declare const IS_DATABASE_TIME: unique symbol;

/** A time by the clock of the database. Date.now() and new Date() have another type, and the compiler refuses them. */
export type DatabaseTime = Date & { readonly [IS_DATABASE_TIME]: true };

/** A time by the clock of the database, or what the statement computes it from. */
export type Moment = DatabaseTime | Expression<DatabaseTime>;

// now() is the time at which the server began the transaction. A process that was stopped before it sends a statement therefore cannot supply
// an old time.

export const statementTime: RawBuilder<DatabaseTime> = sql<DatabaseTime>`now()`;

/** @param seconds  may be negative */
export const fromStatement = (seconds: number) => sql<DatabaseTime>`now() + make_interval(secs => ${seconds}::float8)`;

export const addSeconds = (time: DatabaseTime, seconds: number) =>
  new Date(time.getTime() + seconds * 1000) as DatabaseTime;

// biome-ignore lint/suspicious/noExplicitAny: the clock is the same for every schema
type AnyDatabase = Kysely<any>;

/** Between two measurements of the difference. */
const MEASURE_MILLISECONDS = 30_000;
const CHECK_MILLISECONDS = 1_000;
const JUMP_MILLISECONDS = 1_000;
const MOST_ROUND_TRIP_MILLISECONDS = 1_000;
const SAMPLES = 3;
/** A shorter one needs no further sample: half of it is the greatest error. */
const SHORT_ROUND_TRIP_MILLISECONDS = 50;

/** The time of the server, read by a statement. */
export interface ClockReading {
  /** Of performance.now(). */
  sent: number;
  /** Of performance.now(). */
  received: number;
  /** By the database, while the statement ran. */
  milliseconds: number;
}

/** By the middle of the round trip: the greatest error is half of it. @returns as `offset` */
const offsetOf = ({ sent, received, milliseconds }: ClockReading) => milliseconds - (sent + received) / 2;

/** Follows the clock of a server by a monotonic one, so that a jump of this machine's clock has no effect. */
class ServerClock {
  /** Milliseconds by the database when performance.now() was 0. */
  private offset: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** At the last measurement: Date.now() - performance.now(). */
  private wallOffset = 0;
  private measuredAt = 0;
  private measuring: Promise<void> | undefined;

  constructor(private readonly database: AnyDatabase) {}

  async start(): Promise<void> {
    await this.measure();
    this.timer = setInterval(() => this.check(), CHECK_MILLISECONDS).unref();
  }

  /** The monotonic clock stands still while the machine is suspended: the difference to the wall clock shows it. */
  private check(): void {
    if (!this.hasJumped && performance.now() - this.measuredAt < MEASURE_MILLISECONDS) return;
    // Without a connection the last offset remains in use.
    this.measuring ??= this.measure()
      .catch(() => undefined)
      .finally(() => {
        this.measuring = undefined;
      });
  }

  private get hasJumped(): boolean {
    return Math.abs(Date.now() - performance.now() - this.wallOffset) > JUMP_MILLISECONDS;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Ignores a reading after a jump: a machine that was suspended during the statement shows a short round trip. */
  take(reading: ClockReading): void {
    if (this.hasJumped || reading.received - reading.sent > SHORT_ROUND_TRIP_MILLISECONDS) return;
    this.set(offsetOf(reading));
  }

  now(): DatabaseTime {
    if (this.offset === undefined) throw new Error("the clock of the database has not been read yet");
    this.check();
    return new Date(this.offset + performance.now()) as DatabaseTime;
  }

  /** The sample with the shortest round trip has the smallest error: at most half of it. */
  private async measure(): Promise<void> {
    let shortest = Number.POSITIVE_INFINITY;
    let offset: number | undefined;
    for (let sample = 0; sample < SAMPLES && shortest > SHORT_ROUND_TRIP_MILLISECONDS; sample++) {
      const sent = performance.now();
      const { rows } = await sql<{ milliseconds: number }>`
        select (extract(epoch from clock_timestamp()) * 1000)::float8 as milliseconds`.execute(this.database);
      const received = performance.now();
      if (received - sent >= shortest) continue;
      shortest = received - sent;
      offset = offsetOf({ sent, received, milliseconds: Number(rows[0]?.milliseconds) });
    }
    this.measuredAt = performance.now();
    // While the pool of connections is busy, the statement may have waited for most of this time: the middle of the round trip is then wrong.
    if (this.offset !== undefined && shortest > MOST_ROUND_TRIP_MILLISECONDS) return;
    this.set(offset);
  }

  private set(offset: number | undefined): void {
    this.offset = offset;
    this.measuredAt = performance.now();
    this.wallOffset = Date.now() - performance.now();
  }
}

interface Clock {
  now(): DatabaseTime;
  take(reading: ClockReading): void;
}

/** The embedded database has the clock of this process. */
const OWN_CLOCK: Clock = { now: () => new Date() as DatabaseTime, take: () => undefined };

const clocks = new WeakMap<AnyDatabase, Clock>();

/** Call it once for each database that is opened. @returns ends it */
export async function followClock(database: AnyDatabase, isEmbedded: boolean): Promise<() => void> {
  if (isEmbedded) {
    clocks.set(database, OWN_CLOCK);
    return () => undefined;
  }
  const clock = new ServerClock(database);
  await clock.start();
  clocks.set(database, clock);
  return () => clock.stop();
}

/**
 * The time by the clock of the database, without a query.
 * @param database  of openDatabase, not a transaction
 */
export function databaseTime(database: AnyDatabase): DatabaseTime {
  const clock = clocks.get(database);
  if (!clock) throw new Error("no clock: pass the database that openDatabase returned, not a transaction");
  return clock.now();
}

/** Corrects the clock by the reading of a statement, which saves the clock a statement. */
export function noteClock(database: AnyDatabase, reading: ClockReading): void {
  clocks.get(database)?.take(reading);
}
