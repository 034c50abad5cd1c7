// What the process of each data folder reports about itself, for parlance doctor.
import type { Kysely } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable("machines")
    // Null when the process has stopped in order.
    .addColumn("report", "json")
    .addColumn("reported_at", "timestamptz")
    .execute();
}
