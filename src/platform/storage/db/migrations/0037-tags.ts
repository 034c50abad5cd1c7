// Tags of jobs, by which lists are filtered. Filters find them as pairs in job_metadata, beside those of the metadata.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable("jobs")
    .addColumn("tags", "jsonb", (column) => column.notNull().defaultTo(sql`'[]'::jsonb`))
    .execute();
  await sql`create index jobs_tagged on jobs (account_id, created_at desc) where tags <> '[]'::jsonb`.execute(db);
  await sql`drop trigger change_of_job on jobs`.execute(db);
  await sql`create trigger change_of_job after update of status, stage, progress, name, tags, has_overview on jobs for each row
    when (old.status <> new.status or old.progress <> new.progress or old.has_overview <> new.has_overview
      or old.stage is distinct from new.stage or old.name is distinct from new.name or old.tags <> new.tags)
    execute function signal_job_change()`.execute(db);
}
