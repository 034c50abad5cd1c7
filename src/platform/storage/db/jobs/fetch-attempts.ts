// Reads the state of the fetch of a job's recording, which held-jobs.ts writes. It is stored in place of the outputs of the
// stages: fetching precedes all of them, and the first output replaces it.
import type { FetchState } from "./held-jobs.ts";
import type { JobRow } from "./jobs.ts";

/** @returns undefined for a job whose recording is not to be fetched, or is there */
export function fetchStateOf({ status, file_id, audio_url, stage_outputs }: JobRow): FetchState | undefined {
  if (file_id !== null || audio_url === null) return undefined;
  const { fetching } = (stage_outputs ?? {}) as { fetching?: Partial<FetchState> };
  if (status === "processing" && Number.isInteger(fetching?.attempts)) return fetching as FetchState;
  return { attempts: status === "processing" ? 1 : 0 };
}
