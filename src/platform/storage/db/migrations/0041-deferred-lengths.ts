// Uploads whose length is not decided yet, such as a recording that is sent while it is made.
import type { Kysely } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable("uploads")
    // Until a request decides the length, it is the greatest one that the upload may get.
    .addColumn("is_length_deferred", "boolean", (column) => column.notNull().defaultTo(false))
    .execute();
}
