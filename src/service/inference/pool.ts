// Schedules tasks on the inference processes of this machine: recognition in the service process would block its event loop. Sessions and jobs share
// the processes, so that live tasks overtake recordings. A process that dies or exceeds the time of a task fails its running tasks and is started again.
// Waiting tasks stay in the queue; a full queue refuses further ones. The pool repeats nothing: the owner of a task decides whether to retry.
import type { Logger } from "pino";
import type { ChildEnvironment } from "../../platform/config/load.ts";
import { errors, ParlanceError, toParlanceError } from "../../platform/errors.ts";
import type { Tracing } from "../../platform/observability/tracing.ts";
import type { AudioSource } from "../../speech/audio/samples.ts";
import type { VoiceActivityState } from "../../speech/audio/voice-activity/detector-state.ts";
import { engineOf } from "../../speech/engines/registry.ts";
import type { Recognition, RecognizerCapabilities, StretchTexts } from "../../speech/recognition/recognizer.ts";
import type { ModelStore } from "../models/store.ts";
import { AdmissionSlots } from "./admission-slots.ts";
import { FinalDelays } from "./final-delays.ts";
import { type FinishedTask, finishedTask, type RecognitionTimes } from "./finished-task.ts";
import { InferenceProcesses, type Load, type Worker } from "./inference-processes.ts";
import { LiveReservation } from "./live-reservation.ts";
import type {
  EmbeddingAnswer,
  EmbeddingTask,
  InferenceRequest,
  InferenceResponse,
  LoadableModel,
  RecognitionTask,
  SpeakerWindows,
  StretchTask,
  VoiceActivityAnswer,
  VoicesAnswer,
  VoicesTask,
} from "./message.ts";
import { PartialPace } from "./partial-pace.ts";
import { Placement } from "./placement.ts";
import { isBackground, type Priority, Scheduler, type Waiting } from "./scheduler.ts";
import { SuspectTurns } from "./suspect-turns.ts";
import { recordTrace } from "./task-trace.ts";

export interface PoolOptions {
  workers: number;
  /** Installed models; undefined for processes that only run voice activity detection. */
  models?: ModelStore;
  /** Model loaded by every process at its start. */
  model?: string;
  /** Most waiting tasks that are not of recordings. */
  queueLimit: number;
  /** Most waiting tasks of recordings; the default is queueLimit. */
  recordedQueueLimit?: number;
  /** A task that takes longer counts as hung. */
  taskTimeoutSeconds: number;
  /** A process that uses more memory is killed. */
  memoryLimitBytes: number;
  environment: ChildEnvironment;
  /** Folder of graphs that all processes share; undefined if each has its own weights. */
  sharedFolder?: string;
  logger: Logger;
  tracing?: Tracing;
}

export interface TaskOptions {
  priority: Priority;
  /** Account of a task in the background, for fair scheduling. */
  tenant?: string;
  signal?: AbortSignal;
  /** traceparent of the caller. */
  trace?: string | undefined;
}

interface Task {
  request: InferenceRequest;
  /** When it was enqueued, milliseconds. */
  enqueuedAt: number;
  trace: string | undefined;
  resolve(response: InferenceResponse): void;
}

/** Concurrent tasks of a process whose engines state no lower number. */
const TASKS_PER_PROCESS = 8;
/** Tasks that this many processes recognise at once. */
export const capacityOf = (workers: number): number => workers * TASKS_PER_PROCESS;
/**
 * Concurrent partials per process. More would wait in the process and use outdated audio; with fewer, a process would
 * idle between two.
 */
const PARTIALS_PER_PROCESS = 2;

/** Tasks that a process may run while it runs this one. */
const concurrencyOf = (request: InferenceRequest) =>
  "model" in request && request.model ? engineOf(request.model).concurrentTasks : TASKS_PER_PROCESS;

/** Whether the process may take a further task. The lowest limit of the engines of its tasks applies. */
const hasRoom = ({ running, limits }: Load) => running < Math.min(TASKS_PER_PROCESS, ...limits);

export class RecognitionPool {
  private readonly processes: InferenceProcesses;
  private readonly placement = new Placement();
  private readonly finalDelays = new FinalDelays();
  private readonly scheduler: Scheduler<Task>;
  /** How much of the recognition of partials, and of recordings, the load permits. */
  readonly pace = new PartialPace();
  /** Partials acquire a slot before they are requested. */
  readonly partialSlots: AdmissionSlots;
  private stopped = false;
  /** While it lasts, one process takes no tasks in the background: segments of recordings take up to a second. */
  private readonly reservation = new LiveReservation(() => this.dispatch());
  private readonly suspectTurns = new SuspectTurns();
  private recognitionListener: (recognition: RecognitionTimes) => void = () => undefined;
  private taskListener: (task: FinishedTask) => void = () => undefined;

