// The inference processes of this machine behind one door: hand in work, get the answer; a process that dies
// fails the work it held (its owner decides whether to try again) and is replaced.
import type { Logger } from "pino";
import type { AudioSource } from "../audio/samples.ts";
import type { VoiceActivityState } from "../audio/voice-activity/silero.ts";
import { errors, ParlanceError, toParlanceError } from "../errors.ts";
import type { ModelStore } from "../models/store.ts";
import type { Tracing } from "../observability/tracing.ts";
import { entryFile } from "../process/entry.ts";
import { SupervisedProcess } from "../process/supervised-process.ts";
import type { Recognition, RecognizerCapabilities } from "../recognition/recognizer.ts";
import type {
  EmbeddingAnswer,
  EmbeddingTask,
  InferenceRequest,
  InferenceResponse,
  LoadableModel,
  RecognitionTask,
  VoiceActivityAnswer,
} from "./message.ts";
import { Places } from "./places.ts";
import { type Priority, Scheduler, type Waiting } from "./scheduler.ts";

export interface PoolOptions {
  workers: number;
  /** What models there are; none for processes that only hear voice activity. */
  models?: ModelStore;
  /** Model that every process loads at its start. */
  model?: string;
  /** Most tasks waiting, live and recorded together. */
  queueLimit: number;
  /** A task that takes longer hangs. */
  taskTimeoutSeconds: number;
  /** A process that takes more is ended. */
  memoryLimitBytes: number;
  environment: Record<string, string>;
  logger: Logger;
  tracing?: Tracing;
}

export interface TaskOptions {
  priority: Priority;
  signal?: AbortSignal;
  /** traceparent of what asks. */
  trace?: string | undefined;
}

interface Task {
  request: InferenceRequest;
  /** When it was handed in, milliseconds. */
  asked: number;
  trace: string | undefined;
  resolve(response: InferenceResponse): void;
}

type Worker = SupervisedProcess<InferenceRequest, InferenceResponse>;

const READY_TIMEOUT_MILLISECONDS = 60_000;
const START_TRIES = 3;
const RESTART_PAUSE_MILLISECONDS = 1_000;
/** How long after live work a process stays reserved for it. */
const LIVE_RESERVE_MILLISECONDS = 3_000;
/** A process is known to have heard the beginnings of so many pieces of audio lately. */
const MOST_FAMILIAR = 16;
/**
 * For the C library of Linux: what models needed while they were loaded goes back to the machine; large pages, where the
 * machine has them, save a twentieth of the time. Elsewhere it is not read.
 */
const MEMORY_ENVIRONMENT = {
  GLIBC_TUNABLES: "glibc.malloc.hugetlb=1",
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: "8388608",
  MALLOC_TRIM_THRESHOLD_: "16777216",
};
/**
 * Tensors come and go so fast that the engine collects garbage many times a second. Of the little that is alive a
 * collection in one go takes a few milliseconds; one in steps takes a sixth of the processor. What is new has 2 MB, not 16:
 * the numbers of a tensor count for nothing there, and go as soon as it is collected.
 */
const RECOGNIZER_ARGUMENTS = ["--expose-gc", "--no-incremental-marking", "--max-semi-space-size=2"];
/** What is measured for the number of sessions that a machine accepts. */
const DELAY_WINDOW_MILLISECONDS = 10_000;
/** Recognitions in one process at once: they go through the model together. */
const MOST_AT_ONCE = 8;
/**
 * Partials in one process at once. One that waits there for its turn is about audio that is old when it comes; with fewer,
 * a process waits for the next while it has none.
 */
const MOST_PARTIALS = 2;
/** Beginning anew costs a third more than going on: less than waiting for more than this many others. */
const WORTH_OF_FAMILIARITY = 1;
/** Of the delays of live finals; most take no longer. */
const MOST_FINALS = 0.9;

