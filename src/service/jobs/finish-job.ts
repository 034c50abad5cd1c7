// The end of a job that this process holds: its ending is stored, and its work folder is removed.

import { parseJobParameters } from "../../contract/job-parameters.ts";
import { updateFile } from "../../platform/storage/db/files/files.ts";
import { type Hold, lockHeldJob } from "../../platform/storage/db/jobs/held-jobs.ts";
import { type Ending, findJob, type JobRow } from "../../platform/storage/db/jobs/jobs.ts";
import { attemptResultKey } from "../../platform/storage/objects/keys.ts";
import { callbackTarget } from "../callbacks/enqueue.ts";
import { endRecordedJob, removeLeft } from "./end-job.ts";
import type { StageOutputs, StageServices } from "./stages/stage.ts";
import { attemptFolder, workFolder } from "./stages/work-files.ts";

export interface FinishedJob {
  id: string;
  ending: Ending;
  createdAt: Date;
  startedAt: Date;
  /** Whether it has a callback. */
  hasCallback: boolean;
  /** Length of the transcribed audio; undefined if the recording could not be read. */
  audioSeconds?: number;
}

/**
 * Removes what an attempt left that no longer holds its job. Working files of a job that another attempt continues stay: that
 * attempt may read some, and removes all at its end.
 */
export async function discardAttempt({ database, objects }: StageServices, hold: Hold): Promise<void> {
  const row = await findJob(database, hold.id);
  const isUnfinished = row?.status === "queued" || row?.status === "processing";
  // A copy of this machine alone may be discarded.
  if (isUnfinished) await objects.takeOver(attemptFolder(hold.id, hold.attempt));
  else await objects.removeFolder(workFolder(hold.id));
  const result = attemptResultKey(hold.id, hold.attempt);
  if (row?.result_key !== result) await objects.remove(result);
}

/**
 * @returns undefined if the job was deleted, or recovered from this attempt, in the meantime
 */
export async function finishJob(
  services: StageServices,
  row: JobRow,
  outputs: StageOutputs,
  ending: Ending,
  hold: Hold,
): Promise<FinishedJob | undefined> {
  const { id } = row;
  const params = parseJobParameters(row.request_params);
  const endSeconds = outputs.decode?.durationSeconds;
  const audioSeconds = endSeconds === undefined ? undefined : endSeconds - (params.audio_range?.start ?? 0);
  const isEnded = await endRecordedJob(services, row, ending, {
    hold,
    before: async (transaction) => {
      if (!(await lockHeldJob(transaction, hold))) return;
      if (!outputs.fetch || endSeconds === undefined) return;
      const channels = outputs.decode?.channels;
      await updateFile(transaction, outputs.fetch.fileId, {
        // The end of a range says nothing about the file.
        ...(params.audio_range === undefined ? { audio_duration: endSeconds } : {}),
        ...(channels === undefined ? {} : { number_of_channels: channels }),
      });
    },
  });
  if (!isEnded) {
    await discardAttempt(services, hold);
    return undefined;
  }
  await removeLeft(services, { id, attempt: hold.attempt, added_to: row.added_to }, ending);
  services.logger.info({ job: id, status: ending.status }, "job ended");
  return {
    id,
    ending,
    createdAt: row.created_at,
    startedAt: row.started_at ?? row.created_at,
    hasCallback: callbackTarget(id, params) !== undefined,
    // Add-ons recognise nothing: they say nothing about how fast recordings are.
    ...(audioSeconds === undefined || row.added_to !== null ? {} : { audioSeconds }),
  };
}
