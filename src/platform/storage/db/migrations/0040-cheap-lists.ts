// The account of a delivery, for the list of an account's deliveries, and a mark of files that a job has used, for the search for unused uploads.
// Both are filled in afterwards, in batches: earlier versions that still run add rows without them.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable("deliveries").addColumn("account_id", "uuid").execute();
  await sql`create index deliveries_of_account on deliveries (account_id, status, created_at desc)`.execute(db);
  await sql`create index deliveries_without_account on deliveries (id) where account_id is null`.execute(db);
  await db.schema
    .alterTable("files")
    .addColumn("has_job", "boolean", (column) => column.notNull().defaultTo(false))
    .execute();
  await sql`create index files_without_job on files (created_at, id)
    where audio_deleted_at is null and not has_job`.execute(db);
}
