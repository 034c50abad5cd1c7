// Uploads with a bounded concurrency, and polling of every job until it ends.
import { type Signal, signal } from "@preact/signals";
import { ApiError, errorMessage, get, send, upload } from "./api.ts";
import { readChoice, storeChoice } from "./memory.ts";
import type { Values } from "./parts/schema-form.tsx";
import type { AudioTrack, CreatedJob, Job, JobProgress } from "./shapes.ts";
import { sleep } from "./sleep.ts";

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
  id: number;
  name: string;
  source: File | string;
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

export const tasks = signal<Task[]>([]);
export const options = signal<Values>(readChoice<Values>("options", {}));
let lastId = 0;
let sending = 0;

export function rememberOptions(values: Values): void {
  options.value = values;
  storeChoice("options", values);
}

function add(name: string, source: File | string): void {
  const task: Task = {
    id: ++lastId,
    name,
    source,
    options: options.value,
    state: signal<TaskState>({ kind: "waiting" }),
    tracks: signal<TrackChoice | undefined>(undefined),
    abort: new AbortController(),
  };
  tasks.value = [...tasks.value, task];
}

export function addFiles(files: File[]): void {
  for (const file of files) add(file.name, file);
  sendNext();
}

export function addAddress(address: string): void {
  add(address, address);
  sendNext();
}

export function dropEnded(): void {
  tasks.value = tasks.value.filter(({ state }) => state.value.kind !== "done" && state.value.kind !== "failed");
}

/** Stops the task in any state; an accepted job is deleted. */
export async function cancel(task: Task): Promise<void> {
  const { value: state } = task.state;
  task.abort.abort();
  tasks.value = tasks.value.filter((other) => other !== task);
  if (state.kind === "working") await send("DELETE", `/v2/pre-recorded/${state.job}?cancel=true`);
}

export function retry(task: Task): void {
  task.state.value = { kind: "waiting" };
  sendNext();
}

function sendNext(): void {
  while (sending < UPLOADS_AT_ONCE) {
    const task = tasks.value.find(({ state }) => state.value.kind === "waiting");
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
    if (!task.abort.signal.aborted) task.state.value = { kind: "failed", message: errorMessage(error) };
    return;
  } finally {
    sending--;
    sendNext();
  }
  await pollUntilEnded(task, job);
}

async function create(task: Task): Promise<string> {
  const { source, abort } = task;
  const progress = (share: number) => {
    task.state.value = { kind: "sending", share };
  };
  if (typeof source === "string") return createJob(task, { audio_url: source });
  const { audio_url, audio_track, audio_tracks } = await upload(source, progress, abort.signal);
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
  task.state.value = { kind: "working", job: id, progress: null };
  /** Another track was selected in the meantime. */
  const isReplaced = () => task.state.value.kind !== "working" || task.state.value.job !== id;
  while (!task.abort.signal.aborted) {
    const open = tasks.value.filter(({ state }) => state.value.kind === "working").length;
    await sleep(POLL_MILLISECONDS + open * POLL_PER_TASK_MILLISECONDS);
    let job: Pick<Job, "status" | "progress" | "error_message">;
    try {
      job = await jobState(id);
    } catch (error) {
      if (isReplaced()) return;
      if (error instanceof ApiError && error.status === 404) {
        task.state.value = { kind: "failed", message: "The job was deleted" };
        return;
      }
      // The service is unreachable: it resumes its jobs after a restart.
      continue;
    }
    if (task.abort.signal.aborted || isReplaced()) return;
    if (job.status === "done") task.state.value = { kind: "done", job: id };
    else if (job.status === "error")
      task.state.value = { kind: "failed", message: job.error_message ?? "It failed", job: id };
    else {
      task.state.value = { kind: "working", job: id, progress: job.progress ?? null };
      continue;
    }
    return;
  }
}

const jobState = (id: string) => get<Pick<Job, "status" | "progress" | "error_message">>(`/v2/transcription/${id}`);
