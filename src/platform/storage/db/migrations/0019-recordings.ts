// Names of jobs, and what lists show of a transcript. The search finds names, too: jobs that ended are read again, in the background.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // Null until somebody names the job.
  await db.schema.alterTable("jobs").addColumn("name", "text").execute();
  await db.schema
    .alterTable("job_texts")
    // Languages, speakers and first words.
    .addColumn("overview", "jsonb")
    .execute();
  // Processes of earlier versions index words alone, and do not know this column: their jobs are read again by a later version.
  await db.schema
    .alterTable("jobs")
    .addColumn("has_overview", "boolean", (column) => column.notNull().defaultTo(false))
    .execute();
  // Failed jobs are found by their names. Processes of earlier versions use jobs_to_search.
  await sql`create index jobs_to_index on jobs (completed_at)
    where status in ('done', 'error') and not (is_searchable and has_overview)`.execute(db);
}
