// Runs one add-on for a live session.
import type { AddonParameters } from "../../../../contract/job-parameters.ts";
import type { AddonResult, Transcription } from "../../../../contract/transcript/transcript.ts";
import { type AddonInput, failed } from "../../addon.ts";
import { AddonFailed } from "../../addon-error.ts";
import type { ResultRequest } from "../message.ts";
import type { ResultProcesses } from "../result-processes.ts";

/**
 * Runs one add-on over one transcript. Never throws.
 * @param tenant  account of the call
 */
export async function computeAddon(
  processes: Pick<ResultProcesses, "send" | "providers">,
  tenant: string,
  name: string,
  transcription: Transcription,
  params: AddonParameters,
  options: Pick<AddonInput, "isRealtime" | "english"> = {},
): Promise<AddonResult<unknown>> {
  const { providers } = processes;
  const request: ResultRequest = { kind: "addon", name, transcription, params, providers, ...options };
  try {
    const response = await processes.send({ tenant, request });
    if (response.kind === "answer") return response.answer;
  } catch {
    // Returned as the add-on's failure.
  }
  return failed(new AddonFailed(`${name} did not end; the transcript is complete without it`));
}