/** Of one recognition, milliseconds. */
export interface RecognitionTimes {
  priority: Priority;
  /** In its process. */
  took: number;
  /** From when it was asked for. */
  waited: number;
}

/** What a process is at. */
interface Load {
  running: number;
  /** Of them, recordings' work. */
  recorded: number;
  /** When it was given something last, milliseconds. */
  lastAt: number;
  /** At work of a recording that may end its process: nobody else's is lost with it. */
  isAlone: boolean;
}

const isOfRecording = (priority: Priority) => priority === "recorded" || priority === "suspect";

export class RecognitionPool {
  private readonly workers: Worker[];
  private readonly scheduler: Scheduler<Task>;
  /** For partials: each is asked for when its turn has come. */
  readonly partials: Places;
  /** Processes that are ready for work. */
  private readonly warmWorkers = new Map<Worker, Load>();
  /** Names of the audio that each process heard last, and no other since: it goes on with it with less work. */
  private readonly familiar = new Map<Worker, string[]>();
  private stopped = false;
  /** Live finals: when they came, and how long they were waited for; milliseconds. */
  private finals: { at: number; took: number }[] = [];
  /** While live speech is about, one process is kept free of recordings: a segment of theirs takes up to a second. */
  private liveUntil = 0;
  private liveTimer: NodeJS.Timeout | undefined;
  private recognized: (recognition: RecognitionTimes) => void = () => undefined;

  constructor(private readonly options: PoolOptions) {
    this.scheduler = new Scheduler(options.queueLimit);
    this.partials = new Places(options.workers * MOST_PARTIALS);
    this.workers = Array.from(
      { length: options.workers },
      () =>
        new SupervisedProcess({
          name: "recogniser",
          file: entryFile("./child.js", import.meta.url),
          readyTimeoutMilliseconds: READY_TIMEOUT_MILLISECONDS,
          memoryLimitBytes: options.memoryLimitBytes,
          environment: { ...options.environment, ...MEMORY_ENVIRONMENT },
          execArguments: RECOGNIZER_ARGUMENTS,
        }),
    );
  }

  /** Tells about each recognition. */
  onRecognized(listener: (recognition: RecognitionTimes) => void): void {
    this.recognized = listener;
  }

  /**
   * Starts every process and loads the default model; returns when all are warm. A process that is ended from outside
   * meanwhile is started again.
   * @throws process.died, process.failed when it cannot be done
   */
  async start(): Promise<void> {
    await Promise.all(this.workers.map((worker) => this.warm(worker, START_TRIES)));
  }

  /** Recognitions that can be under way at once. */
  get seats(): number {
    return this.workers.length * MOST_AT_ONCE;
  }

  get waiting(): number {
    return this.scheduler.length;
  }

  /** Processes that have nothing to do. */
  get idleCount(): number {
    return [...this.warmWorkers.values()].filter(({ running }) => running === 0).length;
  }

  /** How long most live finals were waited for lately, seconds. */
  get finalDelay(): number {
    const since = performance.now() - DELAY_WINDOW_MILLISECONDS;
    this.finals = this.finals.filter(({ at }) => at >= since);
    const delays = this.finals.map(({ took }) => took).sort((left, right) => left - right);
    return (delays[Math.floor(delays.length * MOST_FINALS)] ?? 0) / 1000;
  }

  /** Whether at least one process has its models loaded. */
  get isReady(): boolean {
    return this.warmWorkers.size > 0;
  }

  /**
   * @param model  its id
   * @throws models.missing, recognition.queue_full, process.died, process.timeout, work.aborted
   */
  async recognize(model: string, task: RecognitionTask, options: TaskOptions): Promise<Recognition> {
    const isUrgent = options.priority === "live";
    const request = { kind: "recognize" as const, model: await this.loadable(model), ...task, isUrgent };
    try {
      return await this.ask(request, "recognition", options);
    } catch (error) {
      // It may have been removed before this process loaded it.
      if (error instanceof ParlanceError && error.code === "process.failed") {
        this.options.models?.forget();
        await this.loadable(model);
      }
      throw error;
    }
  }

