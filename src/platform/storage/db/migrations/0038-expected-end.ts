// When a running job is expected to end.
import type { Kysely } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable("jobs").addColumn("expected_at", "timestamptz").execute();
}
