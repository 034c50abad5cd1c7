// Jobs of a service: uploads recordings, creates jobs, waits for their end.

import { stat } from "node:fs/promises";
import path from "node:path";
import { RESUMABLE_BYTES } from "../contract/client/resumable-upload.ts";
import type { JobBody } from "../contract/job.ts";
import type { AddonParameters } from "../contract/job-parameters.ts";
import type { CreatedJob } from "../contract/pre-recorded.ts";
import type { Upload } from "../contract/upload.ts";
import { isAddress } from "../platform/addresses/web-url.ts";
import { errors, ParlanceError } from "../platform/errors.ts";
import { askService, type ServiceAddress, sendFile } from "../platform/net/service-request.ts";
import { retry } from "../platform/process/retry.ts";
import { sleep } from "../platform/process/sleep.ts";
import { sendResumably } from "./resumable-upload.ts";

const FIRST_POLL_MILLISECONDS = 250;
const LONGEST_POLL_MILLISECONDS = 3_000;
const POLL_GROWTH = 1.3;
/** Longest time in which a service that answered before may be silent, as while it restarts. */
const MOST_SILENT_MILLISECONDS = 300_000;
const REPEAT_MILLISECONDS = 1_000;
const [TOO_MANY_REQUESTS, UNAVAILABLE] = [429, 503];

export interface UploadOptions {
  progress?: (share: number) => void;
  signal?: AbortSignal;
}

const jobPath = (id: string) => `/v2/transcription/${encodeURIComponent(id)}`;

export async function getJob(service: ServiceAddress, id: string): Promise<JobBody> {
  return JSON.parse((await askService(service, "GET", jobPath(id))).toString()) as JobBody;
}

export async function deleteJob(service: ServiceAddress, id: string): Promise<void> {
  await askService(service, "DELETE", `${jobPath(id)}?cancel=true`);
}

/**
 * @param progress  receives the share of the file that is sent, 0 to 1
 * @returns address of the uploaded file
 */
export async function uploadRecording(
  service: ServiceAddress,
  file: string,
  name: string,
  { progress = () => undefined, signal = new AbortController().signal }: UploadOptions = {},
): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) {
    throw errors.fileMissing(file, found !== undefined);
  }
  if (found.size >= RESUMABLE_BYTES) {
    const source = { file, name, size: found.size, modified: found.mtimeMs };
    const address = await sendResumably(service, source, progress, signal);
    if (address !== undefined) return address;
  }
  const answer = await sendFile(service, "/v2/upload", file, name);
  return (JSON.parse(answer.toString()) as Upload).audio_url;
}

export interface CreationOptions extends UploadOptions {
  /** Called before each pause, if requests are repeated while the service does not answer. */
  onAway?: (() => void) | undefined;
}

/**
 * @param source  file or address; the service fetches an address
 * @param name    of the recording, if the file has another name
 * @returns id of the job, and warnings about the request
 */
export async function createJob(
  service: ServiceAddress,
  source: string,
  body: AddonParameters,
  name = path.basename(source),
  { onAway, ...options }: CreationOptions = {},
): Promise<CreatedJob> {
  const { signal } = options;
  const upload = () => uploadRecording(service, source, name, options);
  const repeatedUpload = onAway ? () => whileAway(upload, onAway, signal) : upload;
  const audio_url = isAddress(source) ? source : await repeatedUpload();
  signal?.throwIfAborted();
  const create = () => askService(service, "POST", "/v2/pre-recorded", { ...body, audio_url });
  const answer = await (onAway ? whileAway(create, onAway, signal, wasNotBegun) : create());
  return JSON.parse(answer.toString()) as CreatedJob;
}

/** Whether the same request may succeed later: the service does not answer, or has no capacity at present. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof ParlanceError)) return false;
  const { code, status } = error;
  return (
    code === "service.unreachable" || (code === "service.refused" && (status >= 500 || status === TOO_MANY_REQUESTS))
  );
}

/** Whether the service certainly did not begin the work: a repeated request then does not begin it twice. */
function wasNotBegun(error: unknown): boolean {
  if (!(error instanceof ParlanceError)) return false;
  const { code, status, cause } = error;
  if (code === "service.unreachable") return (cause as { code?: unknown } | undefined)?.code === "ECONNREFUSED";
  return code === "service.refused" && (status === TOO_MANY_REQUESTS || status === UNAVAILABLE);
}

/**
 * Repeats a request to a service that answered before, for up to five minutes. @param onAway  called before each pause
 * @throws the last error
 */
function whileAway<Result>(
  request: () => Promise<Result>,
  onAway: () => void,
  signal?: AbortSignal,
  mayRepeat: (error: unknown) => boolean = mayPass,
): Promise<Result> {
  const began = performance.now();
  const hasTime = () => performance.now() - began < MOST_SILENT_MILLISECONDS;
  return retry(request, {
    signal,
    pauseAfter: (error) => (mayRepeat(error) && hasTime() ? REPEAT_MILLISECONDS : undefined),
    onFailed: onAway,
  });
}

/**
 * Polls until the job is done or has failed, also over a restart of the service.
 * @param progress  receives the stage and the share of the whole, 0 to 1
 */
export async function endOfJob(
  service: ServiceAddress,
  id: string,
  progress: (stage: string, share: number) => void,
  signal?: AbortSignal,
): Promise<JobBody> {
  let pause = FIRST_POLL_MILLISECONDS;
  let share = 0;
  for (;;) {
    const job = await whileAway(
      () => getJob(service, id),
      () => progress("no answer", share),
      signal,
    );
    if (job.status === "done" || job.status === "error") return job;
    share = job.progress?.share ?? 0;
    progress(job.progress?.stage ?? job.status, share);
    await sleep(pause);
    signal?.throwIfAborted();
    pause = Math.min(LONGEST_POLL_MILLISECONDS, pause * POLL_GROWTH);
  }
}
