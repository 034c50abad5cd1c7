// Writes the result of a job: its transcript with speakers and add-ons.
import { errors, toParlanceError } from "../../../../platform/errors.ts";
import type { Assembled, Assembly, ResultResponse } from "../message.ts";
import { isLoss, type ResultProcesses } from "../result-processes.ts";

function assembledIn(response: ResultResponse): Assembled {
  if (response.kind !== "assembled") throw errors.internal(response);
  const { hash, speakerVoices } = response;
  return { hash, speakerVoices };
}

/**
 * If the add-ons end the process, the result is written without them.
 * @param tenant  account of the job
 * @throws work.aborted; process.died when even the transcript alone cannot be written
 */
export async function writeResult(
  processes: Pick<ResultProcesses, "send" | "providers">,
  tenant: string,
  assembly: Assembly,
  signal: AbortSignal,
): Promise<Assembled> {
  const request = { kind: "assemble" as const, providers: processes.providers, ...assembly };
  try {
    return assembledIn(await processes.send({ tenant, request: { ...request, withAddons: true } }, signal));
  } catch (thrown) {
    signal.throwIfAborted();
    if (!isLoss(toParlanceError(thrown).code)) throw thrown;
    return assembledIn(await processes.send({ tenant, request: { ...request, withAddons: false } }, signal));
  }
}
