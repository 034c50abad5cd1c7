// Vocabulary lists of an account, kept by name.
import type { Kysely } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("vocabulary_lists")
    .addColumn("id", "uuid", (column) => column.primaryKey())
    .addColumn("account_id", "uuid", (column) => column.notNull().references("accounts.id").onDelete("cascade"))
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("changed_at", "timestamptz", (column) => column.notNull())
    // Name of the key that it was made with.
    .addColumn("made_by", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("words", "jsonb", (column) => column.notNull())
    // Number of the words, so that pages of lists do not read them.
    .addColumn("word_count", "integer", (column) => column.notNull())
    .addUniqueConstraint("vocabulary_lists_name", ["account_id", "name"])
    .execute();
}
