// Attempts of a job, and indexes for the statements that delete one: without them, every deletion reads two whole tables.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // Number of the last claim; every write of a worker names its own.
  await db.schema
    .alterTable("jobs")
    .addColumn("attempt", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`create index files_by_object on files (object_key)`.execute(db);
  await sql`create index files_by_account on files (account_id)`.execute(db);
  await sql`create index jobs_by_result on jobs (result_key) where result_key is not null`.execute(db);
}
