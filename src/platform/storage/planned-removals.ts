// Removals of objects whose rows are deleted or changed. They are planned in the transaction that makes the objects unneeded, so that the
// removal is finished later if the process is killed before it ends.
import type { Database } from "./db/database.ts";
import { forgetRemovals, planRemovals, type Removal } from "./db/files/object-removals.ts";
import { leaveTombstones } from "./db/files/tombstones.ts";
import { isKey } from "./objects/keys.ts";
import type { ObjectStore } from "./objects/object-store.ts";
import type { Quarantine } from "./quarantine.ts";

export interface RemovalStores {
  database: Database;
  objects: ObjectStore;
  /** Of this machine. Without it, entries of the quarantine stay. */
  quarantine?: Pick<Quarantine, "removeCopies">;
}

/**
 * Work of other requests and machines that had begun ends within this time after a deletion. Objects that it writes until then are removed
 * by a second removal.
 */
export const RUNNING_WORK_SECONDS = 60;

/**
 * @param transaction   the one that makes the objects unneeded
 * @param delaySeconds  time until the removal is due
 */
export async function planWithTombstones(
  transaction: Database,
  objects: ObjectStore,
  removals: readonly Removal[],
  delaySeconds = 0,
): Promise<void> {
  await planRemovals(transaction, removals, delaySeconds);
  if (objects.kind === "bucket") await leaveTombstones(transaction, removals);
}

async function removeObjects(objects: ObjectStore, removals: readonly Removal[]): Promise<void> {
  // Invalid keys of a damaged row are skipped, so that they do not stop the removal of the others.
  for (const { key, isFolder } of removals.filter((removal) => isKey(removal.key)))
    await (isFolder ? objects.removeFolder(key) : objects.remove(key));
}

/** Removes the objects of deleted rows, also those in the quarantine. */
export async function removeDeleted(
  { objects, quarantine }: Pick<RemovalStores, "objects" | "quarantine">,
  removals: readonly Removal[],
): Promise<void> {
  await removeObjects(objects, removals);
  await quarantine?.removeCopies(removals.map(({ key }) => key));
}

/** Removes the planned objects, after the transaction. */
export async function finishPlanned({ database, objects }: RemovalStores, removals: readonly Removal[]): Promise<void> {
  await removeObjects(objects, removals);
  await forgetRemovals(database, removals);
}
