// An add-on works over a finished transcript. Whatever it does, the transcript itself stays unharmed.
import type { AddonResult, Transcription } from "../jobs/transcript.ts";

export interface AddonInput {
  transcription: Transcription;
  /** The request's body after defaults. */
  params: Record<string, unknown>;
}

export interface Addon {
  /** The switch in the request and, unless it says otherwise, the key in the result. */
  name: string;
  run(input: AddonInput): Promise<unknown>;
  /** Puts the answer where the interface has it; by default under its name beside the transcription. */
  place?(result: Record<string, unknown>, transcription: Transcription, answer: AddonResult<unknown>): void;
}

/** Runs an add-on and wraps whatever comes of it. */
export async function runAddon(addon: Addon, input: AddonInput): Promise<AddonResult<unknown>> {
  const started = performance.now();
  const seconds = () => Math.round(performance.now() - started) / 1000;
  try {
    const results = await addon.run(input);
    const isEmpty = results === null || results === "" || (Array.isArray(results) && results.length === 0);
    return { success: true, is_empty: isEmpty, exec_time: seconds(), error: null, results };
  } catch (thrown) {
    const known = thrown instanceof AddonUnavailable;
    return {
      success: false,
      is_empty: true,
      exec_time: seconds(),
      error: {
        status_code: known ? 501 : 500,
        exception: known ? "NotAvailable" : "AddonFailed",
        message: known ? thrown.message : "The add-on failed; the transcript is complete without it",
      },
      results: null,
    };
  }
}

export class AddonUnavailable extends Error {}
