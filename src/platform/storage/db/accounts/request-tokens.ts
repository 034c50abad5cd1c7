// The limit of requests a second over all processes: a bucket of tokens for each account, by the clock of the database.
import { sql } from "kysely";
import type { Database } from "../database.ts";

export interface Lease {
  granted: number;
  /** Tokens left in the bucket. Below 1 if fewer were granted than requested. */
  left: number;
}

/**
 * Takes up to `wanted` tokens.
 * @param rate      tokens a second
 * @param capacity  of the bucket
 */
export async function leaseTokens(
  database: Database,
  accountId: string,
  { wanted, rate, capacity }: { wanted: number; rate: number; capacity: number },
): Promise<Lease> {
  const available = sql`least(${capacity}::float8,
    held.tokens + greatest(0, extract(epoch from clock_timestamp() - held.filled_at)::float8) * ${rate}::float8)`;
  const first = Math.min(wanted, Math.floor(capacity));
  const { rows } = await sql<Lease>`
    insert into request_tokens as held (account_id, tokens, granted, filled_at)
    values (${accountId}, ${capacity - first}::float8, ${first}::integer, clock_timestamp())
    on conflict (account_id) do update set
      granted = least(${wanted}::integer, floor(${available})::integer),
      tokens = ${available} - least(${wanted}::integer, floor(${available})::integer),
      filled_at = clock_timestamp()
    returning granted, tokens as left`.execute(database);
  return rows[0] ?? { granted: 0, left: 0 };
}
