// Job rows. Every change of state goes through a guarded update here, so that a job ends exactly once.
import { type Selectable, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "./database.ts";
import { metadataPairs, needsComparison } from "./metadata-filter.ts";
import type { DatabaseSchema, JobKind, JobStatus, JobsTable } from "./schema.ts";

export type JobRow = Selectable<JobsTable>;

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
}

export interface JobWithFile extends JobRow {
  file: JobFile | null;
}

const FILE_COLUMNS = [
  "files.filename",
  "files.source",
  "files.audio_duration",
  "files.number_of_channels",
  "files.object_key",
] as const;

type Joined = JobRow & { [Column in keyof Omit<JobFile, "id">]: JobFile[Column] | null };

function withFile({ filename, source, audio_duration, number_of_channels, object_key, ...row }: Joined): JobWithFile {
  const isThere = row.file_id !== null && filename !== null && object_key !== null;
  const file = isThere
    ? { id: row.file_id as string, filename, source, audio_duration, number_of_channels, object_key }
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
  const row = await database
    .selectFrom("jobs")
    .select((select) => select.fn.countAll<string>().as("count"))
    .where("account_id", "=", accountId)
    .where("status", "in", UNFINISHED)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export interface Claim {
  worker: string;
  now: Date;
  leaseUntil: Date;
}

/**
 * Takes the job that is next: of the account with the fewest running ones, its oldest. Accounts at their limit wait.
 * @param concurrentJobs  limit of accounts without one of their own; 0 is none
 * @returns undefined when there is none, or another process was faster
 */
export async function claimNextJob(
  database: Database,
  claim: Claim & { concurrentJobs: number },
): Promise<JobRow | undefined> {
  const next = sql<string>`(
    with running as (
      select account_id, count(*) as jobs from jobs
      where status = 'processing' and kind = 'pre-recorded' group by account_id
    )
    select head.id from accounts
    left join running on running.account_id = accounts.id
    cross join lateral (
      select jobs.id, jobs.created_at from jobs
      where jobs.account_id = accounts.id and jobs.status = 'queued' and jobs.kind = 'pre-recorded'
      order by jobs.created_at, jobs.id limit 1 for update skip locked
    ) as head
    where coalesce(nullif(coalesce(accounts.concurrent_jobs, ${claim.concurrentJobs}::integer), 0), 2147483647)
      > coalesce(running.jobs, 0)
    order by coalesce(running.jobs, 0), head.created_at limit 1
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

export async function renewLease(database: Database, ids: string[], worker: string, leaseUntil: Date): Promise<void> {
  if (ids.length === 0) return;
  await database
    .updateTable("jobs")
    .set({ lease_until: leaseUntil })
    .where("id", "in", ids)
    .where("worker", "=", worker)
    .where("status", "=", "processing")
    .execute();
}

/** Names a finished stage's output and the stage that follows. Progress clears the strikes. */
export async function finishStage(
  database: Database,
  id: string,
  step: { stageOutputs: object; nextStage: string; progress: number; fileId?: string },
): Promise<boolean> {
  const result = await database
    .updateTable("jobs")
    .set({
      stage_outputs: JSON.stringify(step.stageOutputs),
      stage: step.nextStage,
      progress: step.progress,
      strikes: 0,
      crashes: 0,
      ...(step.fileId ? { file_id: step.fileId } : {}),
    })
    .where("id", "=", id)
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
  | { status: "done"; completedAt: Date; resultKey: string }
  | { status: "error"; completedAt: Date; errorCode: number; errorMessage: string };

/** Ends a job. @returns false when it had ended before or is gone */
export async function endJob(database: Database, id: string, ending: Ending): Promise<boolean> {
  const outcome =
    ending.status === "done"
      ? { result_key: ending.resultKey, progress: 1 }
      : { error_code: ending.errorCode, error_message: ending.errorMessage };
  const result = await database
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
    .where("status", "in", UNFINISHED)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Gives a job back to the queue. A strike counts against it when nobody asked for the interruption. */
export async function requeueJob(database: Database, id: string, strike: boolean): Promise<void> {
  await database
    .updateTable("jobs")
    .set({
      status: "queued",
      worker: null,
      lease_until: null,
      ...(strike ? { strikes: sql<number>`strikes + 1` } : {}),
    })
    .where("id", "=", id)
    .where("status", "=", "processing")
    .execute();
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
export async function runningJobs(database: Database): Promise<JobRow[]> {
  return database
    .selectFrom("jobs")
    .selectAll()
    .where("status", "=", "processing")
    .where("kind", "=", "pre-recorded")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Jobs that ended before `before`, longest ago first. */
export async function endedJobs(database: Database, before: Date, limit: number): Promise<JobRow[]> {
  return database
    .selectFrom("jobs")
    .selectAll()
    .where("completed_at", "<", before)
    .orderBy("completed_at")
    .limit(limit)
    .execute();
}

/** Removes a job's row. @returns what hung on it, or undefined when it was gone */
export async function removeJob(database: Database, id: string): Promise<JobRow | undefined> {
  return database.deleteFrom("jobs").where("id", "=", id).returningAll().executeTakeFirst();
}

export interface QueuePlace {
  /** Jobs that will be served before this one. */
  ahead: number;
  /** Seconds of audio in them, as far as known. */
  audioSecondsAhead: number;
  /** How many of them have an unknown length. */
  unknownAhead: number;
}

/** Accounts take turns: of each other one, as many jobs go first as of the job's own account. */
export async function queuePlace(
  database: Database,
  job: Pick<JobRow, "id" | "account_id" | "created_at">,
): Promise<QueuePlace> {
  const { rows } = await sql<{ ahead: string; seconds: number; unknown: string }>`
    with waiting as (
      select jobs.account_id, files.audio_duration as seconds,
        row_number() over (partition by jobs.account_id order by jobs.created_at, jobs.id) as place,
        jobs.account_id = ${job.account_id} and (jobs.created_at, jobs.id) >= (${job.created_at}, ${job.id}) as is_later
      from jobs left join files on files.id = jobs.file_id
      where jobs.status = 'queued' and jobs.kind = 'pre-recorded'
    ), before as (
      select seconds from waiting
      where not is_later and place <= (
        select count(*) + 1 from waiting where account_id = ${job.account_id} and not is_later
      )
    ), running as (
      select files.audio_duration * (1 - jobs.progress) as seconds
      from jobs left join files on files.id = jobs.file_id
      where jobs.status = 'processing' and jobs.kind = 'pre-recorded'
    ), all_before as (select seconds from before union all select seconds from running)
    select (select count(*) from before) as ahead,
      (select coalesce(sum(seconds), 0) from all_before) as seconds,
      (select count(*) from all_before where seconds is null) as unknown
  `.execute(database);
  const [row] = rows;
  return {
    ahead: Number(row?.ahead ?? 0),
    audioSecondsAhead: Number(row?.seconds ?? 0),
    unknownAhead: Number(row?.unknown ?? 0),
  };
}

export interface JobFilter {
  accountId: string;
  kinds?: JobKind[];
  statuses?: JobStatus[];
  /** Created from … */
  from?: Date;
  /** … to before. */
  before?: Date;
  /** Created later than. */
  after?: Date;
  /** Pairs that the job's metadata must contain; every scalar as text. */
  metadata?: object;
  offset: number;
  limit: number;
}

/** How many matches of a pair are counted to find out which pair of several is the rarest. */
const COUNTED_MATCHES = 5_000;

async function rarest(database: Database, accountId: string, pairs: string[]): Promise<string | undefined> {
  if (pairs.length < 2) return pairs[0];
  const counts = await Promise.all(
    pairs.map(async (pair) => {
      const counted = await database
        .selectFrom((from) =>
          from
            .selectFrom("job_metadata")
            .select("job_id")
            .where("account_id", "=", accountId)
            .where("pair", "=", pair)
            .limit(COUNTED_MATCHES)
            .as("matches"),
        )
        .select((select) => select.fn.countAll<string>().as("count"))
        .executeTakeFirstOrThrow();
      return { pair, count: Number(counted.count) };
    }),
  );
  return counts.sort((left, right) => left.count - right.count)[0]?.pair;
}

type PageQuery = SelectQueryBuilder<DatabaseSchema, "jobs" | "job_metadata", { id: string }>;

/** Ids of a page, newest first, read along the one index that fits the filter best. */
async function pageOfIds(database: Database, filter: JobFilter): Promise<string[]> {
  const { accountId, kinds, statuses, from, before, after, metadata, offset, limit } = filter;
  const pairs = metadata ? metadataPairs(metadata) : [];
  const pair = await rarest(database, accountId, pairs);
  const along = pair === undefined ? "jobs" : "job_metadata";
  let query: PageQuery =
    pair === undefined
      ? (database.selectFrom("jobs").select("jobs.id") as unknown as PageQuery)
      : (database.selectFrom("job_metadata").select("job_metadata.job_id as id") as unknown as PageQuery).where(
          "job_metadata.pair",
          "=",
          pair,
        );
  query = query.where(`${along}.account_id`, "=", accountId);
  if (kinds) query = query.where(`${along}.kind`, "in", kinds);
  if (from) query = query.where(`${along}.created_at`, ">=", from);
  if (before) query = query.where(`${along}.created_at`, "<", before);
  if (after) query = query.where(`${along}.created_at`, ">", after);
  const isCompared = metadata !== undefined && needsComparison(metadata);
  if (pair !== undefined && (isCompared || statuses)) {
    query = query.innerJoin("jobs", "jobs.id", "job_metadata.job_id") as unknown as PageQuery;
  }
  for (const other of pairs.filter((candidate) => candidate !== pair)) {
    // The limit keeps the planner from joining with everything that has the other pair: it is looked up row by row.
    const found = sql<SqlBool>`(
      select true from job_metadata as other
      where other.job_id = job_metadata.job_id and other.pair = ${other}::bigint limit 1
    )`;
    query = query.where(found);
  }
  if (isCompared) query = query.where(sql<SqlBool>`jobs.metadata_filter @> ${JSON.stringify(metadata)}::jsonb`);
  if (statuses) query = query.where("jobs.status", "in", statuses);
  const rows = await query
    .orderBy(`${along}.created_at`, "desc")
    .orderBy(pair === undefined ? "jobs.id" : "job_metadata.job_id", "desc")
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** A page of jobs, newest first. */
export async function listJobs(database: Database, filter: JobFilter): Promise<JobWithFile[]> {
  const ids = await pageOfIds(database, filter);
  if (ids.length === 0) return [];
  const rows = await jobsWithFiles(database)
    .where("jobs.id", "in", ids)
    .orderBy("jobs.created_at", "desc")
    .orderBy("jobs.id", "desc")
    .execute();
  return rows.map(withFile);
}
