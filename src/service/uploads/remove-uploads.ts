// Removes uploads that resume, with the bytes that are stored. A file that an upload has become stays.
import type { Database } from "../../platform/storage/db/database.ts";
import {
  forgetRemovals,
  keysInUse,
  planRemovals,
  type Removal,
} from "../../platform/storage/db/files/object-removals.ts";
import { leaveTombstones } from "../../platform/storage/db/files/tombstones.ts";
import { deleteUploads } from "../../platform/storage/db/files/uploads.ts";
import { inTransaction } from "../../platform/storage/db/transaction.ts";
import { audioKey, uploadFolder } from "../../platform/storage/objects/keys.ts";
import type { ObjectStore } from "../../platform/storage/objects/object-store.ts";

export interface UploadStores {
  database: Database;
  objects: ObjectStore;
}

/** @param transaction  the one that makes the objects unneeded */
export async function planUploadRemovals(
  transaction: Database,
  objects: ObjectStore,
  removals: readonly Removal[],
): Promise<void> {
  await planRemovals(transaction, removals);
  if (objects.kind === "bucket") await leaveTombstones(transaction, removals);
}

export async function removeUploadObjects(
  { database, objects }: UploadStores,
  removals: readonly Removal[],
): Promise<void> {
  for (const { key, isFolder } of removals) await (isFolder ? objects.removeFolder(key) : objects.remove(key));
  await forgetRemovals(database, removals);
}

/**
 * @param areExpired  removes only those whose time is over
 * @returns how many were removed
 */
export async function removeUploads(ids: readonly string[], stores: UploadStores, areExpired = false): Promise<number> {
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
    await planUploadRemovals(transaction, stores.objects, removals);
    return { removed, removals };
  });
  await removeUploadObjects(stores, removals);
  return removed.length;
}
