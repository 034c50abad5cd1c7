// Whether a PostgreSQL server keeps what it commits over a power cut. The embedded database follows PARLANCE_FSYNC; a server has
// settings of its own, which some managed and many test installations weaken.
import { sql } from "kysely";
import type { Database } from "./schema.ts";

/** Values under which a commit that was answered may be lost, or the database be damaged. */
const WEAK: Record<string, readonly string[]> = {
  fsync: ["off"],
  full_page_writes: ["off"],
  synchronous_commit: ["off"],
};

/** @returns the settings, as `name=value`, that make commits less than durable; none where all is well */
export async function weakCommitSettings(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name in (${sql.join(Object.keys(WEAK))})`.execute(database);
  return rows
    .filter(({ name, setting }) => WEAK[name]?.includes(setting))
    .map(({ name, setting }) => `${name}=${setting}`);
}
