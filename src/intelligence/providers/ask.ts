// One request to a provider, tried again while that can help.
import { postToProvider } from "../../net/provider-request.ts";
import { AddonFailed } from "../addon.ts";

const TRIES = 3;
const FIRST_PAUSE_SECONDS = 0.5;
const LONGEST_PAUSE_SECONDS = 20;
const SHOWN_CHARACTERS = 200;

/** @throws AddonFailed saying what the provider answered */
export async function askProvider(
  name: string,
  url: string,
  body: object,
  options: { headers?: Record<string, string>; timeoutMilliseconds: number },
): Promise<unknown> {
  let reason = "";
  for (let attempt = 0; attempt < TRIES; attempt++) {
    let pause = FIRST_PAUSE_SECONDS * 4 ** attempt;
    try {
      const { status, text, retryAfterSeconds } = await postToProvider(url, body, options);
      if (status >= 200 && status < 300) return JSON.parse(text);
      reason = `it answered ${status}: ${text.slice(0, SHOWN_CHARACTERS)}`;
      if (status < 500 && status !== 429 && status !== 408) break;
      pause = Math.min(LONGEST_PAUSE_SECONDS, Math.max(pause, retryAfterSeconds ?? 0));
    } catch (error) {
      reason = error instanceof SyntaxError ? "its answer is not JSON" : "it could not be reached, or not in time";
    }
    if (attempt < TRIES - 1) await new Promise((resolve) => setTimeout(resolve, pause * 1000));
  }
  throw new AddonFailed(`The ${name} failed: ${reason}`);
}
