// Counts how often the utterances of a result were divided again. Corrections name utterances by their index.
import type { Kysely } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable("jobs")
    .addColumn("divisions", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}
