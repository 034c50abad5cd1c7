// Removes uploads that resume, with the bytes that are stored. A file that an upload has become stays.
import { keysInUse } from "../../platform/storage/db/files/object-removals.ts";
import { deleteUploads } from "../../platform/storage/db/files/uploads.ts";
import { inTransaction } from "../../platform/storage/db/transaction.ts";
import { audioKey, uploadFolder } from "../../platform/storage/objects/keys.ts";
import {
  planWithTombstones,
  type RemovalStores,
  RUNNING_WORK_SECONDS,
  removeDeleted,
} from "../../platform/storage/planned-removals.ts";

/**
 * @param areExpired  removes only those whose time is over
 * @returns how many were removed
 */
export async function removeUploads(
  ids: readonly string[],
  stores: RemovalStores,
  areExpired = false,
): Promise<number> {
  const { removed, removals } = await inTransaction(stores.database, async (transaction) => {
    const removed = await deleteUploads(transaction, ids, areExpired);
    const files = removed.map((id) => ({ key: audioKey(id), isFolder: false }));
    const used = await keysInUse(
      transaction,
      files.map(({ key }) => key),
    );
    const removals = [
      ...removed.map((id) => ({ key: uploadFolder(id), isFolder: true })),
      // Of a process that ended while it made the file.
      ...files.filter(({ key }) => !used.has(key)),
    ];
    // A request may be storing a part, or making the file: the objects are removed at once, and again when the plan is due.
    await planWithTombstones(transaction, stores.objects, removals, RUNNING_WORK_SECONDS);
    return { removed, removals };
  });
  await removeDeleted(stores, removals);
  return removed.length;
}
