// Writes of a worker to a job that it holds. Each names the attempt that the claim began: a process that stalled, and whose
// job was recovered in the meantime, changes nothing, even if the next attempt runs in the same process.
import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import type { Database } from "../database.ts";
import { fromStatement } from "../database-time.ts";
import type { DatabaseSchema, JobsTable } from "../schema.ts";
import { ADDRESS_WITHOUT_CREDENTIALS } from "./ended-request.ts";
import { jobStatusesWith } from "./job-states.ts";

/** One attempt of a job: what a claim gives to a worker. Attempts of a job are numbered from 1 and never repeat. */
export interface Hold {
  id: string;
  worker: string;
  attempt: number;
}

/** @param row  of a job that was just claimed */
export const holdOf = ({ id, worker, attempt }: Pick<Selectable<JobsTable>, "id" | "worker" | "attempt">): Hold => ({
  id,
  worker: worker ?? "",
  attempt,
});

/** State of the fetch of a recording. */
export interface FetchState {
  /** Attempts so far, the one under way included. */
  attempts: number;
  /** Why the last one that is over failed. */
  failure?: string;
  /** ISO 8601; absent while an attempt is under way. */
  nextAttemptAt?: string;
}

/** Condition: this attempt still holds its job. */
export const isHeldBy =
  ({ id, worker, attempt }: Hold) =>
  (where: ExpressionBuilder<DatabaseSchema, "jobs">) =>
    where.and([
      where("jobs.id", "=", id),
      where("jobs.worker", "=", worker),
      where("jobs.attempt", "=", attempt),
      where("jobs.status", "in", jobStatusesWith("advance")),
    ]);

/**
 * Stores a finished stage's output and the name of the next stage. Progress clears the strikes.
 * @param step  with `fileId`, the fetched copy: the job goes back to the queue, to be claimed in the other lane; with `model`,
 *              the one that it needs instead: it goes back to the queue and waits there for that model
 * @returns false if this attempt no longer holds the job
 */
export async function finishStage(
  database: Database,
  hold: Hold,
  step: {
    stageOutputs: object;
    nextStage: string;
    progress: number;
    restSeconds: number;
    fileId?: string | undefined;
    model?: string;
  },
): Promise<boolean> {
  const { fileId, model } = step;
  const goesBack = fileId !== undefined || model !== undefined;
  const result = await database
    .updateTable("jobs")
    .set({
      stage_outputs: JSON.stringify(step.stageOutputs),
      stage: step.nextStage,
      progress: step.progress,
      expected_at: fromStatement(step.restSeconds),
      strikes: 0,
      crashes: 0,
      ...(fileId === undefined ? {} : { file_id: fileId, audio_url: ADDRESS_WITHOUT_CREDENTIALS }),
      ...(model === undefined ? {} : { model }),
      ...(goesBack ? { status: "queued" as const, worker: null, lease_until: null } : {}),
    })
    .where(isHeldBy(hold))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** @returns false if this attempt no longer holds the job */
export async function setProgress(
  database: Database,
  hold: Hold,
  {
    stage,
    progress,
    restSeconds,
    clearsStrikes,
  }: { stage: string; progress: number; restSeconds: number; clearsStrikes: boolean },
): Promise<boolean> {
  const result = await database
    .updateTable("jobs")
    .set({ progress, stage, expected_at: fromStatement(restSeconds), ...(clearsStrikes ? { strikes: 0 } : {}) })
    .where(isHeldBy(hold))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** @returns false if this attempt no longer holds the job, or its recording was fetched */
export async function setFetchState(database: Database, hold: Hold, fetching: FetchState): Promise<boolean> {
  const result = await database
    .updateTable("jobs")
    .set({ stage: "fetch", stage_outputs: JSON.stringify({ fetching }) })
    .where(isHeldBy(hold))
    .where("file_id", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Counts a child process that this job crashed.
 * @returns crashes since its last progress; undefined if this attempt no longer holds the job
 */
export async function countCrash(database: Database, hold: Hold): Promise<number | undefined> {
  const row = await database
    .updateTable("jobs")
    .set({ crashes: sql<number>`crashes + 1` })
    .where(isHeldBy(hold))
    .returning("crashes")
    .executeTakeFirst();
  return row?.crashes;
}

/**
 * Returns a job to the queue.
 * @param strike  whether the interruption counts towards the limit: it was not requested
 * @returns false if this attempt no longer holds the job
 */
export async function requeueJob(database: Database, hold: Hold, strike: boolean): Promise<boolean> {
  const result = await database
    .updateTable("jobs")
    .set({
      status: "queued",
      worker: null,
      lease_until: null,
      ...(strike ? { strikes: sql<number>`strikes + 1` } : {}),
    })
    .where(isHeldBy(hold))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Locks the row of a job until the end of the transaction, so that rows and objects that belong to the attempt are written
 * only while it holds the job.
 * @returns false if this attempt no longer holds the job
 */
export async function lockHeldJob(transaction: Database, hold: Hold): Promise<boolean> {
  const row = await transaction
    .selectFrom("jobs")
    .select("jobs.id")
    .where(isHeldBy(hold))
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
