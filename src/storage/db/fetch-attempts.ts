// State of the fetch of a job's recording, beside the outputs of its stages: fetching comes before all of them, and the first output
// replaces it.
import type { Database } from "./database.ts";
import type { JobRow } from "./jobs.ts";

export interface FetchState {
  /** Attempts so far, the one under way included. */
  attempts: number;
  /** Why the last one that is over failed. */
  failure?: string;
  /** ISO 8601; absent while an attempt is under way. */
  nextAttemptAt?: string;
}

export async function setFetchState(database: Database, jobId: string, fetching: FetchState): Promise<void> {
  await database
    .updateTable("jobs")
    .set({ stage: "fetch", stage_outputs: JSON.stringify({ fetching }) })
    .where("id", "=", jobId)
    .where("status", "=", "processing")
    .where("file_id", "is", null)
    .execute();
}

/** @returns undefined for a job whose recording is not to be fetched, or is there */
export function fetchStateOf({ status, file_id, audio_url, stage_outputs }: JobRow): FetchState | undefined {
  if (file_id !== null || audio_url === null) return undefined;
  const { fetching } = (stage_outputs ?? {}) as { fetching?: Partial<FetchState> };
  if (status === "processing" && Number.isInteger(fetching?.attempts)) return fetching as FetchState;
  return { attempts: status === "processing" ? 1 : 0 };
}
