// What people do with transcripts: search in them, and put them right.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable("jobs")
    // Whether the words of a finished job, as they read now, are in job_texts.
    .addColumn("is_searchable", "boolean", (column) => column.notNull().defaultTo(false))
    .execute();
  await sql`create index jobs_to_search on jobs (completed_at) where status = 'done' and not is_searchable`.execute(db);

  await db.schema
    .createTable("job_texts")
    .addColumn("job_id", "uuid", (column) => column.primaryKey().references("jobs.id").onDelete("cascade"))
    // The transcript as it reads, words of languages without spaces set apart.
    .addColumn("text", "text", (column) => column.notNull())
    .addColumn("words", sql`tsvector`, (column) => column.notNull())
    .execute();
  await sql`create index job_texts_words on job_texts using gin (words)`.execute(db);

  await sql`create index deliveries_newest on deliveries (created_at desc)`.execute(db);

  await db.schema
    .createTable("corrections")
    .addColumn("id", "uuid", (column) => column.primaryKey())
    .addColumn("job_id", "uuid", (column) => column.notNull().references("jobs.id").onDelete("cascade"))
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    // Name of the key that it was made with.
    .addColumn("made_by", "text", (column) => column.notNull())
    // What TranscriptChange in service/transcripts/corrections.ts says.
    .addColumn("change", "jsonb", (column) => column.notNull())
    .addColumn("undone_at", "timestamptz")
    .addColumn("undone_by", "text")
    .execute();
  await sql`create index corrections_of_job on corrections (job_id, created_at, id)`.execute(db);
}
