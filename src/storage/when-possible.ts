// Accepted work is completed, also while the database, the store, the disk or the machine cannot take it: it waits until they can.
import { retry } from "../process/retry.ts";
import { shortageOf } from "../system-shortage.ts";

const RETRY_MILLISECONDS = 1_000;
/** Errors of the catalogue that pass by themselves. */
const PASSING = new Set(["storage.full", "storage.unavailable", "database.unavailable", "system.exhausted"]);

/** Whether something failed for a reason that has nothing to do with it and passes: accepted work waits, and does not fail. */
export function mustWait(thrown: unknown): boolean {
  const { code = "" } = (thrown ?? {}) as { code?: string };
  return PASSING.has(code) || shortageOf(thrown) !== undefined;
}

/**
 * Tries until the task does not have to wait any more.
 * @param onWait  called each time that it has to
 * @throws whatever else `task` throws, and the last error when `signal` is aborted
 */
export function whenPossible<Result>(
  task: () => Promise<Result>,
  signal: AbortSignal,
  onWait: (error: unknown) => void,
): Promise<Result> {
  return retry(task, {
    pauseAfter: (error) => (signal.aborted || !mustWait(error) ? undefined : RETRY_MILLISECONDS),
    onFailed: onWait,
  });
}
