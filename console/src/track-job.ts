// Makes the job of another audio track. The service may make it although its answer is lost: nothing would show that job.
import { ApiError, get } from "./api.ts";
import { firstFound, jobsOf } from "./job-of-upload.ts";
import { createJob, jobOutcome, removeSurely } from "./job-outcome.ts";
import { isOutage, serviceAnswers } from "./outage.ts";
import type { Job } from "./shapes.ts";
import { isBeingSent, jobOfState, keep, type Task } from "./task.ts";

/** @returns the id of the new job @throws ApiError  after one without an answer, call `removeUnanswered` */
export async function createTrackJob(task: Task, audioUrl: string, track: number): Promise<string> {
  const known = (await jobsOf(audioUrl)).map(({ id }) => id);
  task.unanswered = { track, known };
  // Before the request: the page may be closed before the answer.
  await keep(task);
  try {
    const job = await createJob(task, { audio_url: audioUrl, audio_track: track });
    delete task.unanswered;
    return job;
  } catch (error) {
    if (!(error instanceof ApiError && isOutage(error.status))) await forget(task);
    throw error;
  }
}

async function forget(task: Task): Promise<void> {
  delete task.unanswered;
  await keep(task);
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

/** The job that the service made for a request without an answer. @throws ApiError */
async function jobOfUnanswered(task: Task): Promise<string | undefined> {
  const { unanswered, sent: audioUrl } = task;
  if (!unanswered || audioUrl === undefined) return undefined;
  const { track, known } = unanswered;
  const isOwn = (id: string) => jobOfState(task.state.peek()) === id;
  return firstFound(() => jobWithTrack(audioUrl, track, (id) => known.includes(id) || isOwn(id)));
}

/** Deletes the job that the service made for a request without an answer, once it answers again. @throws ApiError */
export async function removeUnanswered(task: Task): Promise<void> {
  if (!task.unanswered) return;
  await serviceAnswers();
  const made = await jobOfUnanswered(task);
  // Another attempt may have found the job, and continues with it.
  const isFree = !isBeingSent(task.state.peek()) && jobOfState(task.state.peek()) !== made;
  if (made !== undefined && isFree) await removeSurely(task, made);
  await forget(task);
}

/** @returns the same, once the service answers @throws ApiError  after a refusal */
async function jobAfterOutage(task: Task): Promise<string | undefined> {
  for (;;) {
    try {
      return await jobOfUnanswered(task);
    } catch (error) {
      if (!(error instanceof ApiError && isOutage(error.status))) throw error;
    }
    await serviceAnswers();
  }
}

/**
 * Finds the job of a choice whose page was closed before the service answered.
 * @param follow  called with the job, which takes the place of the one before
 * @throws ApiError
 */
export async function continueUnanswered(task: Task, follow: (job: string) => void): Promise<void> {
  const made = await jobAfterOutage(task);
  const before = jobOfState(task.state.peek());
  delete task.unanswered;
  // It was removed from the list meanwhile, with the job before.
  if (task.isDropped) return made === undefined ? undefined : removeSurely(task, made);
  if (made === undefined || isBeingSent(task.state.peek())) return keep(task);
  follow(made);
  if (before === undefined) return;
  // A finished transcript is kept. The page may not have read yet that it is finished.
  const { status } = await jobOutcome(before);
  if (status === "queued" || status === "processing") await removeSurely(task, before);
}
