// The end of a job that this process holds: its ending is stored, and its work folder is removed.
import { callbackTarget } from "../callbacks/enqueue.ts";
import { parseJobParameters } from "../contract/job-parameters.ts";
import { updateFile } from "../storage/db/files.ts";
import { type Ending, findJob, type JobRow } from "../storage/db/jobs.ts";
import { endRecordedJob } from "./end-job.ts";
import { type StageOutputs, type StageServices, workFolder } from "./stages/stage.ts";

export interface FinishedJob {
  id: string;
  ending: Ending;
  createdAt: Date;
  startedAt: Date;
  /** Whether it has a callback. */
  hasCallback: boolean;
  /** Undefined if the recording could not be read. */
  audioSeconds?: number;
}

/**
 * @param worker  name of this process in the row
 * @returns undefined if the job was deleted, or claimed by another worker, in the meantime
 */
export async function finishJob(
  services: StageServices,
  row: JobRow,
  outputs: StageOutputs,
  ending: Ending,
  worker: string,
): Promise<FinishedJob | undefined> {
  const { id } = row;
  const audioSeconds = outputs.decode?.durationSeconds;
  const isEnded = await endRecordedJob(services, row, ending, {
    worker,
    before: async (transaction) => {
      if (!outputs.fetch || audioSeconds === undefined) return;
      const channels = outputs.decode?.channels;
      await updateFile(transaction, outputs.fetch.fileId, {
        audio_duration: audioSeconds,
        ...(channels === undefined ? {} : { number_of_channels: channels }),
      });
    },
  });
  if (!isEnded) {
    // The files of a job that another worker has belong to that worker.
    if (await findJob(services.database, id)) return undefined;
    await services.objects.removeFolder(workFolder(id));
    if (ending.status === "done") await services.objects.remove(ending.resultKey);
    return undefined;
  }
  await services.objects.removeFolder(workFolder(id));
  services.logger.info({ job: id, status: ending.status }, "job ended");
  return {
    id,
    ending,
    createdAt: row.created_at,
    startedAt: row.started_at ?? row.created_at,
    hasCallback: callbackTarget(id, parseJobParameters(row.request_params)) !== undefined,
    ...(audioSeconds === undefined ? {} : { audioSeconds }),
  };
}
