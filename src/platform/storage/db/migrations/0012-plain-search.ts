// The search ignores accents: texts are kept without them, too. Those of finished jobs are read again, in the background.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable("job_texts")
    .addColumn("plain_text", "text", (column) => column.notNull().defaultTo(""))
    .execute();
  await sql`update job_texts set plain_text = text`.execute(db);
  await sql`update jobs set is_searchable = false where id in (select job_id from job_texts)`.execute(db);
}
