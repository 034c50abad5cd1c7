// Size of the queue over all accounts, for monitoring.
import { sql } from "kysely";
import type { Database } from "../database.ts";

export interface QueueState {
  counts: { queued: number; processing: number };
  /** Since when the job waits that has waited longest. */
  oldestSeconds: number;
  pendingDeliveries: number;
}

const KNOWN_MILLISECONDS = 1_000;

/** @returns a function that queries the database once a second at most */
export function queueStateOf(database: Database): () => Promise<QueueState> {
  let known: { at: number; state: Promise<QueueState> } | undefined;
  const ask = async (): Promise<QueueState> => {
    const { rows } = await sql<{ queued: string; processing: string; oldest: number | null; pending: string }>`
      select count(*) filter (where status = 'queued') as queued,
        count(*) filter (where status = 'processing') as processing,
        extract(epoch from now() - min(created_at) filter (where status = 'queued'))::float8 as oldest,
        (select count(*) from deliveries where status = 'pending') as pending
      from jobs where status in ('queued', 'processing') and kind = 'pre-recorded'`.execute(database);
    const [row] = rows;
    return {
      counts: { queued: Number(row?.queued ?? 0), processing: Number(row?.processing ?? 0) },
      oldestSeconds: Math.max(0, row?.oldest ?? 0),
      pendingDeliveries: Number(row?.pending ?? 0),
    };
  };
  return () => {
    const now = performance.now();
    if (!known || now - known.at > KNOWN_MILLISECONDS) known = { at: now, state: ask() };
    return known.state;
  };
}
