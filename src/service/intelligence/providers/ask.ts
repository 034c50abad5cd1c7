// One request to a provider, retried after temporary errors.
import { errors } from "../../../platform/errors.ts";
import { postToProvider } from "../../../platform/net/provider-request.ts";
import { sleep } from "../../../platform/process/sleep.ts";
import { storableValue } from "../../../platform/storable.ts";
import { AddonFailed } from "../addon-error.ts";
import { withProviderSlot } from "../turns.ts";

const TRIES = 3;
const FIRST_PAUSE_SECONDS = 0.5;
const LONGEST_PAUSE_SECONDS = 20;
const KEY_HINT = ": the operator's key for it may be wrong";
const HINTS: Readonly<Record<number, string>> = {
  401: KEY_HINT,
  403: KEY_HINT,
  404: ": the operator's address or model name for it may be wrong",
};

/**
 * @throws AddonFailed with the status of the provider's answer; work.aborted if the answer is no longer needed
 */
export function requestFromProvider(
  name: string,
  url: string,
  body: object,
  options: { headers?: Record<string, string>; timeoutMilliseconds: number },
): Promise<unknown> {
  return withProviderSlot((signal) => answered(name, url, body, { ...options, signal }));
}

async function answered(
  name: string,
  url: string,
  body: object,
  options: { headers?: Record<string, string>; timeoutMilliseconds: number; signal: AbortSignal },
): Promise<unknown> {
  let reason = "";
  for (let attempt = 0; attempt < TRIES; attempt++) {
    let pause = FIRST_PAUSE_SECONDS * 4 ** attempt;
    try {
      const { status, text, retryAfterSeconds } = await postToProvider(url, body, options);
      if (status >= 200 && status < 300) return storableValue(JSON.parse(text));
      // Its text is not passed on: it may name the operator's machines, and may repeat the transcript.
      reason = `it answered ${status}${HINTS[status] ?? ""}`;
      if (status < 500 && status !== 429 && status !== 408) break;
      pause = Math.min(LONGEST_PAUSE_SECONDS, Math.max(pause, retryAfterSeconds ?? 0));
    } catch (error) {
      if (options.signal.aborted) throw errors.aborted();
      reason = error instanceof SyntaxError ? "its answer is not JSON" : "it could not be reached, or not in time";
    }
    if (attempt < TRIES - 1) await sleep(pause * 1000, options.signal);
    if (options.signal.aborted) throw errors.aborted();
  }
  throw new AddonFailed(`The ${name} failed: ${reason}`);
}
