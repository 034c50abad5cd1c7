// A library of voices for each account, and the person of each speaker of a job.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // When the library was turned on; null while it is off.
  await db.schema.alterTable("accounts").addColumn("voices_since", "timestamptz").execute();

  await db.schema
    .createTable("voices")
    .addColumn("id", "uuid", (column) => column.primaryKey())
    .addColumn("account_id", "uuid", (column) => column.notNull().references("accounts.id").onDelete("cascade"))
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    // The person's name, sealed with the operator's key.
    .addColumn("name", "text", (column) => column.notNull())
    .execute();
  await sql`create index voices_of_account on voices (account_id, created_at, id)`.execute(db);

  await db.schema
    .createTable("voice_samples")
    .addColumn("id", "uuid", (column) => column.primaryKey())
    .addColumn("voice_id", "uuid", (column) => column.notNull().references("voices.id").onDelete("cascade"))
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    // Of speech.
    .addColumn("seconds", "real", (column) => column.notNull())
    // Id of the speaker model that computed it: voices of different models cannot be compared.
    .addColumn("model", "text", (column) => column.notNull())
    // 32-bit floats in base64, sealed with the operator's key.
    .addColumn("print", "text", (column) => column.notNull())
    .execute();
  await sql`create index voice_samples_of_voice on voice_samples (voice_id, created_at, id)`.execute(db);

  // Names are joined to a result when it is read, so that deleting a voice removes it from every result.
  await db.schema
    .createTable("job_voices")
    .addColumn("job_id", "uuid", (column) => column.notNull().references("jobs.id").onDelete("cascade"))
    .addColumn("speaker", "integer", (column) => column.notNull())
    .addColumn("voice_id", "uuid", (column) => column.notNull().references("voices.id").onDelete("cascade"))
    .addColumn("confidence", "real", (column) => column.notNull())
    .addPrimaryKeyConstraint("job_voices_key", ["job_id", "speaker"])
    .execute();
  await sql`create index job_voices_of_voice on job_voices (voice_id)`.execute(db);
}
