// Removals of objects whose rows are deleted or changed. They are planned in the transaction that makes the objects unneeded, so that the
// removal is finished later if the process is killed before it ends.
import type { Database } from "./db/database.ts";
import { forgetRemovals, planRemovals, type Removal } from "./db/files/object-removals.ts";
import { leaveTombstones } from "./db/files/tombstones.ts";
import { isKey } from "./objects/keys.ts";
import type { ObjectStore } from "./objects/object-store.ts";

export interface RemovalStores {
  database: Database;
  objects: ObjectStore;
}

/** @param transaction  the one that makes the objects unneeded */
export async function planWithTombstones(
  transaction: Database,
  objects: ObjectStore,
  removals: readonly Removal[],
): Promise<void> {
  await planRemovals(transaction, removals);
  if (objects.kind === "bucket") await leaveTombstones(transaction, removals);
}

export async function removeObjects(objects: ObjectStore, removals: readonly Removal[]): Promise<void> {
  // Invalid keys of a damaged row are skipped, so that they do not stop the removal of the others.
  for (const { key, isFolder } of removals.filter((removal) => isKey(removal.key)))
    await (isFolder ? objects.removeFolder(key) : objects.remove(key));
}

/** Removes the planned objects, after the transaction. */
export async function finishPlanned({ database, objects }: RemovalStores, removals: readonly Removal[]): Promise<void> {
  await removeObjects(objects, removals);
  await forgetRemovals(database, removals);
}
