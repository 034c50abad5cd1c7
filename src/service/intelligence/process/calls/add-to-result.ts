// Adds add-ons to the stored result of a job.
import { errors } from "../../../../platform/errors.ts";
import type { AddedAddons, LaterAddons, Spoken } from "../message.ts";
import type { ResultProcesses } from "../result-processes.ts";

/** @param stored  file of the result of a job @throws work.aborted, process.died, process.timeout */
export async function spokenIn(
  processes: Pick<ResultProcesses, "send">,
  tenant: string,
  stored: string,
  signal: AbortSignal,
): Promise<Spoken> {
  const response = await processes.send({ tenant, request: { kind: "spoken", stored } }, signal);
  if (response.kind !== "spoken") throw errors.internal(response);
  return response;
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
