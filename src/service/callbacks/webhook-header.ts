// The header that a request of AssemblyAI's interface names for its webhook.
import { parseJobParameters } from "../../contract/job-parameters.ts";
import { errors } from "../../platform/errors.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import type { DueDelivery } from "../../platform/storage/db/deliveries/deliveries.ts";
import { findJob } from "../../platform/storage/db/jobs/jobs.ts";
import { TRANSCRIPT_EVENTS } from "./enqueue.ts";
import type { SecretSealer } from "./secret-sealer.ts";

/** @throws callbacks.secrets_locked if its value was sealed with another key */
export async function webhookHeader(
  { job_id, event }: Pick<DueDelivery, "event" | "job_id">,
  { database, secrets }: { database: Database; secrets: SecretSealer },
): Promise<Record<string, string>> {
  if (!event.startsWith(TRANSCRIPT_EVENTS)) return {};
  const row = await findJob(database, job_id);
  const { webhook } = parseJobParameters(row?.request_params).assemblyai ?? {};
  if (!webhook) return {};
  const value = secrets.open(webhook.value);
  if (value === undefined) throw errors.secretsLocked();
  return { [webhook.name.toLowerCase()]: value };
}
