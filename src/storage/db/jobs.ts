// Job rows. Every change of state goes through a guarded update here, so that a job ends exactly once.
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { PublicText } from "../../public-message.ts";
import type { Database } from "./database.ts";
import type { JobStatus, JobsTable } from "./schema.ts";

export type JobRow = Selectable<JobsTable>;

/** Of so many of the oldest is the next one looked for before every account's line is. */
const OLDEST_LOOKED_AT = 200;

/** More of them are looked at the next time. */
const MOST_WAITING_AT_ONCE = 1_000;

const UNFINISHED: JobStatus[] = ["queued", "processing"];

export async function findJob(database: Database, id: string): Promise<JobRow | undefined> {
  return database.selectFrom("jobs").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The part of a job's file that clients see. */
export interface JobFile {
  id: string;
  filename: string;
  source: string | null;
  audio_duration: number | null;
  number_of_channels: number | null;
  object_key: string;
  /** Bytes. */
  size: number;
}

export interface JobWithFile extends JobRow {
  file: JobFile | null;
}

export const FILE_COLUMNS = [
  "files.filename",
  "files.source",
  "files.audio_duration",
  "files.number_of_channels",
  "files.object_key",
  "files.size",
] as const;

type FileColumns = { [Column in keyof Omit<JobFile, "id">]: JobFile[Column] | null };

export function withFile<Row extends Pick<JobRow, "file_id">>({
  filename,
  source,
  audio_duration,
  number_of_channels,
  object_key,
  size,
  ...row
}: Row & FileColumns): Omit<Row & FileColumns, keyof FileColumns> & { file: JobFile | null } {
  const isThere = row.file_id !== null && filename !== null && object_key !== null && size !== null;
  const file = isThere
    ? { id: row.file_id as string, filename, source, audio_duration, number_of_channels, object_key, size }
    : null;
  return { ...row, file };
}

function jobsWithFiles(database: Database) {
  return database
    .selectFrom("jobs")
    .leftJoin("files", "files.id", "jobs.file_id")
    .selectAll("jobs")
    .select(FILE_COLUMNS);
}

export async function findJobWithFile(database: Database, id: string): Promise<JobWithFile | undefined> {
  const row = await jobsWithFiles(database).where("jobs.id", "=", id).executeTakeFirst();
  return row && withFile(row);
}

export async function countUnfinished(database: Database, accountId: string): Promise<number> {
  const { queued, processing } = await countByStatus(database, accountId);
  return queued + processing;
}

/** Those that have not ended. */
export async function countByStatus(
  database: Database,
  accountId: string,
): Promise<{ queued: number; processing: number }> {
  const rows = await database
    .selectFrom("jobs")
    .select((select) => ["status", select.fn.countAll<string>().as("count")])
    .where("account_id", "=", accountId)
    .where("status", "in", UNFINISHED)
    .groupBy("status")
    .execute();
  const countOf = (wanted: JobStatus) => Number(rows.find(({ status }) => status === wanted)?.count ?? 0);
  return { queued: countOf("queued"), processing: countOf("processing") };
}

/** fetch: jobs whose recording is still to be fetched; process: jobs that have theirs. Each is claimed apart. */
export type Lane = "fetch" | "process";

export interface Claim {
  worker: string;
  now: Date;
  leaseUntil: Date;
  lane: Lane;
  /** Ids of accounts that hold as much of this worker as they may. */
  busyAccounts: readonly string[];
}

/** Recordings of one account that are fetched before their turn: more would fill the disk. */
const MOST_FETCHED_AHEAD = 64;

/**
 * Takes the job that is next in a lane: of the account with the fewest jobs running there, its oldest. Accounts at their
 * limit wait, and so do jobs whose model is not installed.
 * @param concurrentJobs  limit of accounts without one of their own; 0 is none. Only the lane `process` knows own limits
 * @param models          ids of the installed models; at least one
 * @returns undefined when there is none, or another process was faster
 */
export async function claimNextJob(
  database: Database,
  claim: Claim & { concurrentJobs: number; models: readonly string[] },
): Promise<JobRow | undefined> {
  const isFetch = claim.lane === "fetch";
  const inLane = isFetch ? sql`jobs.file_id is null` : sql`jobs.file_id is not null`;
  const waits = sql`jobs.status = 'queued' and jobs.kind = 'pre-recorded' and jobs.model in (${sql.join(claim.models)})`;
  const ownLimit = isFetch ? sql`null::integer` : sql`accounts.concurrent_jobs`;
  // A list as one parameter: the statement has the same text for any number of accounts, and is prepared once.
  const busy = sql`any (string_to_array(${claim.busyAccounts.join(",")}::text, ',')::uuid[])`;
  const mayTake = (account: RawBuilder<unknown>) =>
    isFetch
      ? sql`(select count(*) from (
          select from jobs where jobs.account_id = ${account} and ${waits} and jobs.file_id is not null
          limit ${MOST_FETCHED_AHEAD}
        ) as fetched) < ${MOST_FETCHED_AHEAD}`
      : sql`not (${account} = ${busy})`;
  // The oldest job of all is next where nothing of its account runs: of many accounts there is one such among the oldest.
  const next = sql<string>`(
    with running as (
      select account_id, count(*) as jobs from jobs
      where status = 'processing' and kind = 'pre-recorded' and ${inLane} group by account_id
    ), oldest as (
      select id, account_id, created_at from jobs where ${waits} and ${inLane}
      order by created_at, id limit ${OLDEST_LOOKED_AT}
    ), of_idle_account as (
      select jobs.id from oldest join jobs on jobs.id = oldest.id and jobs.status = 'queued'
      where oldest.account_id not in (select account_id from running) and ${mayTake(sql`oldest.account_id`)}
      order by oldest.created_at, oldest.id limit 1 for update of jobs skip locked
    )
    select coalesce((select id from of_idle_account), (
      select head.id from accounts
      left join running on running.account_id = accounts.id
      cross join lateral (
        select jobs.id, jobs.created_at from jobs
        where jobs.account_id = accounts.id and ${waits} and ${inLane}
        order by jobs.created_at, jobs.id limit 1 for update skip locked
      ) as head
      where exists (select from jobs where ${waits} and ${inLane})
        and coalesce(nullif(coalesce(${ownLimit}, ${claim.concurrentJobs}::integer), 0), 2147483647)
          > coalesce(running.jobs, 0)
        and ${mayTake(sql`accounts.id`)}
      order by coalesce(running.jobs, 0), head.created_at limit 1
    ))
  )`;
  return database
    .updateTable("jobs")
    .set({
      status: "processing",
      worker: claim.worker,
      lease_until: claim.leaseUntil,
      started_at: sql<Date>`coalesce(started_at, ${claim.now}::timestamptz)`,
    })
    .where("id", "=", next)
    .where("status", "=", "queued")
    .returningAll()
    .executeTakeFirst();
}

/** @returns which of them are still this worker's: the others were deleted, or another one has them */
export async function renewLease(
  database: Database,
  ids: string[],
  worker: string,
  leaseUntil: Date,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await database
    .updateTable("jobs")
    .set({ lease_until: leaseUntil })
    .where("id", "in", ids)
    .where("worker", "=", worker)
    .where("status", "=", "processing")
    .returning("id")
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Stores a finished stage's output and the name of the next stage. Progress clears the strikes.
 * @param step  with `fileId`, the fetched copy: the job goes back to the queue, to be claimed in the other lane; with `model`,
 *              the one that it needs instead: it goes back to the queue and waits there for that model
 * @returns false when the job is no longer this worker's
 */
export async function finishStage(
  database: Database,
  id: string,
  worker: string,
  step: { stageOutputs: object; nextStage: string; progress: number; fileId?: string; model?: string },
): Promise<boolean> {
  const { fileId, model } = step;
  const goesBack = fileId !== undefined || model !== undefined;
  const result = await database
    .updateTable("jobs")
    .set({
      stage_outputs: JSON.stringify(step.stageOutputs),
      stage: step.nextStage,
      progress: step.progress,
      strikes: 0,
      crashes: 0,
      ...(fileId === undefined ? {} : { file_id: fileId }),
      ...(model === undefined ? {} : { model }),
      ...(goesBack ? { status: "queued" as const, worker: null, lease_until: null } : {}),
    })
    .where("id", "=", id)
    .where("worker", "=", worker)
    .where("status", "=", "processing")
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function setProgress(
  database: Database,
  id: string,
  { stage, progress, clearsStrikes }: { stage: string; progress: number; clearsStrikes: boolean },
): Promise<void> {
  await database
    .updateTable("jobs")
    .set({ progress, stage, ...(clearsStrikes ? { strikes: 0 } : {}) })
    .where("id", "=", id)
    .where("status", "=", "processing")
    .execute();
}

/** Counts a child process that this job ended. @returns how many there were since the job last got on */
export async function countCrash(database: Database, id: string): Promise<number> {
  const row = await database
    .updateTable("jobs")
    .set({ crashes: sql<number>`crashes + 1` })
    .where("id", "=", id)
    .returning("crashes")
    .executeTakeFirst();
  return row?.crashes ?? 0;
}

export type Ending =
  | { status: "done"; completedAt: Date; resultKey: string /** SHA-256 in hexadecimal. */; resultHash?: string }
  | { status: "error"; completedAt: Date; errorCode: number; errorMessage: PublicText };

/**
 * Ends a job.
 * @param worker  whose it must be, where one works on it
 * @returns false when it had ended before, is gone, or is another worker's
 */
export async function endJob(database: Database, id: string, ending: Ending, worker?: string): Promise<boolean> {
  const outcome =
    ending.status === "done"
      ? { result_key: ending.resultKey, result_hash: ending.resultHash ?? null, progress: 1 }
      : { error_code: ending.errorCode, error_message: ending.errorMessage };
  let update = database
    .updateTable("jobs")
    .set({
      status: ending.status,
      completed_at: ending.completedAt,
      worker: null,
      lease_until: null,
      stage: null,
      stage_outputs: "{}",
      ...outcome,
    })
    .where("id", "=", id)
    .where("status", "in", UNFINISHED);
  if (worker !== undefined) update = update.where("worker", "=", worker);
  return (await update.executeTakeFirst()).numUpdatedRows > 0n;
}

/**
 * Gives a job back to the queue.
 * @param worker  whose it is: another one's stays with that
 * @param strike  counts against it: nobody asked for the interruption
 */
export async function requeueJob(
  database: Database,
  id: string,
  worker: string | null,
  strike: boolean,
): Promise<void> {
  await database
    .updateTable("jobs")
    .set({
      status: "queued",
      worker: null,
      lease_until: null,
      ...(strike ? { strikes: sql<number>`strikes + 1` } : {}),
    })
    .where("id", "=", id)
    .where("worker", "is not distinct from", worker)
    .where("status", "=", "processing")
    .execute();
}

/** Notes what the result of an earlier version reads like. */
export async function setResultHash(database: Database, id: string, resultKey: string, hash: string): Promise<void> {
  await database
    .updateTable("jobs")
    .set({ result_hash: hash })
    .where("id", "=", id)
    .where("result_key", "=", resultKey)
    .where("result_hash", "is", null)
    .execute();
}

/**
 * Gives a recorded job whose stored result is lost back to the queue, from its first stage on.
 * @returns false when it is gone, or no longer has that result
 */
export async function remakeResult(database: Database, id: string, resultKey: string): Promise<boolean> {
  const result = await database
    .updateTable("jobs")
    .set({
      status: "queued",
      started_at: null,
      completed_at: null,
      stage: null,
      stage_outputs: "{}",
      progress: 0,
      strikes: 0,
      crashes: 0,
      result_key: null,
      result_hash: null,
      is_searchable: false,
    })
    .where("id", "=", id)
    .where("kind", "=", "pre-recorded")
    .where("status", "=", "done")
    .where("result_key", "=", resultKey)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Recorded jobs that wait for a model that is not there. */
export async function jobsWaitingForModels(
  database: Database,
  models: readonly string[],
): Promise<Pick<JobRow, "id" | "model" | "created_at">[]> {
  // Without their requests: a thousand of them may be a gigabyte.
  return database
    .selectFrom("jobs")
    .select(["id", "model", "created_at"])
    .where("status", "=", "queued")
    .where("kind", "=", "pre-recorded")
    .where("model", "not in", [...models])
    .orderBy("created_at")
    .limit(MOST_WAITING_AT_ONCE)
    .execute();
}

/** A job that waited for another model in vain goes on with one that is installed. */
export async function useModel(database: Database, id: string, model: string): Promise<void> {
  await database.updateTable("jobs").set({ model }).where("id", "=", id).where("status", "=", "queued").execute();
}

/** A live session has its first connection. */
export async function startLiveJob(database: Database, id: string, now: Date): Promise<void> {
  await database
    .updateTable("jobs")
    .set({ status: "processing", started_at: now })
    .where("id", "=", id)
    .where("status", "=", "queued")
    .execute();
}

/** @returns the job, or undefined when it is gone */
export async function attachFile(database: Database, id: string, fileId: string): Promise<JobRow | undefined> {
  return database.updateTable("jobs").set({ file_id: fileId }).where("id", "=", id).returningAll().executeTakeFirst();
}

export async function setSessionMetadata(database: Database, id: string, metadata: object): Promise<void> {
  await database
    .updateTable("jobs")
    .set({ post_session_metadata: JSON.stringify(metadata) })
    .where("id", "=", id)
    .execute();
}

/** Pre-recorded jobs that some process works on or worked on, oldest first. */
export async function runningJobs(
  database: Database,
): Promise<Pick<JobRow, "id" | "strikes" | "worker" | "lease_until">[]> {
  return database
    .selectFrom("jobs")
    .select(["id", "strikes", "worker", "lease_until"])
    .where("status", "=", "processing")
    .where("kind", "=", "pre-recorded")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Jobs that ended, or that somebody last waited for, before `before`; longest ago first. */
export async function jobsBefore(
  database: Database,
  column: "completed_at" | "wanted_until",
  before: Date,
  page: { limit: number; offset: number },
): Promise<Pick<JobRow, "id">[]> {
  return database
    .selectFrom("jobs")
    .select("id")
    .where(column, "<", before)
    .orderBy(column)
    .orderBy("id")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

/** Some jobs of an account, in any state. */
export async function jobsOfAccount(
  database: Database,
  accountId: string,
  limit: number,
): Promise<Pick<JobRow, "id">[]> {
  return database.selectFrom("jobs").select("id").where("account_id", "=", accountId).limit(limit).execute();
}

/** Jobs that requests still wait for are kept. */
export async function keepWanted(database: Database, ids: readonly string[], until: Date): Promise<void> {
  await database
    .updateTable("jobs")
    .set({ wanted_until: until })
    .where("id", "in", [...ids])
    .execute();
}

/** @returns which of the jobs exist and have not ended */
export async function unfinishedOf(database: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await database
    .selectFrom("jobs")
    .select("id")
    .where("id", "in", [...ids])
    .where("status", "in", UNFINISHED)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Removes a job's row. @returns what hung on it, or undefined when it was gone */
export async function removeJob(database: Database, id: string): Promise<JobRow | undefined> {
  return database.deleteFrom("jobs").where("id", "=", id).returningAll().executeTakeFirst();
}
