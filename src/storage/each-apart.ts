// Work on many rows of which each stands for itself: one that cannot be worked on is reported, and the others go on.
import { mustWait } from "./when-possible.ts";

/**
 * Runs `task` for one item after another.
 * @param onFailed  called with what an item failed for
 * @returns how many failed
 * @throws what fails for a reason that holds for all items and passes: the database or the store does not answer, the disk is full
 */
export async function eachApart<Item>(
  items: Iterable<Item>,
  task: (item: Item) => Promise<unknown>,
  onFailed: (item: Item, error: unknown) => void,
): Promise<number> {
  let failures = 0;
  for (const item of items) {
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
