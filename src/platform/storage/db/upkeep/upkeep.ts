// Keeps the embedded database from growing and its plans good: PGlite has no autovacuum, so the space of deleted and changed rows would never be
// used again, and the planner would have no statistics. A PostgreSQL server does both by itself.
import { sql } from "kysely";
import type { Database } from "../database.ts";

/** WAL of about 200 jobs. A vacuum after this amount takes milliseconds, because it reads only changed pages. */
const VACUUM_WAL_BYTES = 8_000_000;

/** Bytes of the tables and indexes, without the write-ahead log. */
export async function databaseBytes(database: Database): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(database);
  return Number(rows[0]?.bytes ?? 0);
}

async function walPosition(database: Database): Promise<number> {
  const { rows } = await sql<{ position: string }>`
    select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as position`.execute(database);
  return Number(rows[0]?.position ?? 0);
}

/**
 * Columns whose statistics change plans. Without them, the planner estimates that an account has one of 200 jobs, and repeats subqueries for
 * each job. Statistics of the other columns would take longer and change no plan.
 */
const ANALYZED: Readonly<Record<string, readonly string[]>> = { jobs: ["account_id", "kind", "status"] };

/** Vacuums every table in a separate statement, so that other statements run in between. */
async function vacuum(database: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(
    database,
  );
  for (const { name } of rows) {
    const columns = ANALYZED[name]?.map((column) => sql.ref(column));
    const vacuumed = columns
      ? sql`vacuum (analyze) ${sql.table(name)} (${sql.join(columns)})`
      : sql`vacuum ${sql.table(name)}`;
    await vacuumed.execute(database);
  }
}

/** @returns vacuums when enough was written since the last time, or since the database was made; resolves with whether it did */
export function vacuumWhenDue(database: Database): () => Promise<boolean> {
  let vacuumedAt = 0;
  return async () => {
    if ((await walPosition(database)) - vacuumedAt < VACUUM_WAL_BYTES) return false;
    await vacuum(database);
    vacuumedAt = await walPosition(database);
    return true;
  };
}
