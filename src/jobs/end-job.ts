// The end of a recorded job: its state and what is to be told of it, together or not at all.
import { enqueueEnding } from "../callbacks/enqueue.ts";
import type { Database } from "../storage/db/database.ts";
import { type Ending, endJob, type JobRow } from "../storage/db/jobs.ts";

/** @returns false when the job had ended before or is gone */
export async function endRecordedJob(transaction: Database, row: JobRow, ending: Ending): Promise<boolean> {
  const isFirst = await endJob(transaction, row.id, ending);
  if (isFirst) await enqueueEnding(transaction, row, ending);
  return isFirst;
}
