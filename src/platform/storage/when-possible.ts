// Accepted work is completed: while the database, the store, the disk or the machine are unavailable, it waits.
import { type ErrorCode, ParlanceError } from "../errors.ts";
import { retry } from "../process/retry.ts";
import { shortageOf } from "../system-shortage.ts";

const RETRY_MILLISECONDS = 1_000;
/** Temporary errors of the catalogue. */
const PASSING = new Set<ErrorCode>(["storage.full", "storage.unavailable", "database.unavailable", "system.exhausted"]);

/** Whether an error is temporary and unrelated to the work: accepted work then waits instead of failing. */
export function mustWait(thrown: unknown): boolean {
  return (thrown instanceof ParlanceError && PASSING.has(thrown.code)) || shortageOf(thrown) !== undefined;
}

/**
 * Repeats the task until it succeeds or fails for another reason than `mustWait`.
 * @param onWait  called before each pause
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
