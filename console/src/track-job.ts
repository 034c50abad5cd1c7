// Makes the job of another audio track. The service may make it although its answer is lost: nothing would show that job.
import { ApiError, get } from "./api.ts";
import { firstFound, jobsOf } from "./job-of-upload.ts";
import { createJob, removeSurely } from "./job-outcome.ts";
import { isOutage, serviceAnswers } from "./outage.ts";
import type { Job } from "./shapes.ts";
import { isBeingSent, jobOfState, type Task } from "./task.ts";

/** @returns the id of the new job @throws ApiError  after one without an answer, call `removeUnanswered` */
export async function createTrackJob(task: Task, audioUrl: string, track: number): Promise<string> {
  const known = new Set((await jobsOf(audioUrl)).map(({ id }) => id));
  try {
    return await createJob(task, { audio_url: audioUrl, audio_track: track });
  } catch (error) {
    if (error instanceof ApiError && isOutage(error.status)) task.unanswered = { track, known };
    throw error;
  }
}

/** @returns the oldest job of the file with this track, of those that `isKnown` leaves */
async function jobWithTrack(
  audioUrl: string,
  track: number,
  isKnown: (id: string) => boolean,
): Promise<string | undefined> {
  // The list begins with the newest: a later one may be that of another page.
  for (const { id } of (await jobsOf(audioUrl)).reverse()) {
    if (isKnown(id)) continue;
    const { request_params: params } = await get<Job>(`/v2/transcription/${id}`);
    if (params?.["audio_track"] === track) return id;
  }
  return undefined;
}

/** Deletes the job that the service made for a request without an answer, once it answers again. @throws ApiError */
export async function removeUnanswered(task: Task): Promise<void> {
  const { unanswered, tracks } = task;
  delete task.unanswered;
  const audioUrl = tracks.value?.audioUrl;
  if (!unanswered || audioUrl === undefined) return;
  const { track, known } = unanswered;
  await serviceAnswers();
  const isOwn = (id: string) => jobOfState(task.state.peek()) === id;
  const made = await firstFound(() => jobWithTrack(audioUrl, track, (id) => known.has(id) || isOwn(id)));
  // Another attempt may have found the job, and continues with it.
  if (made !== undefined && !isBeingSent(task.state.peek()) && !isOwn(made)) await removeSurely(task, made);
}
