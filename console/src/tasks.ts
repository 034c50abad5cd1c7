// Uploads with a bounded concurrency, and polling of every job until it ends. What is not sent yet is also in the browser's
// database: after a reload the page sends it, and after an expired sign-in it is sent when the account is signed in again.
import { computed, type Signal, signal } from "@preact/signals";
import { account, accountName } from "./account.ts";
import { ApiError, errorMessage, get, send } from "./api.ts";
import { jobOf } from "./job-of-upload.ts";
import { t } from "./language/language.ts";
import { readChoice, storeChoice } from "./memory.ts";
import { newKey } from "./open-pages.ts";
import type { Values } from "./parts/schema-form.tsx";
import { atService, dropUnfinished, sendFile } from "./send-file.ts";
import type { AudioTrack, CreatedJob, Job, JobProgress } from "./shapes.ts";
import { sleep } from "./sleep.ts";
import { removeUpload, type StoredUpload, storeUpload } from "./upload-store.ts";

export type TaskState =
  | { kind: "waiting" }
  | { kind: "sending"; share: number }
  | { kind: "working"; job: string; progress: JobProgress | null }
  | { kind: "done"; job: string }
  | { kind: "failed"; message: string; job?: string };

export interface TrackChoice {
  audioUrl: string;
  list: AudioTrack[];
  /** Number of the track that is transcribed. */
  chosen: number;
}

export interface Task {
  /** Unique among all pages of this browser. */
  key: string;
  /** Name of the account for which it was added. */
  account: string;
  /** Whether a reload of the page keeps it. */
  isStored: boolean;
  name: string;
  source: File | string;
  /** Path of the upload at the service while the file is being sent. */
  unfinished?: string;
  /** Address of the file at the service, once it is sent. */
  sent?: string;
  /** Options at the time the task was added. */
  options: Values;
  state: Signal<TaskState>;
  /** Audio tracks of an uploaded file with several. */
  tracks: Signal<TrackChoice | undefined>;
  abort: AbortController;
}

const UPLOADS_AT_ONCE = 3;
const POLL_MILLISECONDS = 700;
/** Added per position in the list: in a long list, later tasks are polled less often. */
const POLL_PER_TASK_MILLISECONDS = 60;

/** Of every account that was signed in on this page. */
const all = signal<readonly Task[]>([]);
/** Of the account that is signed in. */
export const tasks = computed(() => {
  const { value: state } = account;
  return state.kind === "in" ? all.value.filter((task) => task.account === state.account.name) : [];
});
export const options = signal<Values>(readChoice<Values>("options", {}));
const UNAUTHORIZED = 401;
/** A later attempt may succeed: sign-in, slow upload, too many requests. */
const PASSING = new Set([UNAUTHORIZED, 408, 429]);
let sending = 0;

export function rememberOptions(values: Values): void {
  options.value = values;
  storeChoice("options", values);
}

function taskOf(stored: Omit<StoredUpload, "page" | "at" | "job">, isStored: boolean): Task {
  const { key, account, name, source = "", options } = stored;
  return {
    ...{ key, account, isStored, name, source, options },
    ...atService(stored),
    state: signal<TaskState>({ kind: "waiting" }),
    tracks: signal<TrackChoice | undefined>(undefined),
    abort: new AbortController(),
  };
}

/** @returns whether a reload keeps the task */
async function add(name: string, source: File | string, owner: string | undefined): Promise<boolean> {
  if (owner === undefined) return false;
  const key = newKey();
  const task = taskOf({ key, account: owner, name, source, options: options.value }, false);
  all.value = [...all.value, task];
  try {
    await storeUpload(snapshotOf(task));
    task.isStored = true;
  } catch {
    // The browser requests a confirmation before the page is closed.
    return false;
  }
  // Its state may have changed meanwhile.
  await keep(task);
  return true;
}

function snapshotOf(task: Task) {
  const { key, account, name, source, options } = task;
  const { value: state } = task.state;
  const place = { key, account, name, options };
  // The file is no longer needed; the page shows the job until it ends.
  if (state.kind === "working") return { ...place, job: state.job };
  return { ...place, source, ...atService(task) };
}

/** Stores the task as it is now, or removes it from the store when it needs nothing more. */
async function keep(task: Task): Promise<void> {
  const { value: state } = task.state;
  const isOver = state.kind === "done" || (state.kind === "failed" && state.job !== undefined);
  if (task.abort.signal.aborted || isOver) await removeUpload(task.key);
  else if (task.isStored) await storeUpload(snapshotOf(task)).catch(() => undefined);
}

/** @param owner  name of the account @returns whether a reload keeps the files */
export async function addFiles(files: File[], owner = accountName()): Promise<boolean> {
  const added = files.map((file) => add(file.name, file, owner));
  sendNext();
  return (await Promise.all(added)).every((isStored) => isStored);
}

export function addAddress(address: string): void {
  void add(address, address, accountName());
  sendNext();
}

const isEnded = ({ state }: Task) => state.value.kind === "done" || state.value.kind === "failed";

export function dropEnded(): void {
  const ended = tasks.value.filter(isEnded);
  for (const task of ended) void removeUpload(task.key);
  all.value = all.value.filter((task) => !ended.includes(task));
}

/** Stops the task in any state; an accepted job is deleted. */
export async function cancel(task: Task): Promise<void> {
  const { value: state } = task.state;
  task.abort.abort();
  void removeUpload(task.key);
  all.value = all.value.filter((other) => other !== task);
  if (state.kind === "working") await send("DELETE", `/v2/pre-recorded/${state.job}?cancel=true`);
  else await dropUnfinished(task);
}

