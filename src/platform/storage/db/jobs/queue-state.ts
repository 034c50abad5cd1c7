// Size of the queue over all accounts, for monitoring.
import { sharedFor } from "../../../process/shared-for.ts";
import type { Database } from "../database.ts";
import { queueTotals } from "./account-lanes.ts";

export interface QueueState {
  counts: { queued: number; processing: number };
  /** Since when the job waits that has waited longest. */
  oldestSeconds: number;
  pendingDeliveries: number;
}

const KNOWN_MILLISECONDS = 1_000;

/** @returns a function that queries the database once a second at most */
export function queueStateOf(database: Database): () => Promise<QueueState> {
  return sharedFor(KNOWN_MILLISECONDS, async () => {
    const [{ waiting, running, oldestSeconds }, { pending }] = await Promise.all([
      queueTotals(database),
      database
        .selectFrom("deliveries")
        .select((select) => select.fn.countAll<string>().as("pending"))
        .where("status", "=", "pending")
        .executeTakeFirstOrThrow(),
    ]);
    return { counts: { queued: waiting, processing: running }, oldestSeconds, pendingDeliveries: Number(pending) };
  });
}