  constructor(private readonly options: PoolOptions) {
    this.scheduler = new Scheduler(options.queueLimit, options.recordedQueueLimit);
    this.partialSlots = new AdmissionSlots(() =>
      Math.max(1, Math.round(options.workers * PARTIALS_PER_PROCESS * this.pace.level.slots)),
    );
    this.processes = new InferenceProcesses(options, {
      loadRequest: async () => ({
        kind: "load",
        ...(options.model ? { model: await this.loadable(options.model) } : {}),
      }),
      onWarm: () => this.dispatch(),
      onCold: (worker) => this.placement.forget(worker),
    });
  }

  /** Sets the listener for completed recognitions. */
  onRecognized(listener: (recognition: RecognitionTimes) => void): void {
    this.recognitionListener = listener;
  }

  /** Sets the listener for the costs of completed tasks. */
  onFinished(listener: (task: FinishedTask) => void): void {
    this.taskListener = listener;
  }

  /** Starts the first process with the default model. A killed one is started again. @throws process.died, process.failed */
  async start(): Promise<void> {
    await this.processes.start();
  }

  /** Starts the processes that do not run yet, because there will be work. Each task does the same. */
  wake(): void {
    this.processes.wake();
  }

  /** Number of concurrent recognitions. */
  get capacity(): number {
    return capacityOf(this.options.workers);
  }

  get waiting(): number {
    return this.scheduler.length;
  }

  /** Waiting tasks for which live words wait. */
  get waitingWords(): number {
    return this.scheduler.words;
  }

  /** Number of idle processes. */
  get idleCount(): number {
    return [...this.processes.warm.values()].filter(({ running }) => running === 0).length;
  }

  /** Recent delay of live finals (90th percentile), seconds. */
  get finalDelay(): number {
    return this.finalDelays.high;
  }

  /** Whether at least one process has its models loaded. */
  get isReady(): boolean {
    return this.processes.warm.size > 0;
  }

  /**
   * @param model  its id
   * @throws models.missing, recognition.queue_full, process.died, process.timeout, work.aborted
   */
  async recognize(model: string, task: RecognitionTask, options: TaskOptions): Promise<Recognition> {
    const isUrgent = options.priority === "live";
    const request = { kind: "recognize" as const, model: await this.loadable(model), ...task, isUrgent };
    try {
      return await this.request(request, "recognition", options);
    } catch (error) {
      // The model may have been removed before this process loaded it.
      if (error instanceof ParlanceError && error.code === "process.failed") {
        this.options.models?.forget();
        await this.loadable(model);
      }
      throw error;
    }
  }

  /** Texts that a stretch of audio may have. @throws as recognize */
  async textsOf(model: string, task: StretchTask, options: TaskOptions): Promise<StretchTexts> {
    return this.request({ kind: "texts", model: await this.loadable(model), ...task }, "texts", options);
  }

  /** Capabilities of a model. @throws models.missing */
  async capabilitiesOf(model: string): Promise<RecognizerCapabilities> {
    return (await this.loadable(model)).capabilities;
  }

  /** Speech probabilities of the whole windows in `audio`; pass the returned state with the next audio. */
  async voiceActivity(
    audio: AudioSource,
    state: VoiceActivityState | undefined,
    options: TaskOptions,
  ): Promise<VoiceActivityAnswer> {
    return this.request({ kind: "voice-activity", audio, ...(state ? { state } : {}) }, "voice-activity", options);
  }

  /** Speaker embeddings for a part of a recording. */
  async embedSpeakers(task: EmbeddingTask, options: TaskOptions): Promise<EmbeddingAnswer> {
    return this.request({ kind: "embed-speakers", ...task }, "speaker-embeddings", options);
  }

  /**
   * Local speakers of windows, as in LocalWindows.
   * @param model  id of a model that finds speakers
   * @throws models.missing, process.failed if its files are damaged
   */
  async segmentSpeakers(model: string, task: SpeakerWindows, options: TaskOptions): Promise<Uint8Array> {
    const request = { kind: "segment-speakers" as const, model: await this.loadable(model), ...task };
    return (await this.request(request, "speaker-windows", options)).frames;
  }

  /** @param model  id of a model that finds speakers */
  async voices(model: string, task: VoicesTask, options: TaskOptions): Promise<VoicesAnswer> {
    return this.request({ kind: "voices", model: await this.loadable(model), ...task }, "voices", options);
  }

  /**
   * Probability that a turn is complete at the end of its audio, 0 to 1.
   * @param model  id of a model that detects the ends of turns
   * @throws models.missing, process.failed if its file is damaged
   */
  async judgeTurn(model: string, audio: AudioSource, options: TaskOptions): Promise<number> {
    const request = { kind: "judge-turn" as const, model: await this.loadable(model), audio };
    return (await this.request(request, "turn", options)).probability;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.reservation.stop();
    this.scheduler.clear(errors.aborted());
    await this.processes.stop();
  }

