// Requests that an account may still make, counted for all processes. Not in the write-ahead log: after a crash of the server, every account
// has a full second again.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`create unlogged table request_tokens (
    account_id uuid primary key references accounts on delete cascade,
    tokens double precision not null,
    granted integer not null,
    filled_at timestamptz not null
  )`.execute(db);
}
