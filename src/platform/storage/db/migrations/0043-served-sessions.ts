// Marks live sessions whose clients have all their messages, while the results are still made. They do not count against the limits of their
// accounts. Processes of earlier versions do not read it, and count them.
import type { Kysely } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable("live_sessions")
    .addColumn("is_served", "boolean", (column) => column.notNull().defaultTo(false))
    .execute();
}