export function retry(task: Task): void {
  task.state.value = { kind: "waiting" };
  void keep(task);
  sendNext();
}

function sendNext(): void {
  const owner = accountName();
  while (sending < UPLOADS_AT_ONCE) {
    const task = all.value.find((one) => one.state.value.kind === "waiting" && one.account === owner);
    if (!task) return;
    sending++;
    task.state.value = { kind: "sending", share: 0 };
    void run(task);
  }
}

async function run(task: Task): Promise<void> {
  let job: string;
  try {
    job = await create(task);
  } catch (error) {
    if (!task.abort.signal.aborted) handleRefusal(task, error);
    return;
  } finally {
    sending--;
    sendNext();
  }
  await pollUntilEnded(task, job);
}

function handleRefusal(task: Task, error: unknown): void {
  const status = error instanceof ApiError ? error.status : 0;
  // It is sent when the account is signed in again.
  if (status === UNAUTHORIZED) task.state.value = { kind: "waiting" };
  else task.state.value = { kind: "failed", message: errorMessage(error) };
  // After a reload, the service would refuse the file again. A file that it could not receive stays stored.
  const isRefused = status >= 400 && status < 500 && !PASSING.has(status);
  if (!isRefused) return;
  delete task.sent;
  delete task.unfinished;
  void removeUpload(task.key);
}

async function create(task: Task): Promise<string> {
  const { source } = task;
  const progress = (share: number) => {
    task.state.value = { kind: "sending", share };
  };
  if (typeof source === "string") return createJob(task, { audio_url: source });
  if (task.sent !== undefined) {
    // The page may have been reloaded before it stored the answer.
    return (await jobOf(task.sent)) ?? createJob(task, { audio_url: task.sent });
  }
  const { audio_url, audio_track, audio_tracks } = await sendFile(task, source, progress, () => keep(task));
  task.sent = audio_url;
  delete task.unfinished;
  await keep(task);
  if (audio_tracks.length > 1) {
    const requestedTrack = task.options["audio_track"];
    const chosen = typeof requestedTrack === "number" ? requestedTrack : audio_track;
    task.tracks.value = { audioUrl: audio_url, list: audio_tracks, chosen };
  }
  return createJob(task, { audio_url });
}

/** Transcribes another audio track of the file instead. A finished transcript is kept. */
export async function transcribeTrack(task: Task, number: number): Promise<void> {
  const { value: choice } = task.tracks;
  const { value: before } = task.state;
  if (!choice) return;
  const job = await createJob(task, { audio_url: choice.audioUrl, audio_track: number });
  task.tracks.value = { ...choice, chosen: number };
  const polling = pollUntilEnded(task, job);
  // After the new job exists: the service removes a file that no job uses.
  if (before.kind === "working") await send("DELETE", `/v2/pre-recorded/${before.job}?cancel=true`);
  await polling;
}

async function createJob({ options: given, abort }: Task, source: Values): Promise<string> {
  for (;;) {
    try {
      return (await send<CreatedJob>("POST", "/v2/pre-recorded", { ...given, ...source })).id;
    } catch (error) {
      // 429: the account's queue is full; try again later.
      if (!(error instanceof ApiError && error.status === 429) || abort.signal.aborted) throw error;
      await sleep(2_000);
    }
  }
}

async function pollUntilEnded(task: Task, id: string): Promise<void> {
  await poll(task, id);
  await keep(task);
}

async function poll(task: Task, id: string): Promise<void> {
  task.state.value = { kind: "working", job: id, progress: null };
  void keep(task);
  /** Another track was selected in the meantime. */
  const isReplaced = () => task.state.value.kind !== "working" || task.state.value.job !== id;
  while (!task.abort.signal.aborted) {
    const open = tasks.value.filter(({ state }) => state.value.kind === "working").length;
    await sleep(POLL_MILLISECONDS + open * POLL_PER_TASK_MILLISECONDS);
    if (accountName() !== task.account) continue;
    let job: Pick<Job, "status" | "progress" | "error_message">;
    try {
      job = await jobState(id);
    } catch (error) {
      if (isReplaced()) return;
      if (error instanceof ApiError && error.status === 404) {
        task.state.value = { kind: "failed", message: t.tasks.deleted, job: id };
        return;
      }
      // The service is unreachable: it resumes its jobs after a restart.
      continue;
    }
    if (task.abort.signal.aborted || isReplaced()) return;
    if (job.status === "done") task.state.value = { kind: "done", job: id };
    else if (job.status === "error")
      task.state.value = { kind: "failed", message: job.error_message ?? t.tasks.failed, job: id };
    else {
      task.state.value = { kind: "working", job: id, progress: job.progress ?? null };
      continue;
    }
    return;
  }
}

const jobState = (id: string) => get<Pick<Job, "status" | "progress" | "error_message">>(`/v2/transcription/${id}`);

/** Adds the tasks of a page that was closed or reloaded, and sends the files that wait. */
export function restore(uploads: readonly StoredUpload[]): void {
  for (const upload of uploads) {
    const task = taskOf(upload, true);
    all.value = [...all.value, task];
    if (upload.job !== undefined) void pollUntilEnded(task, upload.job);
  }
  sendNext();
}

/** Whether closing the page would lose a file. */
export const hasUnstored = (): boolean =>
  all.peek().some(({ isStored, source, state }) => {
    const { kind, job } = { job: undefined, ...state.peek() };
    return !isStored && source instanceof File && kind !== "done" && job === undefined;
  });
