// Enqueues the callback of an ended job, in the transaction that ends it.
import { v7 as uuid } from "uuid";
import { type CallbackParameters, parseJobParameters } from "../../contract/job-parameters.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import {
  type DeliveryTarget,
  insertDeliveries,
  type NewDelivery,
} from "../../platform/storage/db/deliveries/deliveries.ts";
import type { Ending, JobRow } from "../../platform/storage/db/jobs/jobs.ts";

/** Beginning of the names of events whose payload is sent as it is. */
export const TRANSCRIPT_EVENTS = "transcript.";

/**
 * Address of a job's callbacks; undefined if its request has none. If the address of a stored request cannot be read, it is empty, so that
 * the delivery fails visibly.
 */
export function callbackTarget(jobId: string, parameters: CallbackParameters): DeliveryTarget | undefined {
  const { callback, callback_config, callback_url } = parameters;
  if (callback && (callback_config || !callback_url)) {
    const { url = "", method = "POST" } = callback_config ?? {};
    return { jobId, url, method };
  }
  return callback_url ? { jobId, url: callback_url, method: "POST" } : undefined;
}

/** AssemblyAI's webhooks name the transcript, which the receiver then requests. */
function transcriptNotification(id: string, { status }: Ending): Pick<NewDelivery, "event" | "payload"> {
  const shown = status === "done" ? "completed" : "error";
  return { event: `${TRANSCRIPT_EVENTS}${shown}`, payload: JSON.stringify({ transcript_id: id, status: shown }) };
}

/** Enqueues the callback of a recorded job, if it has one; must run in the transaction that ends the job. */
export async function enqueueEnding(transaction: Database, row: JobRow, ending: Ending): Promise<void> {
  const parameters = parseJobParameters(row.request_params);
  const target = callbackTarget(row.id, parameters);
  if (!target) return;
  const delivery: Pick<NewDelivery, "event" | "payload"> = parameters.assemblyai
    ? transcriptNotification(row.id, ending)
    : ending.status === "done"
      ? { event: "transcription.success", payload: null }
      : {
          event: "transcription.error",
          payload: JSON.stringify({ code: ending.errorCode, message: ending.errorMessage }),
        };
  await insertDeliveries(transaction, target, [{ id: uuid(), sequence: 0, ...delivery }], ending.completedAt);
}
