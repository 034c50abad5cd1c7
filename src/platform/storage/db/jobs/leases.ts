// Leases of running jobs, by the clock of the database: the clocks of the machines may differ. A job whose lease has expired,
// or whose process no longer runs, is recovered in one conditional update, so that it is recovered once.
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database.ts";
import { fromStatement } from "../database-time.ts";
import { type Hold, holdOf } from "./held-jobs.ts";

/** Bounds the time until another worker resumes a job after a crash. */
export const LEASE_SECONDS = 15;
/** A longer lease was written with a wrong clock. */
const IMPOSSIBLE_LEASE_SECONDS = 3_600;
/** Jobs that one statement recovers. */
const BATCH = 500;
/** Above every limit of strikes; a damaged row may have the greatest number of the column. */
const MOST_COUNTED_STRIKES = 1_000;

/** Number of the next attempt: the greatest number of the column in a damaged row must not make its claim fail. */
export const nextAttempt = (current: string) => sql<number>`least(${sql.ref(current)}, 2147483646) + 1`;

export const leaseEnd = () => fromStatement(LEASE_SECONDS);

/** A list as one parameter: the statement has the same text for any number of items, and is prepared once. */
const listed = (items: readonly (string | number)[], type: "uuid" | "integer" | "text") =>
  sql`string_to_array(${items.join(",")}::text, ',')::${sql.raw(type)}[]`;

/** @returns ids of the jobs that their attempts still hold; the others were deleted or recovered */
export async function renewLeases(database: Database, holds: readonly Hold[]): Promise<ReadonlySet<string>> {
  const [first] = holds;
  if (!first) return new Set();
  const { rows } = await sql<{ id: string }>`
    update jobs set lease_until = ${leaseEnd()}
    from unnest(
      ${listed(
        holds.map(({ id }) => id),
        "uuid",
      )},
      ${listed(
        holds.map(({ attempt }) => attempt),
        "integer",
      )}
    ) as held(id, attempt)
    where jobs.id = held.id and jobs.attempt = held.attempt and jobs.worker = ${first.worker}
      and jobs.status = 'processing'
    returning jobs.id`.execute(database);
  return new Set(rows.map(({ id }) => id));
}

/** A process of a data folder: its machine name, and the number of starts of the folder. */
export interface WorkerProcess {
  machine: string;
  generation: number;
}

/** Beginning of the names of all processes that have used a data folder. */
export const workerNamePrefix = (machine: string) => `${machine}#`;

export function workerName({ machine, generation }: WorkerProcess): string {
  return `${workerNamePrefix(machine)}${generation}`;
}

export interface Recovery {
  /** Whether no other process can use this (embedded) database. */
  isOnlyProcess: boolean;
  self: WorkerProcess;
  /** Jobs that run in this process. Their leases may have expired while it was stalled; it renews them. */
  running: readonly string[];
  /** Interruptions without progress after which a job fails. */
  mostStrikes: number;
  /** Leaves out jobs that only an expired lease concerns: after an outage, their workers have yet to renew it. */
  sparesExpired?: boolean;
}

/**
 * Process ids are not used, as two containers may have the same ones. A lock allows one process per data folder, so an earlier
 * process of this folder no longer runs.
 */
function isAbandoned({ isOnlyProcess, self, running, sparesExpired = false }: Recovery): RawBuilder<boolean> {
  const generation = sql`split_part(worker, '#', 2)`;
  // Compared before it is divided: nearly every row is of another machine.
  const isOfEarlierStart = sql`(starts_with(worker, ${`${self.machine}#`}::text)
    and case when ${generation} ~ '^[0-9]{1,18}$' then ${generation}::bigint < ${self.generation}::bigint else false end)`;
  const hasExpired = sql`(lease_until is null or lease_until < now()
    or lease_until > now() + make_interval(secs => ${IMPOSSIBLE_LEASE_SECONDS}::float8))`;
  return sql`status = 'processing' and kind = 'pre-recorded'
    and not (id = any (${listed(running, "uuid")}))
    and (${isOnlyProcess}::boolean or (not ${sparesExpired}::boolean and ${hasExpired}) or ${isOfEarlierStart})`;
}

export interface Recovered {
  /** Jobs that went back to the queue. */
  requeued: string[];
  /** Jobs interrupted too often. The caller holds them, and ends them. */
  exhausted: Hold[];
}

/**
 * Recovers abandoned jobs: of each, the attempt that held it ends. Rows that another process is changing are left out.
 * @param ids  only these; undefined for up to 500 of all
 */
export async function recoverExpired(
  database: Database,
  recovery: Recovery,
  ids?: readonly string[],
): Promise<Recovered> {
  const { self, mostStrikes } = recovery;
  const isExhausted = sql`abandoned.strikes >= ${mostStrikes}::integer`;
  const isOneOfThem = sql`${isAbandoned(recovery)} ${ids === undefined ? sql`` : sql`and id = any (${listed(ids, "uuid")})`}`;
  // Found without an order first: for the order, PostgreSQL would read the waiting jobs, too, along the index of all unfinished ones.
  const { rows } = await sql<{ id: string; worker: string | null; attempt: number }>`
    with found as materialized (select id, created_at from jobs where ${isOneOfThem}),
    abandoned as (
      select id, least(greatest(strikes, 0), ${MOST_COUNTED_STRIKES}::integer) + 1 as strikes from jobs
      where id = any (array(select id from found order by created_at, id limit ${BATCH})) and ${isOneOfThem}
      order by created_at, id for update skip locked
    )
    update jobs set
      strikes = abandoned.strikes,
      status = case when ${isExhausted} then 'processing' else 'queued' end,
      worker = case when ${isExhausted} then ${workerName(self)}::text end,
      lease_until = case when ${isExhausted} then ${leaseEnd()} end,
      attempt = case when ${isExhausted} then ${nextAttempt("jobs.attempt")} else jobs.attempt end
    from abandoned where jobs.id = abandoned.id
    returning jobs.id, jobs.worker, jobs.attempt`.execute(database);
  return {
    requeued: rows.filter(({ worker }) => worker === null).map(({ id }) => id),
    exhausted: rows.filter(({ worker }) => worker !== null).map(holdOf),
  };
}

/** Whether a batch may have left further jobs. */
export const isFullBatch = ({ requeued, exhausted }: Recovered) => requeued.length + exhausted.length >= BATCH;

/** Recorded jobs that are running, oldest first. */
export async function runningJobs(database: Database): Promise<string[]> {
  const rows = await database
    .selectFrom("jobs")
    .select("id")
    .where("status", "=", "processing")
    .where("kind", "=", "pre-recorded")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}
