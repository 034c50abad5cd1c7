// Sends the file of a task. A large one is sent as an upload that resumes: its path is stored with the task, so that a cut connection or a
// reload of the page costs the bytes under way only.
import {
  RESUMABLE_BYTES,
  type UploadReply,
  type UploadRequest,
  type UploadSource,
  uploadResumably,
} from "../../src/contract/client/resumable-upload.ts";
import { TUS_VERSION } from "../../src/contract/tus.ts";
import { at } from "./address.ts";
import { ApiError, accountHeaders, noteSignedOut, upload } from "./api.ts";
import { t } from "./language/language.ts";
import { whenMessagesAreLoaded } from "./language/messages.ts";
import type { ErrorAnswer, Upload } from "./shapes.ts";
import { sleep } from "./sleep.ts";

const UNAUTHORIZED = 401;

interface SentTask {
  unfinished?: string;
}

/** What a stored task names at the service. */
export const atService = ({ unfinished, sent }: { [Field in "unfinished" | "sent"]?: string | undefined }) => ({
  ...(unfinished === undefined ? {} : { unfinished }),
  ...(sent === undefined ? {} : { sent }),
});

/** Sends one request of an upload. @throws ApiError without an answer; the reason of the signal */
export function exchange(
  { method, path, headers, body, onSent }: UploadRequest<Blob>,
  signal: AbortSignal,
): Promise<UploadReply> {
  // XMLHttpRequest, because fetch does not report upload progress.
  return new Promise((resolve, reject) => {
    if (signal.aborted) throw new DOMException("stopped", "AbortError");
    const call = new XMLHttpRequest();
    const abort = () => call.abort();
    call.open(method, at(path));
    for (const [name, value] of Object.entries({ ...headers, ...accountHeaders() })) call.setRequestHeader(name, value);
    call.responseType = "json";
    if (onSent) call.upload.onprogress = ({ loaded }) => onSent(loaded);
    call.onload = () => {
      const header = (name: string) => call.getResponseHeader(name);
      resolve({ status: call.status, header, json: call.response as unknown });
    };
    call.onerror = () => reject(new ApiError(0, t.problems.cutUpload));
    call.onabort = () => reject(new DOMException("stopped", "AbortError"));
    call.onloadend = () => signal.removeEventListener("abort", abort);
    signal.addEventListener("abort", abort, { once: true });
    call.send(body ?? null);
  });
}

/** @param name  of the file at the service */
export const sourceOf = (content: Blob, name: string): UploadSource<Blob> => ({
  name,
  size: content.size,
  slice: (start, end) => content.slice(start, end),
});

async function toApiError({ status, json }: UploadReply): Promise<ApiError> {
  if (status === UNAUTHORIZED) {
    noteSignedOut();
    return new ApiError(status, t.problems.signedOut);
  }
  await whenMessagesAreLoaded();
  const { message, validation_errors } = (json ?? {}) as Partial<ErrorAnswer>;
  return new ApiError(status, message ?? t.problems.answered(status), validation_errors);
}

/**
 * @param signal  stops the upload
 * @param progress  called with shares from 0 to 1
 * @param keep  stores the task
 */
export async function sendFile(
  task: SentTask,
  file: File,
  signal: AbortSignal,
  progress: (share: number) => void,
  keep: () => Promise<void>,
): Promise<Upload> {
  // A recording may have been sent in part while it was made.
  if (file.size < RESUMABLE_BYTES && task.unfinished === undefined) return upload(file, progress, signal);
  const source = sourceOf(file, file.name);
  const transport = {
    send: (request: UploadRequest<Blob>) => exchange(request, signal),
    pause: sleep,
    now: () => performance.now(),
    signal,
  };
  const events = {
    onProgress: progress,
    onPath: (path: string) => {
      task.unfinished = path;
      return keep();
    },
  };
  const outcome = await uploadResumably(source, transport, events, task.unfinished);
  if ("refusal" in outcome) throw await toApiError(outcome.refusal);
  return outcome.upload;
}

/** Deletes what the service has of the file of a cancelled task. */
export async function dropUnfinished({ unfinished: path }: SentTask): Promise<void> {
  if (path === undefined) return;
  const request = { method: "DELETE" as const, path, headers: { "tus-resumable": TUS_VERSION } };
  await exchange(request, new AbortController().signal).catch(() => undefined);
}
