// Accounts, keys, files and jobs.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("accounts")
    .addColumn("id", "uuid", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull().unique())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .execute();

  await db.schema
    .createTable("api_keys")
    .addColumn("id", "uuid", (column) => column.primaryKey())
    .addColumn("account_id", "uuid", (column) => column.notNull().references("accounts.id").onDelete("cascade"))
    .addColumn("name", "text", (column) => column.notNull())
    // SHA-256 of the key in hexadecimal: keys are 256 random bits, so nothing slower is needed.
    .addColumn("hash", "text", (column) => column.notNull().unique())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("revoked_at", "timestamptz")
    .execute();

  await db.schema
    .createTable("files")
    .addColumn("id", "uuid", (column) => column.primaryKey())
    .addColumn("account_id", "uuid", (column) => column.notNull().references("accounts.id").onDelete("cascade"))
    .addColumn("filename", "text", (column) => column.notNull())
    .addColumn("source", "text")
    .addColumn("extension", "text", (column) => column.notNull())
    .addColumn("size", "float8", (column) => column.notNull())
    .addColumn("audio_duration", "float8")
    .addColumn("number_of_channels", "integer")
    .addColumn("object_key", "text", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .execute();

  await db.schema
    .createTable("jobs")
    .addColumn("id", "uuid", (column) => column.primaryKey())
    .addColumn("account_id", "uuid", (column) => column.notNull().references("accounts.id").onDelete("cascade"))
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("model", "text", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("started_at", "timestamptz")
    .addColumn("completed_at", "timestamptz")
    // json, not jsonb: returns what a client sent in its own order.
    .addColumn("request_params", "json", (column) => column.notNull())
    .addColumn("custom_metadata", "json")
    .addColumn("metadata_filter", "jsonb")
    .addColumn("post_session_metadata", "jsonb", (column) => column.notNull())
    .addColumn("file_id", "uuid")
    .addColumn("audio_url", "text")
    .addColumn("error_code", "integer")
    .addColumn("error_message", "text")
    // The stage that is to run or runs, and how far the whole job is, 0 to 1.
    .addColumn("stage", "text")
    .addColumn("progress", "float8", (column) => column.notNull().defaultTo(0))
    // What the finished stages left for the next ones, by stage name.
    .addColumn("stage_outputs", "jsonb", (column) => column.notNull())
    // Interruptions since the job last got on, and child processes that it has ended.
    .addColumn("strikes", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("crashes", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("worker", "text")
    .addColumn("lease_until", "timestamptz")
    .addColumn("result_key", "text")
    .execute();

  // Lists: newest first within an account, with each filter that they know.
  await sql`create index jobs_by_time on jobs (account_id, created_at desc, id desc)`.execute(db);
  await sql`create index jobs_by_kind on jobs (account_id, kind, created_at desc, id desc)`.execute(db);
  await sql`create index jobs_by_status on jobs (account_id, status, created_at desc, id desc)`.execute(db);
  await sql`create index jobs_by_metadata on jobs using gin (metadata_filter jsonb_path_ops)`.execute(db);
  await sql`create index jobs_unfinished on jobs (created_at, id) where status in ('queued', 'processing')`.execute(db);
  await sql`create index jobs_by_file on jobs (file_id) where file_id is not null`.execute(db);
}
