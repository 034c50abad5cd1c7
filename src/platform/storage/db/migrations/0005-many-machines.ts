// Which machine has a live session: its audio and journal lie there.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // Name of the machine from the first connection on; null before, and for sessions of an earlier version.
  await db.schema.alterTable("live_sessions").addColumn("owner", "text").execute();
  await sql`create index live_sessions_owner on live_sessions (owner)`.execute(db);
}
