// Every table as lines of JSON, in an order in which each row's references are there before it.
import { sql } from "kysely";
import type { Database } from "../../../platform/storage/db/database.ts";

interface Table {
  name: string;
  /** Columns that name a row, in the order in which it is read. */
  key: readonly string[];
  /** Columns that the target generates. */
  left?: Readonly<Record<string, unknown>>;
}

/** The search index is rebuilt from the transcripts. */
export const TABLES: readonly Table[] = [
  { name: "accounts", key: ["id"] },
  { name: "api_keys", key: ["id"] },
  { name: "files", key: ["id"] },
  { name: "uploads", key: ["id"], left: { writer: null } },
  { name: "upload_parts", key: ["upload_id", "start"] },
  { name: "jobs", key: ["id"], left: { is_searchable: false, has_overview: false, worker: null, lease_until: null } },
  { name: "job_metadata", key: ["job_id", "pair"] },
  { name: "corrections", key: ["id"] },
  { name: "notes", key: ["id"] },
  { name: "shares", key: ["id"] },
  { name: "dismissed_pairs", key: ["account_id", "pair"] },
  { name: "vocabulary_words", key: ["id"] },
  { name: "vocabulary_lists", key: ["id"] },
  { name: "voices", key: ["id"] },
  { name: "voice_samples", key: ["id"] },
  { name: "job_voices", key: ["job_id", "speaker"] },
  // A session belongs to the machine that takes it up.
  { name: "live_sessions", key: ["id"], left: { owner: null } },
  { name: "live_captions", key: ["session_id", "number"] },
  { name: "live_caption_parts", key: ["session_id", "number"] },
  { name: "deliveries", key: ["id"] },
  { name: "delivery_lanes", key: ["job_id"] },
  { name: "delivery_attempts", key: ["delivery_id", "number"] },
  { name: "object_removals", key: ["key"] },
];

const BATCH = 500;

export type Row = Record<string, unknown>;

/** Rows after `last`, in the order of the key. */
export async function* rowsOf(database: Database, { name, key, left = {} }: Table): AsyncGenerator<Row> {
  const order = sql.join(key.map((column) => sql.ref(column)));
  let last: Row | undefined;
  for (;;) {
    const from = last ? sql`where (${order}) > (${sql.join(key.map((column) => sql`${last?.[column]}`))})` : sql``;
    const { rows } = await sql<Row>`select * from ${sql.table(name)} ${from} order by ${order} limit ${BATCH}`.execute(
      database,
    );
    for (const row of rows) yield { ...row, ...left };
    if (rows.length < BATCH) return;
    last = rows.at(-1);
  }
}

const asValue = (value: unknown) =>
  typeof value === "object" && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value;

/** Rows that are there already stay as they are. */
export async function insertRows(database: Database, { name }: Table, rows: readonly Row[]): Promise<void> {
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows.slice(at, at + BATCH);
    const columns = Object.keys(batch[0] as Row);
    const values = batch.map((row) => sql`(${sql.join(columns.map((column) => sql`${asValue(row[column])}`))})`);
    await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(values)} on conflict do nothing`.execute(database);
  }
}
