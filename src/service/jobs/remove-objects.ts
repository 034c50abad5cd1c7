// Removes the objects of deleted rows, including those of an interrupted deletion, or written by another machine
// afterwards.
import { removeFilesIfUnused } from "../../platform/storage/db/files/files.ts";
import {
  dueRemovals,
  forgetRemovals,
  keysInUse,
  planRemovals,
} from "../../platform/storage/db/files/object-removals.ts";
import { inTransaction } from "../../platform/storage/db/transaction.ts";
import { eachApart } from "../../platform/storage/each-apart.ts";
import { fileIdOf } from "../../platform/storage/objects/keys.ts";
import { type RemovalStores, removeObjects } from "../../platform/storage/planned-removals.ts";

const BATCH = 200;

/** An object that could not be removed is tried again after this time, so that it does not delay the others. */
const AGAIN_SECONDS = 3_600;

/**
 * Finishes deletions that are due.
 * @param onFailed  called for an object that cannot be removed
 * @returns the number of objects and folders
 */
export async function finishRemovals(
  { database, objects }: RemovalStores,
  onFailed: (key: string, error: unknown) => void,
): Promise<number> {
  let count = 0;
  for (;;) {
    const due = await dueRemovals(database, BATCH);
    // A worker that had not noticed the deletion may have stored the job's recording again.
    const fileIds = due.flatMap(({ key }) => fileIdOf(key) ?? []);
    await inTransaction(database, (transaction) => removeFilesIfUnused(transaction, fileIds));
    const inUse = await keysInUse(
      database,
      due.map(({ key }) => key),
    );
    const failed = new Set<string>();
    await eachApart(
      due.filter(({ key }) => !inUse.has(key)),
      (removal) => removeObjects(objects, [removal]),
      ({ key }, error) => {
        failed.add(key);
        onFailed(key, error);
      },
    );
    const done = due.filter(({ key }) => !failed.has(key));
    await forgetRemovals(database, done);
    await planRemovals(
      database,
      due.filter(({ key }) => failed.has(key)),
      AGAIN_SECONDS,
    );
    count += done.length;
    if (due.length < BATCH) return count;
  }
}
