// Removes the objects of deleted rows, including those of an interrupted deletion, or written by another machine
// afterwards.
import { removeFilesIfUnused } from "../../platform/storage/db/files/files.ts";
import {
  dueRemovals,
  forgetRemovals,
  keysInUse,
  planRemovals,
  type Removal,
} from "../../platform/storage/db/files/object-removals.ts";
import { inTransaction } from "../../platform/storage/db/transaction.ts";
import { eachApart } from "../../platform/storage/each-apart.ts";
import { fileIdOf } from "../../platform/storage/objects/keys.ts";
import { type RemovalStores, removeDeleted } from "../../platform/storage/planned-removals.ts";

const BATCH = 200;

/** An object that could not be removed is tried again after this time, so that it does not delay the others. */
const AGAIN_SECONDS = 3_600;

/**
 * Finishes deletions that are due.
 * @param onFailed  called for an object that cannot be removed
 * @param signal    when it is aborted, the rest is removed the next time
 * @returns the number of objects and folders
 */
export async function finishRemovals(
  stores: RemovalStores,
  onFailed: (key: string, error: unknown) => void,
  signal?: AbortSignal,
): Promise<number> {
  const { database } = stores;
  let count = 0;
  while (!signal?.aborted) {
    const due = await dueRemovals(database, BATCH);
    // A worker that had not noticed the deletion may have stored the job's recording again.
    const fileIds = due.flatMap(({ key }) => fileIdOf(key) ?? []);
    await inTransaction(database, (transaction) => removeFilesIfUnused(transaction, fileIds));
    const inUse = await keysInUse(
      database,
      due.map(({ key }) => key),
    );
    const done = due.filter(({ key }) => inUse.has(key));
    const failed: Removal[] = [];
    await eachApart(
      due.filter(({ key }) => !inUse.has(key)),
      async (removal) => {
        await removeDeleted(stores, [removal]);
        done.push(removal);
      },
      (removal, error) => {
        failed.push(removal);
        onFailed(removal.key, error);
      },
      signal,
    );
    await forgetRemovals(database, done);
    await planRemovals(database, failed, AGAIN_SECONDS);
    count += done.length;
    if (due.length < BATCH) break;
  }
  return count;
}
