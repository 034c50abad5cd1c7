// Which key made a live session, accounts that are being deleted, and objects whose rows are gone already.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // Null: made with PARLANCE_API_KEY, without a key, or by an earlier version. No reference: the key may be deleted.
  await db.schema.alterTable("live_sessions").addColumn("key_id", "uuid").execute();

  // From then on no key opens it; the row goes when nothing of it is left.
  await db.schema.alterTable("accounts").addColumn("deleting_at", "timestamptz").execute();

  // Written in the transaction that deletes their rows, so that a kill between the two leaves no object behind.
  await db.schema
    .createTable("object_removals")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("is_folder", "boolean", (column) => column.notNull())
    // A worker on another machine may write until then.
    .addColumn("due_at", "timestamptz", (column) => column.notNull())
    .execute();
  await sql`create index object_removals_due on object_removals (due_at)`.execute(db);
}
