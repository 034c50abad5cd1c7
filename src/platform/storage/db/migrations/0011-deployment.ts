// Facts about this deployment that every process on the database checks: which object store belongs to it, and a value sealed with
// PARLANCE_SECRETS_KEY.
import type { Kysely } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("deployment")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
}
