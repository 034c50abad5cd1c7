import { errors } from "../../errors.ts";
import type { JobRow } from "../../storage/db/jobs.ts";
import type { ApiContext } from "../context.ts";

/** File of a finished job's result. @throws job.no_transcript while there is none */
export async function resultPath(row: JobRow, { objects }: Pick<ApiContext, "objects">): Promise<string> {
  const isThere = row.status === "done" && row.result_key && (await objects.size(row.result_key)) !== undefined;
  if (!isThere || !row.result_key) throw errors.noTranscript(row.status);
  return objects.localPath(row.result_key);
}
