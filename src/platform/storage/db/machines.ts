// The data folders that work on this database, and how often each was started.
import { sql } from "kysely";
import type { Database } from "./database.ts";
import { statementTime } from "./database-time.ts";

/** One less than the column's maximum: a damaged row must not make the increment at a start fail. */
const MOST_GENERATIONS = 2_147_483_646;

/**
 * Counts a start of a data folder.
 * @param above  the highest generation recorded in the folder
 * @returns the generation of this process: higher than that of every process before it
 */
export async function beginGeneration(database: Database, name: string, above: number): Promise<number> {
  const { generation } = await database
    .insertInto("machines")
    .values({ name, generation: above + 1, started_at: statementTime })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({
        generation: sql<number>`least(greatest(machines.generation, ${above}::integer), ${MOST_GENERATIONS}::integer) + 1`,
        started_at: statementTime,
      }),
    )
    .returning("generation")
    .executeTakeFirstOrThrow();
  return generation;
}

/** @returns undefined if no process of that folder has started */
export async function generationOf(database: Database, name: string): Promise<number | undefined> {
  const row = await database.selectFrom("machines").select("generation").where("name", "=", name).executeTakeFirst();
  return row?.generation;
}

/** Names in rows of this database: of data folders, and of live sessions that have not ended. */
export async function knownMachines(database: Database): Promise<string[]> {
  const [folders, owners] = await Promise.all([
    database.selectFrom("machines").select("name").execute(),
    database.selectFrom("live_sessions").select("owner as name").distinct().where("owner", "is not", null).execute(),
  ]);
  return [...new Set([...folders, ...owners].map(({ name }) => name as string))];
}
