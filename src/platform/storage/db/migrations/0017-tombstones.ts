// Keys of deleted objects of which other machines may have copies. Each machine removes its copies.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("tombstones")
    .addColumn("id", "bigserial", (column) => column.primaryKey())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("is_folder", "boolean", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull().defaultTo(sql`now()`))
    .execute();
  await sql`create index tombstones_by_age on tombstones (created_at)`.execute(db);
  await sql`create trigger copies_deleted after insert on tombstones for each statement
    execute function send_signal('tombstones')`.execute(db);
}
