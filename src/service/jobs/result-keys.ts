// Objects in which the attempts of a job store results.
import type { JobRow } from "../../platform/storage/db/jobs/jobs.ts";
import { addOnsResultKey, attemptsWithObjects, otherResultKeys } from "../../platform/storage/objects/keys.ts";

/**
 * Keys of the results that the attempts of a job, or of a request for add-ons, may have stored.
 * @param own  key that is left out, if there is one
 */
export function resultKeysOf(
  { id, attempt, added_to: jobId }: Pick<JobRow, "id" | "attempt" | "added_to">,
  own: string | null,
): string[] {
  if (jobId === null) return otherResultKeys(id, attempt, own);
  return attemptsWithObjects(attempt).map((one) => addOnsResultKey(jobId, id, one));
}
