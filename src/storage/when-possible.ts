// What was accepted is brought to its end, also while the database, the store or the disk cannot take it: it waits until they can.
import { isFull } from "./free-space.ts";

const RETRY_MILLISECONDS = 1_000;

/** Whether something failed for a reason that passes: nowhere to put things just now. */
export function mustWait(thrown: unknown): boolean {
  const { code } = thrown as { code?: string };
  return isFull(thrown) || code === "storage.unavailable" || code === "database.unavailable";
}

/**
 * Tries until there is somewhere to put things.
 * @param onWait  told each time that it has to wait
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
