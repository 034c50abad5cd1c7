// Highlights and notes on words of a transcript.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("notes")
    .addColumn("id", "uuid", (column) => column.primaryKey())
    .addColumn("job_id", "uuid", (column) => column.notNull().references("jobs.id").onDelete("cascade"))
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    // Name of the key that it was made with.
    .addColumn("made_by", "text", (column) => column.notNull())
    .addColumn("changed_at", "timestamptz")
    .addColumn("changed_by", "text")
    // Number of its changes.
    .addColumn("version", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("channel", "integer", (column) => column.notNull())
    // Middles of its first and last word, seconds.
    .addColumn("starts", "float8", (column) => column.notNull())
    .addColumn("ends", "float8", (column) => column.notNull())
    .addColumn("colour", "text", (column) => column.notNull())
    // Empty for a highlight.
    .addColumn("text", "text", (column) => column.notNull())
    // The words as they read when it was made.
    .addColumn("quote", "text", (column) => column.notNull())
    .execute();
  await sql`create index notes_of_job on notes (job_id, starts, id)`.execute(db);
  await sql`create function signal_note() returns trigger language plpgsql set search_path from current as $body$
    begin
      perform signal_change(account_id, id) from jobs where id = coalesce(new.job_id, old.job_id);
      return null;
    end
  $body$`.execute(db);
  await sql`create trigger change_of_note after insert or update or delete on notes for each row
    execute function signal_note()`.execute(db);
}
