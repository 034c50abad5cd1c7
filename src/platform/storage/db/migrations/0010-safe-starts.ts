// What makes a start safe: which process of a data folder is the newest, and the hash of each stored result.
import type { Kysely } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // One row for each data folder; a process whose number is no longer the highest must not write any more.
  await db.schema
    .createTable("machines")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("generation", "integer", (column) => column.notNull())
    .addColumn("started_at", "timestamptz", (column) => column.notNull())
    .execute();

  // SHA-256 of the result in hexadecimal; null for results of earlier versions until they are first read.
  await db.schema.alterTable("jobs").addColumn("result_hash", "text").execute();
}
