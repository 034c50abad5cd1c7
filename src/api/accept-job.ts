// A recorded job is accepted when its row, which is its place in the queue, is stored.
import { errors } from "../platform/errors.ts";
import type { Database } from "../platform/storage/db/database.ts";
import { countUnfinished } from "../platform/storage/db/jobs/jobs.ts";
import { insertJob, type NewJob } from "../platform/storage/db/jobs/new-job.ts";
import { inTransaction } from "../platform/storage/db/transaction.ts";
import type { ApiContext } from "./context.ts";

/** @throws limit.queued_jobs when the account has as many waiting as it may */
export async function refuseOverQueued(
  accountId: string,
  { database, settings }: Pick<ApiContext, "database" | "settings">,
): Promise<void> {
  if ((await countUnfinished(database, accountId)) >= settings.maximumQueuedJobs) {
    throw errors.tooManyQueuedJobs(settings.maximumQueuedJobs);
  }
}

/** @param before  what is stored with it, or not at all */
export async function acceptRecorded(
  job: NewJob,
  isModelInstalled: boolean,
  { database, queue, waitingForModels }: Pick<ApiContext, "database" | "queue" | "waitingForModels">,
  before: (transaction: Database) => Promise<void> = async () => undefined,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await before(transaction);
    await insertJob(transaction, job);
  });
  queue.wake(job.fileId === undefined ? "fetch" : "process");
  if (!isModelInstalled) waitingForModels.wake();
}
