// Job rows. Every change of state goes through a guarded update, here or in held-jobs.ts, so that a job ends exactly once.
import { type Selectable, sql } from "kysely";
import type { PublicText } from "../../../public-message.ts";
import type { Database } from "../database.ts";
import { type DatabaseTime, type Moment, statementTime } from "../database-time.ts";
import type { JobStatus, JobsTable } from "../schema.ts";
import { countsOf } from "./account-lanes.ts";
import { requestOfEnded } from "./ended-request.ts";
import { type Hold, isHeldBy } from "./held-jobs.ts";
import { jobStatusesWith } from "./job-states.ts";

export type JobRow = Selectable<JobsTable>;

/** Further ones are read the next time. */
const MOST_WAITING_AT_ONCE = 1_000;
/** Statuses of jobs that can still end. */
const UNFINISHED: JobStatus[] = jobStatusesWith("fail");

export async function findJob(database: Database, id: string): Promise<JobRow | undefined> {
  return database.selectFrom("jobs").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Where the working files of a job are. */
export async function findAttempt(
  database: Database,
  id: string,
): Promise<Pick<JobRow, "id" | "attempt" | "stage_outputs"> | undefined> {
  return database.selectFrom("jobs").select(["id", "attempt", "stage_outputs"]).where("id", "=", id).executeTakeFirst();
}

/** Number of an account's jobs that have not ended, by status. */
export async function countByStatus(
  database: Database,
  accountId: string,
): Promise<{ queued: number; processing: number }> {
  const { waiting, running } = await countsOf(database, accountId);
  return { queued: waiting, processing: running };
}

export type Ending =
  | {
      status: "done";
      completedAt: DatabaseTime;
      /** Null for a request for add-ons, which changes the result of its job. */
      resultKey: string | null;
      /** SHA-256 in hexadecimal. */
      resultHash?: string;
    }
  | { status: "error"; completedAt: DatabaseTime; errorCode: number; errorMessage: PublicText };

/**
 * Ends a job.
 * @param hold  of the attempt that ends it; null for a job that no worker holds: a live session, or one that waits
 * @param isDamaged  see paramsWithoutVoices
 * @returns false if it had ended before, was deleted, or another attempt holds it
 */
export async function endJob(
  database: Database,
  id: string,
  ending: Ending,
  hold: Hold | null,
  isDamaged = false,
): Promise<boolean> {
  const update = endingUpdate(database, id, ending, isDamaged).where(
    "status",
    "in",
    jobStatusesWith(ending.status === "done" ? "succeed" : "fail"),
  );
  const held = hold === null ? update.where("worker", "is", null) : update.where(isHeldBy(hold));
  return (await held.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Ends a live session unless a client has started it. @returns false if one has, or if the session had ended or was deleted */
export async function endUnusedSession(database: Database, id: string, ending: Ending): Promise<boolean> {
  const update = endingUpdate(database, id, ending, false).where("status", "=", "queued");
  return (await update.executeTakeFirst()).numUpdatedRows > 0n;
}

function endingUpdate(database: Database, id: string, ending: Ending, isDamaged: boolean) {
  const outcome =
    ending.status === "done"
      ? { result_key: ending.resultKey, result_hash: ending.resultHash ?? null, progress: 1 }
      : { error_code: ending.errorCode, error_message: ending.errorMessage };
  return database
    .updateTable("jobs")
    .set({
      status: ending.status,
      completed_at: ending.completedAt,
      worker: null,
      lease_until: null,
      stage: null,
      stage_outputs: "{}",
      ...requestOfEnded(isDamaged),
      ...outcome,
    })
    .where("id", "=", id);
}

/** Records the hash of a result that an earlier version stored. */
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
 * Returns a recorded job whose stored result is lost to the queue, from its first stage on.
 * @returns false if the job was deleted, or has another result
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
      has_overview: false,
    })
    .where("id", "=", id)
    .where("kind", "=", "pre-recorded")
    .where("status", "in", jobStatusesWith("remake"))
    .where("result_key", "=", resultKey)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Recorded jobs that wait for a model that is not installed. */
export async function jobsWaitingForModels(
  database: Database,
  models: readonly string[],
): Promise<Pick<JobRow, "id" | "model" | "created_at">[]> {
  // Models of waiting jobs, each by one look into the index: jobs whose model is installed are not read. Without the requests: a thousand of
  // them may be a gigabyte.
  const { rows } = await sql<Pick<JobRow, "id" | "model" | "created_at">>`
    with recursive waiting(model) as (
      select min(model) from jobs where status = 'queued' and kind = 'pre-recorded'
      union all
      select (select min(jobs.model) from jobs
        where status = 'queued' and kind = 'pre-recorded' and jobs.model > waiting.model)
      from waiting where waiting.model is not null
    )
    select one.* from waiting cross join lateral (
      select id, model, created_at from jobs
      where status = 'queued' and kind = 'pre-recorded' and jobs.model = waiting.model
      order by created_at limit ${MOST_WAITING_AT_ONCE}
    ) as one
    where waiting.model is not null and not (waiting.model = any (${[...models]}::text[]))
    order by created_at limit ${MOST_WAITING_AT_ONCE}`.execute(database);
  return rows;
}

/** A job whose model cannot be installed continues with one that is. */
export async function useModel(database: Database, id: string, model: string): Promise<void> {
  await database.updateTable("jobs").set({ model }).where("id", "=", id).where("status", "=", "queued").execute();
}

/** A live session has its first connection. May be called again. @returns false if the session has ended, or was deleted */
export async function startLiveJob(database: Database, id: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("jobs")
    .set({ status: "processing", started_at: statementTime })
    .where("id", "=", id)
    .where("status", "in", jobStatusesWith("start"))
    .executeTakeFirst();
  return numUpdatedRows > 0n || (await unfinishedOf(database, [id])).has(id);
}

/** @returns the job; undefined if it was deleted, or has ended */
export async function attachFile(database: Database, id: string, fileId: string): Promise<JobRow | undefined> {
  return database
    .updateTable("jobs")
    .set({ file_id: fileId })
    .where("id", "=", id)
    .where("status", "in", UNFINISHED)
    .returningAll()
    .executeTakeFirst();
}

export async function setSessionMetadata(database: Database, id: string, metadata: object): Promise<void> {
  await database
    .updateTable("jobs")
    .set({ post_session_metadata: JSON.stringify(metadata) })
    .where("id", "=", id)
    .execute();
}

/**
 * Which callbacks are still sent: their attempts began at or after `since`, and they were made at or after `madeSince`. A callback whose secret
 * cannot be opened begins again and again.
 */
export interface StillSending {
  since: Moment;
  madeSince: Moment;
}

/**
 * Jobs that ended, or that a request last waited for, before `before`; oldest first.
 * @param sending  leaves out jobs with such a callback
 */
export async function jobsBefore(
  database: Database,
  column: "completed_at" | "wanted_until",
  before: Moment,
  page: { limit: number; offset: number },
  sending?: StillSending,
): Promise<Pick<JobRow, "id">[]> {
  let query = database.selectFrom("jobs").select("id").where(column, "<", before);
  if (sending !== undefined) {
    query = query.where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("deliveries")
            .select("deliveries.id")
            .whereRef("deliveries.job_id", "=", "jobs.id")
            .where("deliveries.status", "=", "pending")
            .where("deliveries.round_began_at", ">=", sending.since)
            .where("deliveries.created_at", ">=", sending.madeSince),
        ),
      ),
    );
  }
  return query.orderBy(column).orderBy("id").limit(page.limit).offset(page.offset).execute();
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
export async function keepWanted(database: Database, ids: readonly string[], until: Moment): Promise<void> {
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

/**
 * Removes the rows of jobs, and of the requests for add-ons to them.
 * @param onlyUnwanted  leaves jobs that a request waits for again since they were found
 * @returns the rows, without those that were deleted before
 */
export async function removeJobs(database: Database, ids: readonly string[], onlyUnwanted = false): Promise<JobRow[]> {
  if (ids.length === 0) return [];
  // In order, so that two processes that remove the same jobs do not block each other.
  const inOrder = [...ids].sort();
  const locked = await database
    .selectFrom("jobs")
    .select("id")
    .where("id", "in", inOrder)
    .$if(onlyUnwanted, (query) => query.where("wanted_until", "<", statementTime))
    .orderBy("id")
    .forUpdate()
    .execute();
  if (locked.length === 0) return [];
  const found = locked.map(({ id }) => id);
  // No further one is inserted: that locks the job.
  const addOns = await database
    .selectFrom("jobs")
    .select("id")
    .where("added_to", "in", found)
    .orderBy("id")
    .forUpdate()
    .execute();
  return database
    .deleteFrom("jobs")
    .where("id", "in", [...new Set([...found, ...addOns.map(({ id }) => id)])])
    .returningAll()
    .execute();
}
