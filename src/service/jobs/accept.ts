// A recorded job is accepted when its row, which is its place in the queue, is stored. Every interface accepts recorded jobs here.
import type { AddonParameters } from "../../contract/job-parameters.ts";
import type { Settings } from "../../platform/config/settings.ts";
import { errors } from "../../platform/errors.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { lockFile } from "../../platform/storage/db/files/files.ts";
import { waitingJobs } from "../../platform/storage/db/jobs/account-lanes.ts";
import { insertJob, type NewJob } from "../../platform/storage/db/jobs/new-job.ts";
import { inTransaction } from "../../platform/storage/db/transaction.ts";
import { addedWords } from "../vocabulary/account-vocabulary.ts";
import type { JobQueue } from "./queue.ts";
import type { WaitingForModels } from "./waiting-for-models.ts";

export interface AcceptServices {
  database: Database;
  queue: Pick<JobQueue, "wake">;
  settings: Pick<Settings, "maximumQueuedJobs">;
  waitingForModels: Pick<WaitingForModels, "wake">;
}

/** The job with the words of its account's vocabulary that it uses. */
async function withVocabulary(database: Database, job: NewJob): Promise<NewJob> {
  const params: AddonParameters = job.params;
  const { account_words, warnings } = await addedWords(database, job.accountId, params);
  if (!account_words && warnings.length === 0) return job;
  const all = [...(params.warnings ?? []), ...warnings];
  return {
    ...job,
    params: { ...params, ...(account_words ? { account_words } : {}), ...(all.length > 0 ? { warnings: all } : {}) },
  };
}

/**
 * @param before  what is stored with the job, or not at all
 * @throws limit.queued_jobs when the account has as many waiting as it may; file.unknown when the uploaded file was deleted meanwhile
 */
export async function acceptRecorded(
  job: NewJob,
  isModelInstalled: boolean,
  { database, queue, settings, waitingForModels }: AcceptServices,
  before: (transaction: Database) => Promise<void> = async () => undefined,
): Promise<void> {
  const { fileId } = job;
  const { maximumQueuedJobs } = settings;
  await inTransaction(database, async (transaction) => {
    await before(transaction);
    const file = fileId === undefined ? undefined : await lockFile(transaction, fileId);
    if (fileId !== undefined && (!file || file.audio_deleted_at)) throw errors.unknownFile();
    const row = await withVocabulary(transaction, job);
    if ((await waitingJobs(transaction, job.accountId)) >= maximumQueuedJobs)
      throw errors.tooManyQueuedJobs(maximumQueuedJobs);
    await insertJob(transaction, row);
  });
  queue.wake(fileId === undefined ? "fetch" : "process");
  if (!isModelInstalled) waitingForModels.wake();
}
