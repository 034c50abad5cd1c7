// Objects to be removed because their rows were deleted. The list is written in the transaction that deletes the rows.
import { jobOfWorkFolder } from "../../objects/keys.ts";
import type { Database } from "../database.ts";
import { fromStatement, statementTime } from "../database-time.ts";
import { unfinishedOf } from "../jobs/jobs.ts";

export interface Removal {
  key: string;
  /** Every object whose key begins with it. */
  isFolder: boolean;
}

/** @param transaction  the one that deletes the rows */
export async function planRemovals(
  transaction: Database,
  removals: readonly Removal[],
  delaySeconds = 0,
): Promise<void> {
  const dueAt = fromStatement(delaySeconds);
  if (removals.length === 0) return;
  // Two jobs may have the same file.
  const byKey = new Map(removals.map((one) => [one.key, one]));
  await transaction
    .insertInto("object_removals")
    .values([...byKey.values()].map(({ key, isFolder }) => ({ key, is_folder: isFolder, due_at: dueAt })))
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ due_at: dueAt }))
    .execute();
}

export async function dueRemovals(database: Database, limit: number): Promise<Removal[]> {
  const rows = await database
    .selectFrom("object_removals")
    .selectAll()
    .where("due_at", "<=", statementTime)
    .orderBy("due_at")
    .limit(limit)
    .execute();
  return rows.map(({ key, is_folder }) => ({ key, isFolder: is_folder }));
}

/** Records that the objects were removed. */
export async function forgetRemovals(database: Database, removals: readonly Removal[]): Promise<void> {
  if (removals.length === 0) return;
  const keys = removals.map(({ key }) => key);
  await database.deleteFrom("object_removals").where("key", "in", keys).execute();
}

/** Which of these objects and folders are to be removed. */
export async function plannedKeys(database: Database, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await database
    .selectFrom("object_removals")
    .select("key")
    .where("key", "in", [...keys])
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/** Which of these objects some row still names, and which working files belong to a job that has not ended, such as one that is made again. */
export async function keysInUse(database: Database, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const files = await database
    .selectFrom("files")
    .select("object_key as key")
    .where("object_key", "in", [...keys])
    .where("audio_deleted_at", "is", null)
    .execute();
  const results = await database
    .selectFrom("jobs")
    .select("result_key as key")
    .where("result_key", "in", [...keys])
    .execute();
  const named = [...files, ...results].flatMap(({ key }) => (key === null ? [] : [key]));
  const working = keys.flatMap((key) => {
    const id = jobOfWorkFolder(key);
    return id === undefined ? [] : [{ key, id }];
  });
  if (working.length === 0) return new Set(named);
  const unfinished = await unfinishedOf(
    database,
    working.map(({ id }) => id),
  );
  return new Set([...named, ...working.filter(({ id }) => unfinished.has(id)).map(({ key }) => key)]);
}
