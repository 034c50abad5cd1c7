// The last report of a process that stopped in order, the time of the secret of callbacks, and an index of the tombstones of live sessions.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable("machines").addColumn("last_report", "json").execute();
  // Null for secrets that were made before.
  await db.schema.alterTable("accounts").addColumn("callback_secret_at", "timestamptz").execute();
  await sql`create index tombstones_of_sessions on tombstones (key) where key like 'live/%'`.execute(db);
}
