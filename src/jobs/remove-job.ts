// Nothing of a deleted job stays: record, queue place, working files, result, audio, callbacks.
import type { Database } from "../storage/db/database.ts";
import { removeFileIfUnused } from "../storage/db/files.ts";
import { type JobRow, removeJob } from "../storage/db/jobs.ts";
import { peaksKey } from "../storage/objects/keys.ts";
import type { ObjectStore } from "../storage/objects/object-store.ts";
import { workFolder } from "./stages/stage.ts";

export interface RemovalServices {
  database: Database;
  objects: ObjectStore;
  /** Stops work on a recorded job. */
  worker: { cancel(jobId: string): Promise<void> };
  live: { discard(jobId: string): Promise<void> };
}

/** @returns false when the job was gone already */
export async function removeWholeJob(
  { id, status }: Pick<JobRow, "id" | "status">,
  { database, objects, worker, live }: RemovalServices,
): Promise<boolean> {
  const row = await removeJob(database, id);
  if (!row) return false;
  if (row.kind === "live") await live.discard(id);
  else {
    if (status === "queued" || status === "processing") await worker.cancel(id);
    await objects.removeFolder(workFolder(id));
  }
  if (row.result_key) await objects.remove(row.result_key);
  // A job cancelled while it fetched has its copy under its own id.
  for (const fileId of new Set([row.file_id, id])) {
    if (!fileId) continue;
    const key = await removeFileIfUnused(database, fileId);
    if (key) await Promise.all([key, peaksKey(fileId)].map((one) => objects.remove(one)));
  }
  return true;
}
