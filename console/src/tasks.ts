// Uploads with a bounded concurrency, and polling of every job until it ends. What is not sent yet is also in the browser's
// database: after a reload the page sends it, and after an expired sign-in it is sent when the account is signed in again.
import { computed, effect, signal } from "@preact/signals";
import { accountName, shownAccountName, sizeProblem } from "./account.ts";
import { ApiError, errorMessage, send } from "./api.ts";
import { chosenOptions } from "./chosen-options.ts";
import { removeSurely } from "./job-outcome.ts";
import { t } from "./language/language.ts";
import { findDuration } from "./media-duration.ts";
import { newKey } from "./open-pages.ts";
import { isOutage, serviceAnswers } from "./outage.ts";
import { pollJob } from "./poll-job.ts";
import { atService, dropUnfinished } from "./send-file.ts";
import {
  isBeingSent,
  isEnded,
  isLostWithPage,
  isUnsent,
  isWantedFile,
  keep,
  storeNewTask,
  type Task,
  takeFile,
  taskOf,
  trackOf,
  wantedFile,
} from "./task.ts";
import { jobOfTask } from "./task-job.ts";
import { continueUnanswered, createTrackJob, removeUnanswered } from "./track-job.ts";
import type { Recorded, StoredUpload } from "./upload-store.ts";

const UPLOADS_AT_ONCE = 3;

/** Of every account that was signed in on this page. */
const all = signal<readonly Task[]>([]);
/** Of the account that is signed in. */
export const tasks = computed(() => all.value.filter((task) => task.account === shownAccountName.value));
export const { values: options, remember: rememberOptions } = chosenOptions("options", {});
const [UNAUTHORIZED, TOO_MANY] = [401, 429];
/** A later attempt may succeed: sign-in, slow upload, too many requests. */
const PASSING = new Set([UNAUTHORIZED, 408, TOO_MANY]);
/** Bounds the attempts where a proxy answers 401 to uploads alone: the page finds the account signed in each time. */
const MOST_SIGN_OUTS = 3;
/** Attempts with a file whose connection is cut while the service answers other requests, such as by a proxy that limits sizes. */
const MOST_CUTS = 5;
let sending = 0;
let isPaused = false;

/** Finds the length of the file of a task for the list. The upload does not wait for it. */
function measure(task: Task): void {
  const { source: file } = task;
  if (!(file instanceof File)) return;
  const found = (seconds: number) => {
    task.seconds.value = seconds;
  };
  findDuration({ file, isWanted: () => !task.isDropped, found });
}

async function add(name: string, source: File | string, owner: string | undefined, recorded?: Recorded): Promise<void> {
  if (owner === undefined) return;
  const { removePieces, unfinished } = recorded ?? {};
  const place = { key: newKey(), account: owner, name, source, isRecorded: recorded !== undefined };
  const refusal = source instanceof File ? sizeProblem(source) : undefined;
  const refused = refusal === undefined ? {} : { refusal, isFinal: true };
  const task = taskOf({ ...place, options: options.value, ...atService({ unfinished }), ...refused }, false);
  if (removePieces) task.removePieces = removePieces;
  all.value = [...all.value, task];
  if (refusal !== undefined) onFailure(task, refusal);
  sendNext();
  measure(task);
  await storeNewTask(task);
  // The browser requests a confirmation before the page is closed.
  if (task.kept.kind !== "all") return;
  await removePieces?.();
  // Its state may have changed meanwhile.
  await keep(task);
}

export function addFiles(files: readonly File[]): void {
  for (const file of files) {
    const wanted = tasks.value.find((task) => task.name === file.name && isWantedFile(task, file));
    if (wanted) giveFile(wanted, file);
    else void add(file.name, file, accountName());
  }
}

/** Continues a task whose file the browser could not keep. @returns whether the file has its name */
export function giveFile(task: Task, file: File): boolean {
  if (file.name !== task.name) return false;
  // A changed file is sent from its beginning.
  if (!isWantedFile(task, file)) {
    void dropUnfinished(task);
    delete task.unfinished;
  }
  takeFile(task, file);
  measure(task);
  retry(task);
  return true;
}

export function addAddress(address: string): void {
  void add(address, address, accountName());
}

/**
 * Makes a recording a task of the account. The pieces stay if the browser has no room for the file, until its job exists.
 * @returns resolves when it is stored, or cannot be
 */
export const addRecording = (file: File, owner: string | undefined, recorded: Recorded): Promise<void> =>
  add(file.name, file, owner, recorded);

function drop(task: Task): void {
  task.isDropped = true;
  task.stop.abort();
  void keep(task);
  all.value = all.value.filter((other) => other !== task);
}

/** @param withUnsent  also files that never became a job */
export function dropEnded(withUnsent: boolean): void {
  for (const task of tasks.value.filter((one) => isEnded(one) && (withUnsent || !isUnsent(one)))) {
    drop(task);
    if (isUnsent(task)) void dropUnfinished(task);
  }
}

/** Stops the task in any state; an accepted job is deleted. */
export async function cancel(task: Task): Promise<void> {
  if (task.isDropped) return;
  const { value: state } = task.state;
  drop(task);
  if (state.kind === "working") await send("DELETE", `/v2/pre-recorded/${state.job}?cancel=true`);
  else await dropUnfinished(task);
}

