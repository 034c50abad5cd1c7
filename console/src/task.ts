// One file or address that is transcribed, and what the browser's database has of it.
import { type Signal, signal } from "@preact/signals";
import { t } from "./language/language.ts";
import type { Values } from "./parts/schema.ts";
import { atService } from "./send-file.ts";
import type { AudioTrack, JobProgress } from "./shapes.ts";
import { removeUpload, type StoredUpload, storeUpload } from "./upload-store.ts";

export type TaskState =
  /** `reason`: why it is not sent, or why the sent file has no job yet. */
  | { kind: "waiting"; reason?: string }
  | { kind: "sending"; share: number; reason?: string }
  | { kind: "working"; job: string; progress: JobProgress | null }
  | { kind: "done"; job: string }
  /** `isFinal`: another attempt cannot succeed. */
  | { kind: "failed"; message: string; isFinal: boolean; job?: string };

export interface TrackChoice {
  audioUrl: string;
  list: AudioTrack[];
  /** Number of the track that is transcribed. */
  chosen: number;
  /** Number of the track that the service selects if the options name none. */
  automatic: number;
}

/** @returns the track that options name; undefined if the file has none of this number */
export const trackOf = ({ audio_track: track }: Values, list: readonly AudioTrack[]): number | undefined =>
  list.find(({ number }) => number === track)?.number;

/** What identifies a file that the browser does not keep. */
type FileMark = NonNullable<StoredUpload["wanted"]>;

/** What the browser's database has of a task. */
export type Kept =
  /** Nothing: closing the page would lose it. */
  | { kind: "nothing" }
  /** All of it: a reload of the page continues it. */
  | { kind: "all" }
  /** All but its file. The page or the service has it. */
  | { kind: "mark"; mark: FileMark }
  /** The same, and a person has to choose the file again. */
  | { kind: "wanted"; mark: FileMark };

export interface Task {
  /** Unique among all pages of this browser. */
  key: string;
  /** Name of the account for which it was added. */
  account: string;
  kept: Kept;
  name: string;
  source: File | string;
  /** Whether this browser recorded the file: a person has no other copy. */
  isRecorded: boolean;
  /** Removes the pieces of a recording, where they are stored in place of the file. */
  removePieces?: () => Promise<void>;
  /** Path of the upload at the service while the file is being sent. */
  unfinished?: string;
  /** Address of the file at the service, once it is sent. */
  sent?: string;
  /** Why the service refused the file or its options. A reload does not send it again. */
  refusal?: string;
  /** Whether no attempt with this file can succeed. */
  isFinal?: boolean;
  /** The job that failed, until another attempt has one. */
  failedJob?: string;
  /** Whether a request for a job got no answer: the service may have made the job. */
  mayHaveJob?: boolean;
  /** Options at the time the task was added, or of the last attempt. */
  options: Values;
  state: Signal<TaskState>;
  /** Audio tracks of an uploaded file with several. */
  tracks: Signal<TrackChoice | undefined>;
  /** A request for a job with this track got no answer so far. The next page finds the job. */
  unanswered?: NonNullable<StoredUpload["unanswered"]>;
  /** Length of the file, where this browser can read it. */
  seconds: Signal<number | undefined>;
  /** Resolves when all earlier choices of a track are complete. */
  trackChange: Promise<void>;
  /** How often its account was no longer accepted while it was sent. */
  signOuts: number;
  /** How often its connection was cut. */
  cuts: number;
  /** Whether the person has removed it. */
  isDropped: boolean;
  /** Stops the upload under way. */
  stop: AbortController;
}

const markOf = ({ size, lastModified }: File): FileMark => ({ size, lastModified });

/** @param isStored  whether it comes from the browser's database */
export function taskOf(stored: Omit<StoredUpload, "page" | "at">, isStored: boolean): Task {
  const {
    key,
    account,
    name,
    source = "",
    isRecorded = false,
    refusal,
    isFinal = false,
    options,
    wanted,
    sent,
    job,
    unanswered,
  } = stored;
  // The service may have the whole file by now.
  const isWanted = wanted !== undefined && sent === undefined && job === undefined && !isFinal;
  const message = refusal ?? (isWanted ? t.tasks.noRoom : undefined);
  return {
    ...{ key, account, name, source, isRecorded, options },
    kept: wanted ? { kind: isWanted ? "wanted" : "mark", mark: wanted } : { kind: isStored ? "all" : "nothing" },
    ...atService(stored),
    ...(unanswered ? { unanswered } : {}),
    ...(refusal === undefined ? {} : { refusal, isFinal }),
    state: signal<TaskState>(message === undefined ? { kind: "waiting" } : { kind: "failed", message, isFinal }),
    tracks: signal<TrackChoice | undefined>(undefined),
    seconds: signal<number | undefined>(undefined),
    trackChange: Promise.resolve(),
    signOuts: 0,
    cuts: 0,
    isDropped: false,
    stop: new AbortController(),
  };
}

