// Adds versions to vocabulary lists. A change names the version that it was made for.
import type { Kysely } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable("vocabulary_lists")
    .addColumn("version", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}
