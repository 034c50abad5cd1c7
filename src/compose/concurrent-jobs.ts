// Recordings that are processed at once, and the tasks that they have in flight.
import type { Settings } from "../platform/config/settings.ts";
import { capacityOf } from "../service/inference/pool.ts";
import { tasksInFlight } from "../service/jobs/stages/segment-recognition.ts";

/** Recordings for each recogniser process: as many as it recognises at once. */
const JOBS_A_PROCESS = 8;

export function concurrentJobsOf({ concurrentJobs, workers }: Settings): number {
  return concurrentJobs || JOBS_A_PROCESS * workers;
}

/** Most tasks that the recordings of this process have in flight. The queue holds them all, so that none is refused. */
export const recordedTasksOf = (settings: Settings): number =>
  concurrentJobsOf(settings) * tasksInFlight(capacityOf(settings.workers));