/** Another attempt, with the options that the form has now. A file that the service has is not sent again. */
export function retry(task: Task): void {
  const { value: state } = task.state;
  if (state.kind !== "failed" || state.isFinal || wantedFile(task)) return;
  const { value: choice } = task.tracks;
  // Where both name a track, the later choice counts: that of the list, or of the options since the last attempt.
  if (choice && options.value["audio_track"] !== task.options["audio_track"])
    task.tracks.value = { ...choice, chosen: trackOf(options.value, choice.list) ?? choice.automatic };
  task.options = options.value;
  if (state.job !== undefined) task.failedJob = state.job;
  task.signOuts = 0;
  task.cuts = 0;
  task.state.value = { kind: "waiting" };
  void keep(task);
  sendNext();
}

/** Another attempt for each file that failed and can succeed. */
export function retryAll(): void {
  for (const task of tasks.value) retry(task);
}

/** Sends nothing until the service answers again: otherwise each file that waits would fail after the other. */
async function pauseSending(): Promise<void> {
  if (isPaused) return;
  isPaused = true;
  await serviceAnswers();
  isPaused = false;
  sendNext();
}

let onFailure: (task: Task, message: string) => void = () => undefined;
/** @param listener  called when a file could not be sent, or is refused */
export function whenUploadFails(listener: typeof onFailure): void {
  onFailure = listener;
}

function sendNext(): void {
  if (isPaused) return;
  const owner = accountName();
  while (sending < UPLOADS_AT_ONCE) {
    const task = all.value.find((one) => one.state.value.kind === "waiting" && one.account === owner);
    if (!task) return;
    sending++;
    task.stop = new AbortController();
    task.state.value = { kind: "sending", share: 0 };
    void run(task);
  }
}

async function run(task: Task): Promise<void> {
  let job: string;
  try {
    job = await jobOfTask(task);
  } catch (error) {
    if (!task.isDropped) handleFailure(task, error);
    return;
  } finally {
    sending--;
    sendNext();
  }
  // The new job is in its place.
  if (task.failedJob !== undefined) void removeSurely(task, task.failedJob).catch(() => undefined);
  delete task.failedJob;
  delete task.mayHaveJob;
  // It was removed from the list while the request was under way.
  if (task.isDropped) await removeSurely(task, job).catch(() => undefined);
  else await pollUntilEnded(task, job);
}

function handleFailure(task: Task, error: unknown): void {
  const status = error instanceof ApiError ? error.status : 0;
  // It is sent when its account is signed in again.
  if (task.stop.signal.aborted || (status === UNAUTHORIZED && ++task.signOuts <= MOST_SIGN_OUTS)) {
    task.state.value = { kind: "waiting" };
    return;
  }
  const message = errorMessage(error);
  // A request with an address may have made a job: only a person sends it again.
  if (isOutage(status) && task.source instanceof File && ++task.cuts < MOST_CUTS) {
    task.state.value = { kind: "waiting", reason: message };
    void pauseSending();
    return;
  }
  // Only a person can send it again, with other options: this browser may have the only copy of the file.
  if (status >= 400 && status < 500 && !PASSING.has(status)) task.refusal = message;
  task.state.value = { kind: "failed", message, isFinal: task.isFinal ?? false };
  void keep(task);
  onFailure(task, message);
}

/**
 * Transcribes another audio track of the file instead. A finished transcript is kept. Of several choices, each waits for the one before,
 * whose job it removes.
 */
export function transcribeTrack(task: Task, number: number): Promise<void> {
  const change = task.trackChange.then(() => changeTrack(task, number));
  task.trackChange = change.catch(() => removeUnanswered(task)).catch(() => undefined);
  return change;
}

async function changeTrack(task: Task, number: number): Promise<void> {
  const { value: choice } = task.tracks;
  if (!choice || task.isDropped) return;
  const job = await createTrackJob(task, choice.audioUrl, number);
  const { value: before } = task.state;
  // It was removed from the list, or another attempt has begun.
  if (task.isDropped || isBeingSent(before)) return removeSurely(task, job);
  task.tracks.value = { ...choice, chosen: number };
  void pollUntilEnded(task, job);
  // After the new job exists: the service removes a file that no job uses.
  if (before.kind === "working") await removeSurely(task, before.job);
}

const continueTrack = (task: Task): Promise<void> =>
  continueUnanswered(task, (job) => void pollUntilEnded(task, job)).catch(() => undefined);

const pollUntilEnded = (task: Task, id: string): Promise<void> =>
  pollJob(task, id, () => tasks.value.filter(({ state }) => state.value.kind === "working").length);

/** Adds the tasks of a page that was closed or reloaded, and sends the files that wait. */
export function restore(uploads: readonly StoredUpload[]): void {
  for (const upload of uploads) {
    const task = taskOf(upload, true);
    all.value = [...all.value, task];
    if (upload.job !== undefined) void pollUntilEnded(task, upload.job);
    // A later choice waits for it.
    if (task.unanswered) task.trackChange = continueTrack(task);
    if (wantedFile(task)) onFailure(task, task.refusal ?? t.tasks.noRoom);
    measure(task);
  }
  sendNext();
}

/** Whether closing the page would lose a file. */
export const hasUnstored = (): boolean => all.peek().some(isLostWithPage);

/** Stops the uploads of another account: they would continue as those of the account that is signed in now. */
effect(() => {
  const { value: name } = shownAccountName;
  for (const task of all.peek()) if (task.account !== name && task.state.peek().kind === "sending") task.stop.abort();
});
