// Jobs that are kept no longer than somebody waits for them: those of interfaces that keep nothing.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // Whoever waits moves it on; null for jobs that stay.
  await db.schema.alterTable("jobs").addColumn("wanted_until", "timestamptz").execute();
  await sql`create index jobs_wanted on jobs (wanted_until) where wanted_until is not null`.execute(db);
}
