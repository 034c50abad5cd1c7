// Live sessions: the token that opens them, hashed.
import type { Kysely } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("live_sessions")
    .addColumn("id", "uuid", (column) => column.primaryKey().references("jobs.id").onDelete("cascade"))
    // SHA-256 in hexadecimal; the token is 256 random bits.
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .execute();
}
