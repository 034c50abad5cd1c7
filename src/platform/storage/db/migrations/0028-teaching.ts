// What corrections teach: the words that people replaced in each transcript, and the vocabulary of an account.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // Derived from a transcript and its corrections, each time the search reads it.
  await db.schema
    .createTable("replaced_phrases")
    .addColumn("job_id", "uuid", (column) => column.notNull().references("jobs.id").onDelete("cascade"))
    // Hash of the phrase and of what replaced it.
    .addColumn("pair", "uuid", (column) => column.notNull())
    // Hash of the phrase.
    .addColumn("phrase", "uuid", (column) => column.notNull())
    .addColumn("account_id", "uuid", (column) => column.notNull())
    .addColumn("before", "text", (column) => column.notNull())
    .addColumn("after", "text", (column) => column.notNull())
    // Number of utterances of the job in which it was replaced.
    .addColumn("utterances", "integer", (column) => column.notNull())
    .addColumn("changed_at", "timestamptz", (column) => column.notNull())
    .addPrimaryKeyConstraint("replaced_phrases_key", ["job_id", "pair"])
    .execute();
  await sql`create index replaced_phrases_of_account on replaced_phrases (account_id, pair) include (utterances, changed_at)`.execute(
    db,
  );
  await sql`create index replaced_phrases_of_phrase on replaced_phrases (account_id, phrase)`.execute(db);

  await db.schema
    .createTable("dismissed_pairs")
    .addColumn("account_id", "uuid", (column) => column.notNull().references("accounts.id").onDelete("cascade"))
    .addColumn("pair", "uuid", (column) => column.notNull())
    .addColumn("dismissed_at", "timestamptz", (column) => column.notNull())
    .addPrimaryKeyConstraint("dismissed_pairs_key", ["account_id", "pair"])
    .execute();

  // Whether requests without account_vocabulary use the vocabulary; null: they do.
  await db.schema.alterTable("accounts").addColumn("uses_vocabulary", "boolean").execute();
  await db.schema
    .createTable("vocabulary_words")
    .addColumn("id", "uuid", (column) => column.primaryKey())
    .addColumn("account_id", "uuid", (column) => column.notNull().references("accounts.id").onDelete("cascade"))
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    // Name of the key that it was added with.
    .addColumn("made_by", "text", (column) => column.notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .addColumn("pronunciations", "jsonb", (column) => column.notNull())
    .addColumn("language", "text")
    .addColumn("intensity", "real")
    .addUniqueConstraint("vocabulary_words_value", ["account_id", "value"])
    .execute();

  // The search reads the transcripts that have corrections again.
  await sql`update jobs set has_overview = false where id in (select job_id from corrections)`.execute(db);
}
