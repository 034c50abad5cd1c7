// The length by which the times of a job's stages are measured and estimated: of the audio that is transcribed, in all its channels.
import type { Database } from "../../platform/storage/db/database.ts";
import { findFile } from "../../platform/storage/db/files/files.ts";
import { findJob, type JobRow } from "../../platform/storage/db/jobs/jobs.ts";
import type { StageJob, StageOutputs } from "./stages/stage.ts";

type Outputs = Pick<StageOutputs, "fetch" | "decode">;

/** Seconds of one channel. @param wholeSeconds  of the file, or the end of the range */
function withinRange({ params }: Pick<StageJob, "params">, wholeSeconds: number): number {
  const { start = 0, end = wholeSeconds } = params.audio_range ?? {};
  return Math.max(0, Math.min(end, wholeSeconds) - start);
}

/**
 * Seconds of the transcribed audio, times the number of channels that are transcribed. Before they are known, as one channel.
 * @param fileSeconds  of the file, if it is known from elsewhere
 * @returns undefined if the length is not known yet
 */
export function transcribedSeconds(
  job: Pick<StageJob, "params">,
  { fetch, decode }: Outputs,
  fileSeconds?: number,
): number | undefined {
  if (decode) return withinRange(job, decode.durationSeconds) * Math.max(1, decode.distinctChannels.length);
  const whole = fetch?.durationSeconds ?? fileSeconds;
  return whole === undefined ? undefined : withinRange(job, whole);
}

/** Length of the file of a job, or of the job that gets add-ons; a file keeps it without its audio. */
export async function fileSecondsOf(
  database: Database,
  { file_id, added_to }: Pick<JobRow, "file_id" | "added_to">,
): Promise<number | undefined> {
  const id = file_id ?? (added_to === null ? undefined : (await findJob(database, added_to))?.file_id);
  const file = id ? await findFile(database, id) : undefined;
  return file?.audio_duration ?? undefined;
}
