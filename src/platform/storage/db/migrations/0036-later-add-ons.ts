// Add-ons that are made for a finished transcript later. Such a request is a row of `jobs`, so that it has their queue, attempts and recovery.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // The job whose transcript gets the add-ons; null for a job with a transcript of its own. No foreign key: rows are copied in the order of
  // their ids, and a job is deleted together with these rows.
  await db.schema.alterTable("jobs").addColumn("added_to", "uuid").execute();
  await sql`create index jobs_of_add_ons on jobs (added_to, created_at) where added_to is not null`.execute(db);
}