export const jobOfState = (state: TaskState) => ("job" in state ? state.job : undefined);

/** The file that a person has to choose again. */
export const wantedFile = ({ kept }: Pick<Task, "kept">): FileMark | undefined =>
  kept.kind === "wanted" ? kept.mark : undefined;

/** Whether it is the file that a person has to choose again. */
export function isWantedFile(task: Task, { size, lastModified }: File): boolean {
  const wanted = wantedFile(task);
  return wanted?.size === size && wanted.lastModified === lastModified;
}

/** The page has the file of a task again, which the browser has no room to keep. */
export function takeFile(task: Task, file: File): void {
  task.source = file;
  task.kept = { kind: "mark", mark: markOf(file) };
}

/** The file of a task, or what identifies it. */
const contentOf = ({ source, kept }: Task): Pick<StoredUpload, "source" | "wanted"> =>
  "mark" in kept ? { wanted: kept.mark } : { source };

/** What identifies the source of a task that has a job. Nobody has another copy of a recording from the microphone. */
function markedSource(task: Task): Pick<StoredUpload, "source" | "wanted"> {
  const { source, isRecorded } = task;
  if (!(source instanceof File)) return contentOf(task);
  return isRecorded ? {} : { wanted: markOf(source) };
}

/** Neither the service nor this page has the file of a task: a person chooses it again. If nothing identifies it, no attempt can succeed. */
export function requestFile(task: Task): void {
  const { kept } = task;
  if (kept.kind !== "mark") {
    task.isFinal = true;
    return;
  }
  task.kept = { kind: "wanted", mark: kept.mark };
  delete task.sent;
}

/** Whether another page sent the file. */
export const isSourceGone = ({ source, sent }: Task): boolean => source === "" && sent === undefined;

/** What the browser's database has of a task. */
export function storedTask(task: Task) {
  const { key, account, name, isRecorded, refusal, isFinal = false, options, unanswered } = task;
  const place = { key, account, name, options, isRecorded, ...atService(task), ...(unanswered ? { unanswered } : {}) };
  const job = jobOfState(task.state.value);
  // The service has the file; the page shows the job until it ends.
  if (job !== undefined) return { ...place, ...markedSource(task), job };
  return { ...place, ...contentOf(task), ...(refusal === undefined ? {} : { refusal, isFinal }) };
}

/** @throws DOMException  where the browser has no room or no database */
const storeTask = (task: Task): Promise<void> => storeUpload(storedTask(task));

/** Whether its job has ended. */
const hasEnded = (state: TaskState) => state.kind === "done" || (state.kind === "failed" && state.job !== undefined);

/** Stores the task as it is now, or removes it from the store when it needs nothing more. */
export async function keep(task: Task): Promise<void> {
  const { value: state } = task.state;
  if (task.isDropped || jobOfState(state) !== undefined) await task.removePieces?.();
  if (task.isDropped || (hasEnded(state) && !task.unanswered)) await removeUpload(task.key);
  else if (task.kept.kind !== "nothing") await storeTask(task).catch(() => undefined);
}

/** Stores a new task, or only the name of its file, which a person may choose again. A recording is in no other place. */
export async function storeNewTask(task: Task): Promise<void> {
  try {
    await storeTask(task);
    task.kept = { kind: "all" };
  } catch {
    if (task.isRecorded || !(task.source instanceof File)) return;
    task.kept = { kind: "mark", mark: markOf(task.source) };
    await keep(task);
  }
}

/** Whether it has no job yet. */
export const isBeingSent = ({ kind }: TaskState): boolean => kind === "waiting" || kind === "sending";

export const isEnded = ({ state }: Task): boolean => state.value.kind === "done" || state.value.kind === "failed";

/** Whether its file never became a job. */
export const isUnsent = ({ source, kept, state }: Task): boolean =>
  (source instanceof File || kept.kind === "wanted") && state.value.kind === "failed" && state.value.job === undefined;

/** Whether its file is not at the service, or has no job there yet. */
const isLeft = ({ source, state }: Task): boolean =>
  source instanceof File && state.value.kind !== "done" && jobOfState(state.value) === undefined;

/** Whether a later page of its account still has its file, and may send it. */
export const isSentLater = (task: Task): boolean => {
  const { value: state } = task.state;
  return task.kept.kind === "all" && isLeft(task) && !(state.kind === "failed" && state.isFinal);
};

/** Whether closing the page would lose its file. */
export const isLostWithPage = (task: Task): boolean => task.kept.kind !== "all" && isLeft(task);

/** Whether removing it from the list would delete the only copy of its recording: the service has it alone once it is sent. */
export const isOnlyCopy = (task: Task): boolean =>
  (isUnsent(task) && !wantedFile(task)) || (task.isRecorded && !isEnded(task));
