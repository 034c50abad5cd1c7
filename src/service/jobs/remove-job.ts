// Deletes a job completely: row, queue entry, working files, result, audio and callbacks. Its objects are listed in the
// transaction that deletes its rows, so that a kill in between leaves nothing.
import type { Database } from "../../platform/storage/db/database.ts";
import { statementTime } from "../../platform/storage/db/database-time.ts";
import { dropAudio, isFileInUse, lockFile, removeFileIfUnused } from "../../platform/storage/db/files/files.ts";
import {
  forgetRemovals,
  keysInUse,
  planRemovals,
  type Removal,
} from "../../platform/storage/db/files/object-removals.ts";
import { leaveTombstones } from "../../platform/storage/db/files/tombstones.ts";
import { type JobRow, removeJob } from "../../platform/storage/db/jobs/jobs.ts";
import { inTransaction } from "../../platform/storage/db/transaction.ts";
import {
  attemptResultKey,
  attemptsWithObjects,
  audioKey,
  fetchedKey,
  liveFolder,
  peaksKey,
  resultKey,
  trackPeaksFolder,
} from "../../platform/storage/objects/keys.ts";
import type { ObjectStore } from "../../platform/storage/objects/object-store.ts";
import { removeObjects } from "./remove-objects.ts";
import { workFolder } from "./stages/work-files.ts";

export interface RemovalServices {
  database: Database;
  objects: ObjectStore;
  /** Stops the processing of a recorded job. */
  worker: { cancel(jobId: string): Promise<void> };
  live: { discard(jobId: string): Promise<void> };
  /** Whether no other process works on jobs of this database. */
  isOnlyProcess: boolean;
}

/**
 * Another machine detects the deletion of its job at the next lease renewal and aborts it. Objects that it writes until
 * then are removed after this time.
 */
const OTHER_MACHINES_SECONDS = 60;

const object = (key: string): Removal => ({ key, isFolder: false });

/** The audio of a file, and what was computed from it. */
const objectsOfFile = (id: string, key: string): Removal[] => [
  ...[key, peaksKey(id)].map(object),
  { key: trackPeaksFolder(id), isFolder: true },
];

/** Deletes a file's row unless a job uses it. @returns its objects */
async function removeFileRow(transaction: Database, id: string): Promise<Removal[]> {
  const key = await removeFileIfUnused(transaction, id);
  return key === undefined ? [] : objectsOfFile(id, key);
}

/** Objects that the attempts of a job may have stored, or may still store. */
function keysOfAttempts({ id, attempt }: JobRow): string[] {
  const ofAttempts = attemptsWithObjects(attempt).flatMap((one) => [fetchedKey(id, one), attemptResultKey(id, one)]);
  return [audioKey(id), resultKey(id), ...ofAttempts];
}

/** Objects of the job, including those that running work may still write. */
async function objectsOf(transaction: Database, row: JobRow, isUnfinished: boolean): Promise<Removal[]> {
  const removals = row.result_key ? [object(row.result_key)] : [];
  // A job cancelled while fetching has a copy under its own id.
  for (const fileId of new Set([row.file_id, row.id])) {
    if (fileId) removals.push(...(await removeFileRow(transaction, fileId)));
  }
  removals.push({ key: row.kind === "live" ? liveFolder(row.id) : workFolder(row.id), isFolder: true });
  if (isUnfinished) removals.push(...keysOfAttempts(row).map(object));
  const unique = new Map(removals.map((one) => [one.key, one]));
  // Another job may use the recording in the meantime.
  for (const key of await keysInUse(transaction, [...unique.keys()])) unique.delete(key);
  return [...unique.values()];
}

/** @returns false if the job was already deleted */
export async function removeWholeJob({ id }: Pick<JobRow, "id">, services: RemovalServices): Promise<boolean> {
  const { database, objects, worker, live, isOnlyProcess } = services;
  const removed = await inTransaction(database, async (transaction) => {
    const row = await removeJob(transaction, id);
    if (!row) return undefined;
    const isUnfinished = row.status === "queued" || row.status === "processing";
    const removals = await objectsOf(transaction, row, isUnfinished);
    const isElsewhere = isUnfinished && !isOnlyProcess;
    await planRemovals(transaction, removals, isElsewhere ? OTHER_MACHINES_SECONDS : 0);
    // Of the objects of a bucket, other machines have copies. A log of a live session is removed only where a tombstone proves the deletion.
    if (objects.kind === "bucket" || (row.kind === "live" && !isOnlyProcess))
      await leaveTombstones(transaction, removals);
    return { row, isUnfinished, isElsewhere, removals };
  });
  if (!removed) return false;
  const { row, isUnfinished, isElsewhere, removals } = removed;
  if (row.kind === "live") await live.discard(id);
  else if (isUnfinished) await worker.cancel(id);
  await removeObjects(objects, removals);
  // It may have fetched its recording until it was cancelled.
  if (isUnfinished) await removeWholeFile(id, services);
  if (!isElsewhere) await forgetRemovals(database, removals);
  return true;
}

type FileStores = Pick<RemovalServices, "database" | "objects">;

/** @param plan  deletes or changes rows, and returns the objects that are removed with them */
async function removePlanned(
  plan: (transaction: Database) => Promise<Removal[]>,
  { database, objects }: FileStores,
): Promise<void> {
  const removals = await inTransaction(database, async (transaction) => {
    const planned = await plan(transaction);
    await planRemovals(transaction, planned);
    if (objects.kind === "bucket") await leaveTombstones(transaction, planned);
    return planned;
  });
  await removeObjects(objects, removals);
  await forgetRemovals(database, removals);
}

/** Deletes a file that no job uses, with its objects. */
export async function removeWholeFile(id: string, stores: FileStores): Promise<void> {
  await removePlanned((transaction) => removeFileRow(transaction, id), stores);
}

/**
 * Deletes the audio of a file, and what was computed from it. Ended jobs keep its record.
 * @returns `isInUse`: a job that has not ended needs the file, and nothing was deleted; false if there is no such file
 */
export async function removeAudio(id: string, stores: FileStores): Promise<{ isInUse: boolean }> {
  let isInUse = false;
  await removePlanned(async (transaction) => {
    const file = await lockFile(transaction, id);
    isInUse = await isFileInUse(transaction, id);
    if (!file || file.audio_deleted_at || isInUse) return [];
    await dropAudio(transaction, id, statementTime);
    return objectsOfFile(id, file.object_key);
  }, stores);
  return { isInUse };
}
