// Divides the utterances of a live session by speakers.
import { errors } from "../../../../platform/errors.ts";
import type { DiarizationRequest, Diarized } from "../message.ts";
import type { ResultProcesses } from "../result-processes.ts";

/** @throws process.died, process.timeout */
export async function divideBySpeakers(
  processes: Pick<ResultProcesses, "send">,
  tenant: string,
  diarization: DiarizationRequest,
): Promise<Diarized> {
  const response = await processes.send({ tenant, request: { kind: "diarize", ...diarization } });
  if (response.kind !== "diarized") throw errors.internal(response);
  const { kind: _, ...diarized } = response;
  return diarized;
}
