// Live sessions that fetch their audio: requests to stop one, the messages and parts that viewers read, and how far the source was read.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable("live_sessions")
    .addColumn("stop_requested", "boolean", (column) => column.notNull().defaultTo(false))
    .execute();
  // Messages in the order in which viewers receive them. An owner of the session that sends one again does not add it again.
  await db.schema
    .createTable("live_captions")
    .addColumn("session_id", "uuid", (column) => column.notNull().references("jobs.id").onDelete("cascade"))
    .addColumn("number", "integer", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("message", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("live_captions_pkey", ["session_id", "number"])
    .addUniqueConstraint("live_captions_once", ["session_id", "hash"])
    .execute();
  // Parts of the audio, those of an HLS source as its playlist has them. A part with a text is published.
  await db.schema
    .createTable("live_caption_parts")
    .addColumn("session_id", "uuid", (column) => column.notNull().references("jobs.id").onDelete("cascade"))
    .addColumn("number", "bigint", (column) => column.notNull())
    // Of the part in the playlist of the source.
    .addColumn("sequence", "bigint")
    .addColumn("starts", "double precision", (column) => column.notNull())
    .addColumn("seconds", "double precision", (column) => column.notNull())
    // When the audio of its start was on air, by the source or the clock of the process: milliseconds since 1970.
    .addColumn("on_air_at", "double precision", (column) => column.notNull())
    // Of its start, in the clock of the source, 90 kHz.
    .addColumn("ticks", "bigint")
    .addColumn("discontinuities", "integer", (column) => column.notNull())
    .addColumn("text", "text")
    .addPrimaryKeyConstraint("live_caption_parts_pkey", ["session_id", "number"])
    .execute();
  // Sessions with a source that no process runs yet.
  await sql`create index jobs_waiting_sources on jobs (created_at)
    where kind = 'live' and status = 'queued' and audio_url is not null`.execute(db);
}
