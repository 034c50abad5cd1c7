// Sends the file of a task, and makes its job.
import { ApiError, errorMessage } from "./api.ts";
import { canUploadSucceed } from "./can-succeed.ts";
import { jobOf } from "./job-of-upload.ts";
import { createJob } from "./job-outcome.ts";
import { codeOf } from "./language/messages.ts";
import { isOutage } from "./outage.ts";
import { sendFile } from "./send-file.ts";
import type { Upload } from "./shapes.ts";
import { keep, requestFile, type Task, trackOf } from "./task.ts";

const UNPROCESSABLE = 422;

/** Sends the file of a task. A refusal is final, unless another attempt can succeed. */
async function sendFileOf(task: Task, file: File): Promise<Upload> {
  const progress = (share: number) => {
    task.state.value = { kind: "sending", share };
  };
  try {
    return await sendFile(task, file, task.stop.signal, progress, () => keep(task));
  } catch (error) {
    task.isFinal = error instanceof ApiError && !canUploadSucceed(error.status);
    throw error;
  }
}

/** @returns the id of the new job @throws ApiError */
async function requestJob(task: Task, body: Parameters<typeof createJob>[1]): Promise<string> {
  try {
    return await createJob(task, body);
  } catch (error) {
    if (error instanceof ApiError && isOutage(error.status)) task.mayHaveJob = true;
    throw error;
  }
}

/** @returns the id of the job @throws ApiError */
export async function jobOfTask(task: Task): Promise<string> {
  const { source, refusal } = task;
  delete task.refusal;
  delete task.isFinal;
  if (task.sent !== undefined) {
    const job = await createSent(task, task.sent, refusal);
    if (job !== undefined) return job;
  }
  if (typeof source === "string") return createJob(task, { audio_url: source });
  const { audio_url, audio_track, audio_tracks } = await sendFileOf(task, source);
  task.sent = audio_url;
  delete task.unfinished;
  await keep(task);
  if (audio_tracks.length > 1) {
    const chosen = trackOf(task.options, audio_tracks) ?? audio_track;
    task.tracks.value = { audioUrl: audio_url, list: audio_tracks, chosen, automatic: audio_track };
  }
  return requestJob(task, { audio_url });
}

/** @returns the job of a file that was sent before; undefined if the service may not have the file any more */
async function createSent(task: Task, sent: string, refusal: string | undefined): Promise<string | undefined> {
  const { failedJob, mayHaveJob = false } = task;
  // The page may have been reloaded before it stored the answer. The first request for a job in place of a failed one needs no search.
  const isSearched = refusal === undefined && (failedJob === undefined || mayHaveJob);
  const found = isSearched ? await jobOf(sent, failedJob) : undefined;
  if (found !== undefined) return found;
  try {
    const { value: choice } = task.tracks;
    return await requestJob(task, { audio_url: sent, ...(choice ? { audio_track: choice.chosen } : {}) });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === UNPROCESSABLE)) throw error;
    const reason = errorMessage(error);
    // After a reload, the page does not have the file of a job: a person may have it.
    if (task.source === "") {
      if ((await codeOf(reason)) === "file.unknown") requestFile(task);
      throw error;
    }
    // The same reason as before is that of the options.
    if (reason === refusal) throw error;
    delete task.sent;
    return undefined;
  }
}
