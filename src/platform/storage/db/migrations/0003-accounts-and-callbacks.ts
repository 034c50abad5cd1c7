// Limits of an account, what its callbacks are signed with, and the callbacks themselves. Jobs wait in their own rows
// from here on: the queue tables of an earlier version go.
import { type Kysely, sql } from "kysely";
import { metadataPairs } from "../metadata-filter.ts";
import type { Database } from "../schema.ts";

const BATCH = 500;

/** Jobs of an earlier version. */
async function fillMetadata(database: Database): Promise<void> {
  let last = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const rows = await database
      .selectFrom("jobs")
      .select(["id", "account_id", "kind", "created_at", "metadata_filter"])
      .where("metadata_filter", "is not", null)
      .where("id", ">", last)
      .orderBy("id")
      .limit(BATCH)
      .execute();
    const values = rows.flatMap(({ id, account_id, kind, created_at, metadata_filter }) =>
      metadataPairs(metadata_filter).map((pair) => ({ account_id, pair, created_at, job_id: id, kind })),
    );
    if (values.length > 0) await database.insertInto("job_metadata").values(values).execute();
    if (rows.length < BATCH) return;
    last = rows.at(-1)?.id ?? last;
  }
}

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable("accounts")
    // Null: the setting of the service holds.
    .addColumn("requests_per_second", "float8")
    .addColumn("concurrent_jobs", "integer")
    .addColumn("live_sessions", "integer")
    .addColumn("upload_bytes", "float8")
    .addColumn("audio_seconds", "float8")
    // whsec_ and base64; made when first needed. The previous one signs too until it is retired.
    .addColumn("callback_secret", "text")
    .addColumn("previous_callback_secret", "text")
    .execute();

  await db.schema
    .createTable("deliveries")
    .addColumn("id", "uuid", (column) => column.primaryKey())
    .addColumn("job_id", "uuid", (column) => column.notNull().references("jobs.id").onDelete("cascade"))
    // Order within the job.
    .addColumn("sequence", "bigint", (column) => column.notNull())
    .addColumn("event", "text", (column) => column.notNull())
    .addColumn("url", "text", (column) => column.notNull())
    .addColumn("method", "text", (column) => column.notNull())
    // JSON of the payload; null where it is the job's stored result.
    .addColumn("payload", "text")
    // pending, delivered, failed
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("ended_at", "timestamptz")
    // When the first try of this round was due: retries end a fixed time after it.
    .addColumn("round_began_at", "timestamptz", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("attempts_before_round", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`create unique index deliveries_in_order on deliveries (job_id, sequence)`.execute(db);
  await sql`create index deliveries_pending on deliveries (job_id, sequence) where status = 'pending'`.execute(db);

  // One row a job that has deliveries: they go out one after another, so a job is what waits and is claimed.
  await db.schema
    .createTable("delivery_lanes")
    .addColumn("job_id", "uuid", (column) => column.primaryKey().references("jobs.id").onDelete("cascade"))
    .addColumn("host", "text", (column) => column.notNull())
    // Null: nothing to send.
    .addColumn("due_at", "timestamptz")
    .addColumn("claimed_until", "timestamptz")
    .execute();
  await sql`create index delivery_lanes_due on delivery_lanes (due_at) where due_at is not null`.execute(db);

  await db.schema
    .createTable("delivery_attempts")
    .addColumn("delivery_id", "uuid", (column) => column.notNull().references("deliveries.id").onDelete("cascade"))
    .addColumn("number", "integer", (column) => column.notNull())
    .addColumn("at", "timestamptz", (column) => column.notNull())
    .addColumn("milliseconds", "integer", (column) => column.notNull())
    // HTTP status of the answer; null when there was none.
    .addColumn("response_status", "integer")
    // First bytes of the answer, or why there was none.
    .addColumn("detail", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("delivery_attempts_key", ["delivery_id", "number"])
    .execute();

  await sql`
    create index jobs_waiting on jobs (account_id, created_at, id) where status = 'queued' and kind = 'pre-recorded'
  `.execute(db);
  await sql`create index jobs_processing on jobs (account_id, kind) where status = 'processing'`.execute(db);
  await sql`create index jobs_ended on jobs (completed_at) where completed_at is not null`.execute(db);
  await db.schema.alterTable("files").addColumn("audio_deleted_at", "timestamptz").execute();
  await sql`create index files_by_age on files (created_at) where audio_deleted_at is null`.execute(db);

  // Jobs by one pair of their metadata, newest first: what many jobs have in common is found as fast as what few have.
  await db.schema
    .createTable("job_metadata")
    .addColumn("account_id", "uuid", (column) => column.notNull())
    .addColumn("pair", "bigint", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("job_id", "uuid", (column) => column.notNull().references("jobs.id").onDelete("cascade"))
    .addColumn("kind", "text", (column) => column.notNull())
    .execute();
  await sql`
    create index job_metadata_by_pair on job_metadata (account_id, pair, created_at desc, job_id desc) include (kind)
  `.execute(db);
  await sql`create index job_metadata_by_job on job_metadata (job_id)`.execute(db);
  await fillMetadata(db as unknown as Database);
  await sql`drop index jobs_by_metadata`.execute(db);

  await sql`drop schema if exists pgboss cascade`.execute(db);
}