  /** What a model can do. @throws models.missing */
  async capabilitiesOf(model: string): Promise<RecognizerCapabilities> {
    return (await this.loadable(model)).capabilities;
  }

  /** Speech probabilities of the whole windows in `audio`; hand the state in again with the next ones. */
  async voiceActivity(
    audio: AudioSource,
    state: VoiceActivityState | undefined,
    options: TaskOptions,
  ): Promise<VoiceActivityAnswer> {
    return this.ask({ kind: "voice-activity", audio, ...(state ? { state } : {}) }, "voice-activity", options);
  }

  /** Voices in a piece of a recording. */
  async embedSpeakers(task: EmbeddingTask, options: TaskOptions): Promise<EmbeddingAnswer> {
    return this.ask({ kind: "embed-speakers", ...task }, "speaker-embeddings", options);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.liveTimer);
    this.scheduler.clear(errors.aborted());
    await Promise.all(this.workers.map((worker) => worker.stop()));
  }

  private async ask<Kind extends InferenceResponse["kind"]>(
    request: InferenceRequest,
    kind: Kind,
    options: TaskOptions,
  ): Promise<Extract<InferenceResponse, { kind: Kind }>> {
    const response = await this.run(request, options);
    if (response.kind !== kind) throw errors.processFailed("recogniser", `it answered ${response.kind}`);
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
          task: { request, asked: performance.now(), trace: options.trace, resolve },
          priority: options.priority,
          reject,
          ...(options.signal ? { signal: options.signal } : {}),
        });
      } catch (error) {
        return reject(error as Error);
      }
      if (!isOfRecording(options.priority)) this.expectLive();
      this.dispatch();
    });
  }

  private expectLive(): void {
    this.liveUntil = performance.now() + LIVE_RESERVE_MILLISECONDS;
    this.liveTimer ??= setTimeout(() => {
      this.liveTimer = undefined;
      this.dispatch();
    }, LIVE_RESERVE_MILLISECONDS + 1);
    this.liveTimer.unref();
  }

  private dispatch(): void {
    while (!this.stopped) {
      const kept = this.handSuspects();
      const free = [...this.warmWorkers].filter(
        ([worker, { running, isAlone }]) => worker !== kept && !isAlone && running < MOST_AT_ONCE,
      );
      if (free.length === 0) return;
      const open = free.filter(([worker, load]) => this.mayRecord(worker, load));
      const waiting = this.scheduler.next(open.length > 0);
      if (!waiting) return;
      const [worker, load] = this.choose(waiting.priority === "recorded" ? open : free, waiting.task.request);
      this.hand(waiting, worker, load);
    }
  }

  /**
   * Work of a recording that may end its process is given to one that has nothing else to do.
   * @returns the process that takes nothing new until it has ended what it has; undefined when none needs to
   */
  private handSuspects(): Worker | undefined {
    while (this.scheduler.suspects > 0) {
      const shared = [...this.warmWorkers].filter(([, { isAlone }]) => !isAlone);
      const [least] = shared.sort(([, left], [, right]) => left.running - right.running);
      if (!least) return undefined;
      const [worker, load] = least;
      if (load.running > 0) return worker;
      const waiting = this.scheduler.nextSuspect();
      if (waiting) this.hand(waiting, worker, load);
    }
    return undefined;
  }

  /** Whether a process may be given recordings' work. */
  private mayRecord(worker: Worker, { recorded }: Load): boolean {
    if (performance.now() >= this.liveUntil) return true;
    return this.workers.length === 1 ? recorded === 0 : worker !== this.workers[0];
  }

  private hand(waiting: Waiting<Task>, worker: Worker, load: Load): void {
    const { task, priority } = waiting;
    const isRecorded = isOfRecording(priority);
    load.running++;
    if (isRecorded) load.recorded++;
    load.isAlone = priority === "suspect";
    const started = performance.now();
    load.lastAt = started;
    const finish = () => {
      load.running--;
      if (priority === "suspect") load.isAlone = false;
      if (isRecorded) load.recorded--;
    };
    // An abort does not end a running inference: it is short, and restarting a process is not.
    worker.call(task.request, { timeoutMilliseconds: this.options.taskTimeoutSeconds * 1000 }).then(
      (response) => {
        finish();
        this.traced(task, started);
        if (response.kind === "recognition") {
          this.recognized({
            priority: isRecorded ? "recorded" : priority,
            took: performance.now() - started,
            waited: performance.now() - task.asked,
          });
          if (priority === "live") this.finals.push({ at: performance.now(), took: performance.now() - task.asked });
        }
        task.resolve(response);
        this.dispatch();
      },
      (thrown: unknown) => {
        finish();
        const error = toParlanceError(thrown);
        waiting.reject(error);
        if (worker.processId === undefined && this.warmWorkers.get(worker) === load) this.restart(worker, error);
        else this.dispatch();
      },
    );
  }

  private traced({ request, asked, trace }: Task, started: number): void {
    if (trace === undefined) return;
    const ago = (at: number) => new Date(Date.now() - (performance.now() - at));
    const waited = Math.round(started - asked);
    this.options.tracing?.record(`inference ${request.kind}`, ago(asked), new Date(), {
      parent: trace,
      attributes: { "parlance.waited_milliseconds": waited },
    });
  }

  /** The process that has heard the beginning of the audio, where it has little more to do than others; else the one with the least. */
  private choose(workers: readonly [Worker, Load][], request: InferenceRequest): [Worker, Load] {
    const audioId = request.kind === "recognize" ? request.audioId : undefined;
    const known = (worker: Worker) => this.familiar.get(worker) ?? [];
    const familiar = audioId === undefined ? undefined : workers.find(([worker]) => known(worker).includes(audioId));
    const byLoad = [...workers].sort(
      ([, left], [, right]) => left.running - right.running || left.lastAt - right.lastAt,
    );
    const least = byLoad[0] as [Worker, Load];
    const mostRunning = least[1].running + WORTH_OF_FAMILIARITY;
    const chosen = familiar && familiar[1].running <= mostRunning ? familiar : least;
    if (audioId !== undefined) {
      const [worker] = chosen;
      for (const [other, names] of this.familiar) {
        const others = names.filter((name) => name !== audioId);
        this.familiar.set(other, others);
      }
      this.familiar.set(worker, [audioId, ...known(worker)].slice(0, MOST_FAMILIAR));
    }
    return chosen;
  }

  private restart(worker: Worker, reason: ParlanceError): void {
    this.warmWorkers.delete(worker);
    this.familiar.delete(worker);
    if (this.stopped) return;
    this.options.logger.warn({ code: reason.code, reason: reason.message }, "recogniser process is started again");
    this.warm(worker).catch((thrown: unknown) => {
      setTimeout(() => this.restart(worker, toParlanceError(thrown)), RESTART_PAUSE_MILLISECONDS);
    });
  }

  private async warm(worker: Worker, tries = 1): Promise<void> {
    const { model } = this.options;
    try {
      await worker.call(
        { kind: "load", ...(model ? { model: await this.loadable(model) } : {}) },
        { timeoutMilliseconds: READY_TIMEOUT_MILLISECONDS },
      );
    } catch (thrown) {
      const error = toParlanceError(thrown);
      if (tries === 1 || this.stopped || error.code !== "process.died") throw error;
      this.options.logger.warn({ reason: error.message }, "recogniser process died while it loaded; trying again");
      return this.warm(worker, tries - 1);
    }
    this.warmWorkers.set(worker, { running: 0, recorded: 0, lastAt: 0, isAlone: false });
    this.dispatch();
  }
}
