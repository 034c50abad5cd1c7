// The header that a request of AssemblyAI's interface names for its webhook.
import { parseJobParameters } from "../../contract/job-parameters.ts";
import { errors } from "../../platform/errors.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import type { DueDelivery } from "../../platform/storage/db/deliveries/deliveries.ts";
import { findJob } from "../../platform/storage/db/jobs/jobs.ts";
import { TRANSCRIPT_EVENTS } from "./enqueue.ts";
import type { SecretSealer } from "./secret-sealer.ts";

/** @throws callbacks.header_locked if its value was sealed with another key */
export async function webhookHeader(
  { job_id, event }: Pick<DueDelivery, "event" | "job_id">,
  { database, secrets }: { database: Database; secrets: SecretSealer },
): Promise<Record<string, string>> {
  if (!event.startsWith(TRANSCRIPT_EVENTS)) return {};
  const row = await findJob(database, job_id);
  const { webhook } = parseJobParameters(row?.request_params).assemblyai ?? {};
  if (!webhook) return {};
  const value = secrets.open(webhook.value);
  if (value === undefined) throw errors.webhookHeaderLocked();
  return { [webhook.name.toLowerCase()]: value };
}

/** Characters of a secret by which an answer that repeats it is recognised, also where its beginning alone is stored. */
const TELLING_CHARACTERS = 6;

/** @param detail  beginning of a receiver's answer, which keys of the account may read */
export function withoutSecrets(detail: string, secrets: readonly string[]): string {
  const repeats = secrets.some((secret) => {
    const printed = [secret, JSON.stringify(secret).slice(1, -1)];
    return printed.some((one) => detail.includes(one.slice(0, TELLING_CHARACTERS)));
  });
  return repeats ? "The answer is not shown: it repeats the value of webhook_auth_header_value" : detail;
}
