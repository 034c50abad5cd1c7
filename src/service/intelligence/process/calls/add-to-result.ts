// Adds add-ons to the stored result of a job.
import { errors } from "../../../../platform/errors.ts";
import type { AddedAddons, LaterAddons } from "../message.ts";
import type { ResultProcesses } from "../result-processes.ts";

/** @returns the languages of the words of a stored result @throws work.aborted, process.died, process.timeout */
export async function spokenLanguagesOf(
  processes: Pick<ResultProcesses, "send">,
  tenant: string,
  stored: string,
  signal: AbortSignal,
): Promise<string[]> {
  const response = await processes.send({ tenant, request: { kind: "languages", stored } }, signal);
  if (response.kind !== "languages") throw errors.internal(response);
  return response.languages;
}

/**
 * @param tenant  account of the job
 * @throws add_ons.outdated, work.aborted, process.died, process.timeout
 */
export async function addToResult(
  processes: Pick<ResultProcesses, "send" | "providers">,
  tenant: string,
  addons: LaterAddons,
  signal: AbortSignal,
): Promise<AddedAddons> {
  const { providers } = processes;
  const response = await processes.send({ tenant, request: { kind: "add", providers, ...addons } }, signal);
  if (response.kind !== "added") throw errors.internal(response);
  const { kind: _, ...added } = response;
  return added;
}