  private async request<Kind extends InferenceResponse["kind"]>(
    request: InferenceRequest,
    kind: Kind,
    options: TaskOptions,
  ): Promise<Extract<InferenceResponse, { kind: Kind }>> {
    const response = await this.run(request, options);
    if (response?.kind !== kind) throw errors.processFailed("recogniser", `it answered ${response?.kind}`);
    return response as Extract<InferenceResponse, { kind: Kind }>;
  }

  private async loadable(id: string): Promise<LoadableModel> {
    if (!this.options.models) throw errors.modelMissing(id);
    const { manifest, ...model } = await this.options.models.get(id);
    return { ...model, ...(manifest ? { stamp: manifest.installedAt } : {}) };
  }

  private run(request: InferenceRequest, options: TaskOptions): Promise<InferenceResponse> {
    return new Promise((resolve, reject) => {
      if (this.stopped || options.signal?.aborted) return reject(errors.aborted());
      try {
        this.scheduler.add({
          task: { request, enqueuedAt: performance.now(), trace: options.trace, resolve },
          priority: options.priority,
          reject,
          ...(options.tenant === undefined ? {} : { tenant: options.tenant }),
          ...(options.signal ? { signal: options.signal } : {}),
        });
      } catch (error) {
        return reject(error as Error);
      }
      if (!isBackground(options.priority)) this.reservation.begin();
      this.wake();
      this.dispatch();
    });
  }

  private dispatch(): void {
    let hasServedRecordings = false;
    while (!this.stopped) {
      const kept = this.assignSuspect();
      const closed = kept?.isClosed ? kept.worker : undefined;
      const free = [...this.processes.warm].filter(
        ([worker, load]) => worker !== closed && !load.isExclusive && hasRoom(load),
      );
      if (free.length === 0) break;
      const open = free.filter(([worker, load]) => worker !== kept?.worker && this.mayTakeBackground(worker, load));
      const waiting = this.scheduler.next(open.length > 0);
      if (!waiting) break;
      hasServedRecordings ||= waiting.priority === "recorded";
      const [worker, load] = this.placement.choose(isBackground(waiting.priority) ? open : free, waiting.task.request);
      this.assign(waiting, worker, load);
    }
    if (hasServedRecordings) this.suspectTurns.othersBegan();
  }

  /** @returns the process that is kept free for the next suspect task; undefined if none is needed */
  private assignSuspect(): { worker: Worker; isClosed: boolean } | undefined {
    const reserved = this.reservation.isActive ? this.processes.first : undefined;
    const place = this.suspectTurns.place([...this.processes.warm], this.scheduler, reserved);
    if (!place?.isFree) return place;
    const waiting = this.scheduler.nextSuspect();
    if (!waiting) return undefined;
    this.assign(waiting, place.worker, place.load);
    this.suspectTurns.began();
    return undefined;
  }

  /** Whether a process may take tasks for which no words wait. */
  private mayTakeBackground(worker: Worker, { background }: Load): boolean {
    if (!this.reservation.isActive) return true;
    // One task at a time, so that recordings still make progress.
    if (
      this.pace.level.stage === "fewer-recordings" &&
      [...this.processes.warm.values()].some((load) => load.background > 0)
    )
      return false;
    return this.options.workers === 1 ? background === 0 : worker !== this.processes.first;
  }

  private assign(waiting: Waiting<Task>, worker: Worker, load: Load): void {
    const { task, priority } = waiting;
    const isInBackground = isBackground(priority);
    const limit = concurrencyOf(task.request);
    load.running++;
    load.limits.push(limit);
    if (isInBackground) load.background++;
    load.isExclusive = priority === "suspect";
    const started = performance.now();
    load.lastAt = started;
    const finish = () => {
      load.running--;
      load.limits.splice(load.limits.indexOf(limit), 1);
      if (priority === "suspect") load.isExclusive = false;
      if (isInBackground) load.background--;
    };
    // An abort does not interrupt a running inference: it is short, while restarting a process is slow.
    worker.call(task.request, { timeoutMilliseconds: this.options.taskTimeoutSeconds * 1000 }).then(
      (response) => {
        finish();
        recordTrace(this.options.tracing, task, started);
        if (response) this.report(finishedTask(task, priority, response));
        if (response?.kind === "recognition") {
          this.recognitionListener({
            priority: isInBackground ? "recorded" : priority,
            runMilliseconds: performance.now() - started,
            totalMilliseconds: performance.now() - task.enqueuedAt,
          });
          if (priority === "live") this.finalDelays.add(performance.now() - task.enqueuedAt);
        }
        task.resolve(response);
        this.dispatch();
      },
      (thrown: unknown) => {
        finish();
        const error = toParlanceError(thrown);
        waiting.reject(error);
        if (worker.processId === undefined && this.processes.warm.get(worker) === load)
          this.processes.restart(worker, error);
        else this.dispatch();
      },
    );
  }

  private report(task: FinishedTask): void {
    this.taskListener(task);
    if (task.kind === "recognize" && task.priority === "live") this.pace.add("final", task.waitedMilliseconds);
  }
}
