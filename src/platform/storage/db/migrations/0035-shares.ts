// Links with which people without a key read a transcript.
import type { Kysely } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("shares")
    .addColumn("id", "uuid", (column) => column.primaryKey())
    .addColumn("job_id", "uuid", (column) => column.notNull().references("jobs.id").onDelete("cascade"))
    .addColumn("token_hash", "text", (column) => column.notNull())
    // The key that made it, and the name of the key. Null for a key outside of the database.
    .addColumn("key_id", "uuid")
    .addColumn("made_by", "text", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("expires_at", "timestamptz", (column) => column.notNull())
    // Whether readers may play the recording.
    .addColumn("audio", "boolean", (column) => column.notNull())
    // When a reader last opened it, to the minute.
    .addColumn("opened_at", "timestamptz")
    .execute();
  await db.schema.createIndex("shares_token_hash").on("shares").column("token_hash").unique().execute();
  await db.schema.createIndex("shares_of_job").on("shares").columns(["job_id", "created_at"]).execute();
  await db.schema.createIndex("shares_expires_at").on("shares").column("expires_at").execute();
}
