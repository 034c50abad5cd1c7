// Accepted work is completed, also while the database, the store, the disk or the machine cannot take it: it waits until they can.
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
export async function whenPossible<Result>(
  task: () => Promise<Result>,
  signal: AbortSignal,
  onWait: (error: unknown) => void,
): Promise<Result> {
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (signal.aborted || !mustWait(error)) throw error;
      onWait(error);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS));
    }
  }
}
