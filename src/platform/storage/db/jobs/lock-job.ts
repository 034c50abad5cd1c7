import { errors } from "../../../errors.ts";
import type { Database } from "../database.ts";

/**
 * Locks a job until the end of the transaction, so that its corrections, notes and links change one at a time, and none while its result is
 * made again.
 * @returns the key of its result
 * @throws request.not_found
 */
export async function lockJob(transaction: Database, jobId: string): Promise<string | null> {
  const found = transaction.selectFrom("jobs").select("result_key").where("id", "=", jobId).forUpdate();
  const job = await found.executeTakeFirst();
  if (!job) throw errors.notFound("Job");
  return job.result_key;
}
