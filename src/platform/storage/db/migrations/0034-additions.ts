// The last report of a process that stopped in order, and the time of the secret of callbacks. Indexes of the sources that wait, by account, and
// of the tombstones of live sessions.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable("machines").addColumn("last_report", "json").execute();
  // Null for secrets that were made before.
  await db.schema.alterTable("accounts").addColumn("callback_secret_at", "timestamptz").execute();
  await sql`create index jobs_waiting_sources_of_account on jobs (account_id, created_at)
    where kind = 'live' and status = 'queued' and audio_url is not null`.execute(db);
  await sql`create index tombstones_of_sessions on tombstones (key) where key like 'live/%'`.execute(db);
}
