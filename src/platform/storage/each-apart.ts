// Processes independent items one after another: a failure of one is reported, and the others are still processed.
import { mustWait } from "./when-possible.ts";

/**
 * Runs `task` for one item after another.
 * @param onFailed  called with the error of an item
 * @param signal    when it is aborted, the items after the present one are left out
 * @returns number of failed items
 * @throws errors that concern all items and are temporary: the database or the store does not answer, the disk is full
 */
export async function eachApart<Item>(
  items: Iterable<Item>,
  task: (item: Item) => Promise<unknown>,
  onFailed: (item: Item, error: unknown) => void,
  signal?: AbortSignal,
): Promise<number> {
  let failures = 0;
  for (const item of items) {
    if (signal?.aborted) break;
    try {
      await task(item);
    } catch (error) {
      if (mustWait(error)) throw error;
      failures++;
      onFailed(item, error);
    }
  }
  return failures;
}
