// Requests for add-ons of a finished transcript: rows of `jobs` that name the job (migration 0036), and the change of its result.
import type { Database } from "../database.ts";
import { charactersOf, sizedBatches } from "../sized-batches.ts";
import type { JobRow } from "./jobs.ts";

/** Newest first. A request ends within hours, and is deleted with its job, or when it is as old as results may be. */
const MOST_LISTED_ADD_ONS = 100;

const UNFINISHED = ["queued", "processing"] as const;

/** Locks a job, so that its result, its corrections and its add-ons change one at a time. @returns undefined if it was deleted */
export async function lockJobWithResult(transaction: Database, id: string): Promise<JobRow | undefined> {
  return transaction.selectFrom("jobs").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
}

export async function hasUnfinishedAddOns(database: Database, jobId: string): Promise<boolean> {
  const row = await database
    .selectFrom("jobs")
    .select("id")
    .where("added_to", "=", jobId)
    .where("status", "in", UNFINISHED)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The last requests for add-ons of a job, newest first. Those that are deleted meanwhile are left out. */
export async function* listAddOns(database: Database, jobId: string): AsyncGenerator<JobRow> {
  const sizes = await database
    .selectFrom("jobs")
    .select(["id", charactersOf("request_params").as("characters")])
    .where("added_to", "=", jobId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(MOST_LISTED_ADD_ONS)
    .execute();
  for (const batch of sizedBatches(sizes)) {
    const ids = batch.map(({ id }) => id);
    yield* await database
      .selectFrom("jobs")
      .selectAll()
      .where("id", "in", ids)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .execute();
  }
}

/** Ids of all requests for add-ons of a job. */
export async function addOnIds(database: Database, jobId: string): Promise<Set<string>> {
  const rows = await database.selectFrom("jobs").select("id").where("added_to", "=", jobId).execute();
  return new Set(rows.map(({ id }) => id));
}

export interface ChangedResult {
  resultKey: string;
  /** SHA-256 in hexadecimal. */
  resultHash: string;
  /** The request with which the whole result would be made now. */
  params: object;
  /** Whether the utterances are others: the version of the transcript increases, because corrections name utterances by their index. */
  isDivided: boolean;
}

/** Gives a job another result. The search reads it again. @param transaction  one that has locked the job */
export async function changeResult(
  transaction: Database,
  id: string,
  { resultKey, resultHash, params, isDivided }: ChangedResult,
): Promise<void> {
  await transaction
    .updateTable("jobs")
    .set((column) => ({
      result_key: resultKey,
      result_hash: resultHash,
      divisions: column("divisions", "+", isDivided ? 1 : 0),
      request_params: JSON.stringify(params),
      is_searchable: false,
      has_overview: false,
    }))
    .where("id", "=", id)
    .execute();
}
