// Ends a recorded job: its state and its callback in one transaction.
import type { Logger } from "pino";
import { errors, toParlanceError } from "../../platform/errors.ts";
import { publicMessage, publicText } from "../../platform/public-message.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import type { DatabaseTime } from "../../platform/storage/db/database-time.ts";
import { keysInUse, planRemovals, type Removal } from "../../platform/storage/db/files/object-removals.ts";
import type { Hold } from "../../platform/storage/db/jobs/held-jobs.ts";
import { type Ending, endJob, type JobRow } from "../../platform/storage/db/jobs/jobs.ts";
import { inTransaction } from "../../platform/storage/db/transaction.ts";
import { finishPlanned, type RemovalStores } from "../../platform/storage/planned-removals.ts";
import { mustWait } from "../../platform/storage/when-possible.ts";
import { enqueueEnding } from "../callbacks/enqueue.ts";
import { resultKeysOf } from "./result-keys.ts";
import { workFolder } from "./stages/work-files.ts";

/** The ending of a failed job: error code and message returned for it. All failures use this function. */
export function failedEnding(thrown: unknown, completedAt: DatabaseTime): Ending {
  const error = toParlanceError(thrown);
  const errorMessage =
    error.code === "internal"
      ? publicText("The service failed on this job; its log has the reason")
      : publicMessage(error);
  return { status: "error", completedAt, errorCode: error.status, errorMessage };
}

type EndedRow = Pick<JobRow, "id" | "attempt" | "added_to">;

/** Objects that are unneeded at the end of a job: its working files, and results of attempts that did not end it. */
async function leftAtEnd(database: Database, row: EndedRow, ending: Ending): Promise<Removal[]> {
  const keys = resultKeysOf(row, ending.status === "done" ? ending.resultKey : null);
  // A job has one of the results that requests for add-ons made for it.
  const used = row.added_to === null ? new Set() : await keysInUse(database, keys);
  const results = keys.filter((key) => !used.has(key)).map((key) => ({ key, isFolder: false }));
  return [{ key: workFolder(row.id), isFolder: true }, ...results];
}

/** Removes the objects that the attempts of an ended job leave. What cannot be removed now is planned, and removed later. */
export async function removeLeft(
  { logger, ...stores }: RemovalStores & { logger: Logger },
  job: EndedRow,
  ending: Ending,
): Promise<void> {
  const finish = async () => finishPlanned(stores, await leftAtEnd(stores.database, job, ending));
  await finish().catch((error: unknown) =>
    logger.warn({ err: error, job: job.id }, "working files of a job could not be removed yet"),
  );
}

export interface EndOptions {
  /** See endJob. */
  hold: Hold | null;
  /** Further changes in the same transaction. */
  before?: (transaction: Database) => Promise<void>;
}

/**
 * Ends a job and plans the removal of what its attempts leave; `removeLeft` may remove it at once. If the job cannot be ended with its
 * callback, because its row is damaged, it ends as an error without one, and the reason is logged.
 * @returns false if the job had ended before, was deleted, or another attempt holds it
 * @throws transient errors: the database is unavailable
 */
export async function endRecordedJob(
  { database, logger }: { database: Database; logger: Logger },
  row: JobRow,
  ending: Ending,
  { hold, before }: EndOptions,
): Promise<boolean> {
  try {
    return await inTransaction(database, async (transaction) => {
      await before?.(transaction);
      const isFirst = await endAndPlan(transaction, row, ending, hold);
      if (isFirst) await enqueueEnding(transaction, row, ending);
      return isFirst;
    });
  } catch (error) {
    if (mustWait(error)) throw error;
    logger.error(
      { err: error, job: row.id, status: ending.status },
      "a job could not be ended with its callback; it ends as an error",
    );
    const failed = failedEnding(errors.jobNotEnded(), ending.completedAt);
    return inTransaction(database, (transaction) => endAndPlan(transaction, row, failed, hold, true));
  }
}

/** @returns as endJob */
async function endAndPlan(
  transaction: Database,
  row: JobRow,
  ending: Ending,
  hold: Hold | null,
  isDamaged = false,
): Promise<boolean> {
  const isFirst = await endJob(transaction, row.id, ending, hold, isDamaged);
  if (isFirst) await planRemovals(transaction, await leftAtEnd(transaction, row, ending));
  return isFirst;
}
