// Enqueues the callback of an ended job, in the transaction that ends it.
import { v7 as uuid } from "uuid";
import type { Database } from "../storage/db/database.ts";
import { type DeliveryTarget, insertDeliveries, type NewDelivery } from "../storage/db/deliveries.ts";
import type { Ending, JobRow } from "../storage/db/jobs.ts";

interface CallbackParams {
  callback?: boolean;
  callback_config?: { url: string; method?: string };
  callback_url?: string;
}

/** Address of a job's callbacks; undefined if its request has none. Stored requests may be of any earlier version. */
export function callbackTarget(row: Pick<JobRow, "id" | "request_params">): DeliveryTarget | undefined {
  const { callback, callback_config, callback_url } = (row.request_params ?? {}) as CallbackParams;
  if (callback && callback_config) {
    return {
      jobId: row.id,
      url: String(callback_config.url),
      method: callback_config.method === "PUT" ? "PUT" : "POST",
    };
  }
  return callback_url ? { jobId: row.id, url: String(callback_url), method: "POST" } : undefined;
}

/** Enqueues the callback of a recorded job, if it has one; must run in the transaction that ends the job. */
export async function enqueueEnding(transaction: Database, row: JobRow, ending: Ending): Promise<void> {
  const target = callbackTarget(row);
  if (!target) return;
  const delivery: Pick<NewDelivery, "event" | "payload"> =
    ending.status === "done"
      ? { event: "transcription.success", payload: null }
      : {
          event: "transcription.error",
          payload: JSON.stringify({ code: ending.errorCode, message: ending.errorMessage }),
        };
  await insertDeliveries(transaction, target, [{ id: uuid(), sequence: 0, ...delivery }], ending.completedAt);
}
