// Tombstones: keys of deleted objects. Every machine removes its copies of them; a copy that work under way makes meanwhile is removed as long
// as the tombstone is recent.
import { sql } from "kysely";
import type { Database } from "../database.ts";
import { fromStatement } from "../database-time.ts";
import type { Removal } from "./object-removals.ts";

/** Work that had begun before the deletion may still write copies for this time. */
export const RECENT_SECONDS = 150;
/** A machine that stood still for longer compares its copies with the rows (sweep.ts). */
const KEPT_SECONDS = 7 * 86_400;

export interface Tombstone extends Removal {
  id: string;
  ageSeconds: number;
}

/** @param transaction  the one that deletes the rows */
export async function leaveTombstones(transaction: Database, removals: readonly Removal[]): Promise<void> {
  if (removals.length === 0) return;
  await transaction
    .insertInto("tombstones")
    .values(removals.map(({ key, isFolder }) => ({ key, is_folder: isFolder })))
    .execute();
}

/**
 * Tombstones after `id`, and recent ones: ids of transactions that commit late are lower than those that were read before. The recent ones
 * are found by their age first. Otherwise, the planner might read the table from its beginning, in the order of ids.
 * @param from  id of the last one of the preceding page
 */
export async function tombstonesAfter(
  database: Database,
  { id, from, limit }: { id: string; from: string; limit: number },
): Promise<Tombstone[]> {
  const { rows } = await sql<{ id: string; key: string; is_folder: boolean; age: number }>`
    with recent as materialized (select id from tombstones where created_at > ${fromStatement(-RECENT_SECONDS)})
    select id::text as id, key, is_folder, extract(epoch from now() - created_at)::float8 as age from tombstones
    where id > greatest(${from}::bigint, least(${id}::bigint, (select min(id) - 1 from recent)))
      and (id > ${id}::bigint or created_at > ${fromStatement(-RECENT_SECONDS)})
    order by tombstones.id limit ${limit}`.execute(database);
  return rows.map((row) => ({ id: row.id, key: row.key, isFolder: row.is_folder, ageSeconds: row.age }));
}

/** Id of the last tombstone that is not recent; "0" if there is none. */
export async function lastOldTombstone(database: Database): Promise<string> {
  const row = await database
    .selectFrom("tombstones")
    .select(sql<string>`coalesce(max(id), 0)::text`.as("id"))
    .where("created_at", "<=", fromStatement(-RECENT_SECONDS))
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function forgetTombstones(database: Database): Promise<void> {
  await database.deleteFrom("tombstones").where("created_at", "<", fromStatement(-KEPT_SECONDS)).execute();
}
