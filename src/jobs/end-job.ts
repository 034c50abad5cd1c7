// The end of a recorded job: its state and what is to be told of it, together or not at all.
import { enqueueEnding } from "../callbacks/enqueue.ts";
import type { Database } from "../storage/db/database.ts";
import { type Ending, endJob, type JobRow } from "../storage/db/jobs.ts";

/** @param worker  whose it must be @returns false when the job had ended before, is gone, or is another worker's */
export async function endRecordedJob(
  transaction: Database,
  row: JobRow,
  ending: Ending,
  worker?: string,
): Promise<boolean> {
  const isFirst = await endJob(transaction, row.id, ending, worker);
  if (isFirst) await enqueueEnding(transaction, row, ending);
  return isFirst;
}
