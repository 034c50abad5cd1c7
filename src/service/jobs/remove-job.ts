// Deletes jobs completely: rows, queue entries, working files, results, audio and callbacks. Their objects are listed in the
// transaction that deletes the rows, so that a kill in between leaves nothing.
import type { Database } from "../../platform/storage/db/database.ts";
import { statementTime } from "../../platform/storage/db/database-time.ts";
import { dropAudio, isFileInUse, lockFile, removeFilesIfUnused } from "../../platform/storage/db/files/files.ts";
import {
  forgetRemovals,
  keysInUse,
  planRemovals,
  type Removal,
} from "../../platform/storage/db/files/object-removals.ts";
import { leaveTombstones } from "../../platform/storage/db/files/tombstones.ts";
import { type JobRow, removeJobs } from "../../platform/storage/db/jobs/jobs.ts";
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
import {
  planWithTombstones,
  type RemovalStores,
  RUNNING_WORK_SECONDS,
  removeDeleted,
} from "../../platform/storage/planned-removals.ts";
import { resultKeysOf } from "./result-keys.ts";
import { workFolder } from "./stages/work-files.ts";

export interface RemovalServices extends RemovalStores {
  /** Stops the processing of a recorded job. */
  worker: { cancel(jobId: string): Promise<void> };
  live: { discard(jobId: string): Promise<void> };
  /** Whether no other process works on jobs of this database. */
  isOnlyProcess: boolean;
}

const object = (key: string): Removal => ({ key, isFolder: false });

/** The audio of a file, and what was computed from it. */
const objectsOfFile = (id: string, key: string): Removal[] => [
  ...[key, peaksKey(id)].map(object),
  { key: trackPeaksFolder(id), isFolder: true },
];

/** Deletes the rows of files that no job uses. @returns their objects, by the id of the file */
async function removeFileRows(transaction: Database, ids: readonly string[]): Promise<Map<string, Removal[]>> {
  const removed = await removeFilesIfUnused(transaction, ids);
  return new Map(removed.map(({ id, object_key }) => [id, objectsOfFile(id, object_key)]));
}

/** Objects that the attempts of a job may have stored, or may still store. */
function keysOfAttempts(row: JobRow): string[] {
  const { id, attempt } = row;
  if (row.added_to !== null) return resultKeysOf(row, null);
  const ofAttempts = attemptsWithObjects(attempt).flatMap((one) => [fetchedKey(id, one), attemptResultKey(id, one)]);
  return [audioKey(id), resultKey(id), ...ofAttempts];
}

/** A deleted job, and the objects that are removed with it. */
interface RemovedJob {
  row: JobRow;
  /** Another process may work on it. */
  isElsewhere: boolean;
  removals: Removal[];
}

const isUnfinished = ({ status }: JobRow) => status === "queued" || status === "processing";
/** A job cancelled while fetching has a copy under its own id. */
const filesOf = ({ id, file_id }: JobRow): string[] => [...new Set([...(file_id === null ? [] : [file_id]), id])];

/** Objects of the job, including those that running work may still write. @param files  objects of files that were removed, by id */
function objectsOf(row: JobRow, files: ReadonlyMap<string, Removal[]>): Removal[] {
  const removals = row.result_key ? [object(row.result_key)] : [];
  for (const fileId of filesOf(row)) removals.push(...(files.get(fileId) ?? []));
  removals.push({ key: row.kind === "live" ? liveFolder(row.id) : workFolder(row.id), isFolder: true });
  // Earlier versions left results to which an ended job no longer refers: of attempts that did not end it, and replaced ones.
  const keys = isUnfinished(row) ? keysOfAttempts(row) : resultKeysOf(row, row.result_key);
  removals.push(...keys.map(object));
  return removals;
}

/** Deletes the rows of jobs and of their files, and lists their objects. */
async function removeRows(
  transaction: Database,
  ids: readonly string[],
  { objects, isOnlyProcess }: RemovalServices,
  onlyUnwanted: boolean,
): Promise<RemovedJob[]> {
  const rows = await removeJobs(transaction, ids, onlyUnwanted);
  const files = await removeFileRows(transaction, [...new Set(rows.flatMap(filesOf))]);
  const all = rows.map((row) => ({ row, removals: objectsOf(row, files) }));
  // Another job may use the recording in the meantime.
  const used = await keysInUse(
    transaction,
    all.flatMap(({ removals }) => removals.map(({ key }) => key)),
  );
  const removed = all.map(({ row, removals }) => ({
    row,
    isElsewhere: isUnfinished(row) && !isOnlyProcess,
    removals: removals.filter(({ key }) => !used.has(key)),
  }));
  const later = removed.filter(({ isElsewhere }) => isElsewhere).flatMap(({ removals }) => removals);
  const now = removed.filter(({ isElsewhere }) => !isElsewhere).flatMap(({ removals }) => removals);
  await planRemovals(transaction, now);
  // Another machine detects the deletion of its job at the next lease renewal, and aborts it.
  await planRemovals(transaction, later, RUNNING_WORK_SECONDS);
  // Of the objects of a bucket, other machines have copies. A log of a live session is removed only where a tombstone proves the deletion.
  const copied = removed.filter(({ row }) => objects.kind === "bucket" || (row.kind === "live" && !isOnlyProcess));
  await leaveTombstones(
    transaction,
    copied.flatMap(({ removals }) => removals),
  );
  return removed;
}

/**
 * @param onlyUnwanted  leaves jobs that a request waits for again
 * @returns how many of the jobs this call deleted: others were deleted before
 */
export async function removeWholeJobs(
  ids: readonly string[],
  services: RemovalServices,
  onlyUnwanted = false,
): Promise<number> {
  const { database, worker, live } = services;
  const removed = await inTransaction(database, (transaction) => removeRows(transaction, ids, services, onlyUnwanted));
  await Promise.all(
    removed.map(async ({ row, removals }) => {
      if (row.kind === "live") await live.discard(row.id);
      else if (isUnfinished(row)) await worker.cancel(row.id);
      await removeDeleted(services, removals);
      // It may have fetched its recording until it was cancelled.
      if (isUnfinished(row)) await removeWholeFiles([row.id], services);
    }),
  );
  await forgetRemovals(
    database,
    removed.filter(({ isElsewhere }) => !isElsewhere).flatMap(({ removals }) => removals),
  );
  return removed.filter(({ row }) => ids.includes(row.id)).length;
}

/** @param plan  deletes or changes rows, and returns the objects that are removed with them */
async function removePlanned(
  plan: (transaction: Database) => Promise<Removal[]>,
  stores: RemovalStores,
): Promise<void> {
  const removals = await inTransaction(stores.database, async (transaction) => {
    const planned = await plan(transaction);
    await planWithTombstones(transaction, stores.objects, planned);
    return planned;
  });
  await removeDeleted(stores, removals);
  await forgetRemovals(stores.database, removals);
}

/** Deletes files that no job uses, with their objects. */
export async function removeWholeFiles(ids: readonly string[], stores: RemovalStores): Promise<void> {
  await removePlanned(async (transaction) => [...(await removeFileRows(transaction, ids)).values()].flat(), stores);
}

/**
 * Deletes the audio of a file, and what was computed from it. Ended jobs keep its record.
 * @returns `isInUse`: a job that has not ended needs the file, and nothing was deleted; false if there is no such file
 */
export async function removeAudio(id: string, stores: RemovalStores): Promise<{ isInUse: boolean }> {
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
