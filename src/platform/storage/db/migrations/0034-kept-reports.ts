// The last report of a process that stopped in order, and an index of the tombstones of live sessions.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable("machines").addColumn("last_report", "json").execute();
  await sql`create index tombstones_of_sessions on tombstones (key) where key like 'live/%'`.execute(db);
}
