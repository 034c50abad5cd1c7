// Sealed texts in the requests of jobs: the value of a webhook's header (AssemblyAI's interface), and voices of named people (OpenAI's).
import { isKeyCurrent, type Keeper } from "../../platform/storage/db/accounts/callback-secrets.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { replaceRequest, requestsWithSecrets } from "../../platform/storage/db/jobs/sealed-requests.ts";
import type { VoiceSeals } from "../voices/voice-seals.ts";

export interface JobSeals {
  secrets: Keeper;
  /** Opens the voices of requests, too: both are sealed for the same purpose. */
  voices: VoiceSeals;
}

interface SealedParameters {
  assemblyai?: { webhook?: { value?: unknown } };
  sealed_voices?: unknown;
}

/**
 * Seals the texts of a request with the current key.
 * @param stored  JSON text of request_params, of any version
 * @returns the changed JSON text, if any, and whether the request has a text that no key opens
 */
function resealed(stored: string, { secrets, voices }: JobSeals): { changed?: string; isLocked: boolean } {
  const parameters = JSON.parse(stored) as SealedParameters | null;
  let isLocked = false;
  let isChanged = false;
  const webhook = parameters?.assemblyai?.webhook;
  if (typeof webhook?.value === "string") {
    const value = secrets.open(webhook.value);
    if (value === undefined) isLocked = true;
    else if (!secrets.isCurrent(webhook.value)) {
      webhook.value = secrets.seal(value);
      isChanged = true;
    }
  }
  const people = parameters?.sealed_voices;
  // Without a key, each process seals voices with a random one.
  if (parameters && typeof people === "string" && voices.hasKey) {
    if (voices.open(people) === undefined) isLocked = true;
    const sealed = voices.resealed(people);
    if (sealed !== undefined) {
      parameters.sealed_voices = sealed;
      isChanged = true;
    }
  }
  return { isLocked, ...(isChanged ? { changed: JSON.stringify(parameters) } : {}) };
}

/**
 * Seals with the current key what the previous key sealed. Called at every start, before takeSecretsKey: while the key is not yet that of the
 * deployment, the requests of ended jobs are sealed again, too, because their webhooks may be sent again.
 * @returns the number of jobs with a text that no key opens; ended jobs without callbacks to send are not counted
 */
export async function resealJobs(database: Database, seals: JobSeals): Promise<number> {
  if (!(await isKeyCurrent(database, seals.secrets))) await sealAgain(database, seals, true);
  return sealAgain(database, seals, false);
}

async function sealAgain(database: Database, seals: JobSeals, isEvery: boolean): Promise<number> {
  let locked = 0;
  for await (const rows of requestsWithSecrets(database, isEvery)) {
    for (const row of rows) {
      const { changed, isLocked } = resealed(row.stored, seals);
      if (isLocked) locked++;
      if (changed !== undefined) await replaceRequest(database, row, changed);
    }
  }
  return locked;
}

/** Changes nothing. @returns as resealJobs */
export async function lockedJobs(database: Database, seals: JobSeals): Promise<number> {
  let locked = 0;
  for await (const rows of requestsWithSecrets(database, false))
    locked += rows.filter(({ stored }) => resealed(stored, seals).isLocked).length;
  return locked;
}
