// Recordings on their way to being transcripts: a few uploads at once, every job watched until it has ended.
import { type Signal, signal } from "@preact/signals";
import { ApiError, get, send, told, upload } from "./api.ts";
import { recall, remember } from "./memory.ts";
import type { Values } from "./parts/schema-form.tsx";
import type { Job, JobProgress } from "./shapes.ts";

export type TaskState =
  | { kind: "waiting" }
  | { kind: "sending"; share: number }
  | { kind: "working"; job: string; progress: JobProgress | null }
  | { kind: "done"; job: string }
  | { kind: "failed"; message: string; job?: string };

export interface Task {
  id: number;
  name: string;
  source: File | string;
  /** As they were chosen when it was added. */
  options: Values;
  state: Signal<TaskState>;
  abort: AbortController;
}

const UPLOADS_AT_ONCE = 3;
const LOOK_MILLISECONDS = 700;
/** Of a list of fifty, those are looked at more seldom that are further behind. */
const LOOK_PER_TASK_MILLISECONDS = 60;

export const tasks = signal<Task[]>([]);
export const options = signal<Values>(recall<Values>("options", {}));
let lastId = 0;
let sending = 0;

export function rememberOptions(values: Values): void {
  options.value = values;
  remember("options", values);
}

function add(name: string, source: File | string): void {
  const task: Task = {
    id: ++lastId,
    name,
    source,
    options: options.value,
    state: signal<TaskState>({ kind: "waiting" }),
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

/** Stops it wherever it is; what was accepted is deleted. */
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
    if (!task.abort.signal.aborted) task.state.value = { kind: "failed", message: told(error) };
    return;
  } finally {
    sending--;
    sendNext();
  }
  await watch(task, job);
}

async function create(task: Task): Promise<string> {
  const { source, abort } = task;
  const progress = (share: number) => {
    task.state.value = { kind: "sending", share };
  };
  const audio_url = typeof source === "string" ? source : (await upload(source, progress, abort.signal)).audio_url;
  for (;;) {
    try {
      return (await send<{ id: string }>("POST", "/v2/pre-recorded", { ...task.options, audio_url })).id;
    } catch (error) {
      // The account's queue is full: it gets shorter.
      if (!(error instanceof ApiError && error.status === 429) || abort.signal.aborted) throw error;
      await pause(2_000);
    }
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function watch(task: Task, id: string): Promise<void> {
  task.state.value = { kind: "working", job: id, progress: null };
  while (!task.abort.signal.aborted) {
    const open = tasks.value.filter(({ state }) => state.value.kind === "working").length;
    await pause(LOOK_MILLISECONDS + open * LOOK_PER_TASK_MILLISECONDS);
    let job: Pick<Job, "status" | "progress" | "error_message">;
    try {
      job = await jobState(id);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        task.state.value = { kind: "failed", message: "The job was deleted" };
        return;
      }
      // The service is away: it goes on with its jobs when it is back.
      continue;
    }
    if (task.abort.signal.aborted) return;
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
