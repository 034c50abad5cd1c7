// Tokens with which viewers read the captions of a live session, and do nothing else.
import type { Kysely } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable("live_sessions").addColumn("viewer_hash", "text").execute();
  await db.schema.createIndex("live_sessions_viewer_hash").on("live_sessions").column("viewer_hash").unique().execute();
}
