// The inference processes of this machine: starts them, loads their first model, and replaces a process that dies. The first process starts
// with the service, the others with the first work: until then, each would only take time of the processor and 55 MB.
import type { Logger } from "pino";
import type { ChildEnvironment } from "../../platform/config/load.ts";
import { type ParlanceError, toParlanceError } from "../../platform/errors.ts";
import { entryFile } from "../../platform/process/entry.ts";
import { SupervisedProcess } from "../../platform/process/supervised-process.ts";
import { prepareAhead } from "./graph-preparation.ts";
import type { InferenceRequest, InferenceResponse } from "./message.ts";

export type Worker = SupervisedProcess<InferenceRequest, InferenceResponse>;

/** Current load of a process. */
export interface Load {
  running: number;
  /** `concurrentTasks` of the engine of each of them. */
  limits: number[];
  /** Tasks among them for which no words wait. */
  background: number;
  /** When it was last assigned a task, milliseconds. */
  lastAt: number;
  /** Whether it runs a suspect task, which may crash it: no other task is assigned. */
  isExclusive: boolean;
}

/** Time in which a process may do nothing while it starts or loads its model: on a slow machine, both take minutes. */
const READY_TIMEOUT_MILLISECONDS = 60_000;
const START_TRIES = 3;
const RESTART_PAUSE_MILLISECONDS = 1_000;
/**
 * glibc settings, ignored elsewhere: returns the memory used for loading models to the system; huge pages, where
 * available, save 5 % of the time.
 */
const MEMORY_ENVIRONMENT = {
  GLIBC_TUNABLES: "glibc.malloc.hugetlb=1",
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: "8388608",
  MALLOC_TRIM_THRESHOLD_: "8388608",
};
/**
 * Tensors create garbage many times a second while few objects are alive: a full mark takes a few milliseconds,
 * incremental marking a sixth of the processor. A semi-space of 2 MB instead of 16 suffices, as tensor data is outside
 * of it and is freed as soon as its object is collected.
 */
const RECOGNIZER_ARGUMENTS = ["--expose-gc", "--no-incremental-marking", "--max-semi-space-size=2"];

export interface ProcessOptions {
  workers: number;
  /** A process that uses more memory is killed. */
  memoryLimitBytes: number;
  environment: ChildEnvironment;
  /** Folder of graphs that all processes share; undefined if each has its own weights. */
  sharedFolder?: string;
  logger: Logger;
}

export interface ProcessEvents {
  /** The first request to a new process. */
  loadRequest(): Promise<InferenceRequest>;
  /** A process has its models loaded. */
  onWarm(): void;
  /** A process died. */
  onCold(worker: Worker): void;
}

export class InferenceProcesses {
  /** Processes with loaded models. */
  readonly warm = new Map<Worker, Load>();
  private readonly workers: Worker[];
  /** Processes that have not been started yet. */
  private readonly unstarted: Worker[];
  private stopped = false;
  private endPreparation: () => Promise<void> = async () => undefined;

  constructor(
    private readonly options: ProcessOptions,
    private readonly events: ProcessEvents,
  ) {
    this.workers = Array.from(
      { length: options.workers },
      () =>
        new SupervisedProcess({
          name: "recogniser",
          file: entryFile("./child.js", import.meta.url),
          readyTimeoutMilliseconds: READY_TIMEOUT_MILLISECONDS,
          memoryLimitBytes: options.memoryLimitBytes,
          leadsGroup: true,
          environment: { ...options.environment, ...MEMORY_ENVIRONMENT },
          execArguments: RECOGNIZER_ARGUMENTS,
          arguments: options.sharedFolder === undefined ? [] : [options.sharedFolder],
        }),
    );
    this.unstarted = [...this.workers];
  }

  /** The process that is reserved for live speech. */
  get first(): Worker | undefined {
    return this.workers[0];
  }

  /** Starts the first process; resolves when it is warm. @throws process.died, process.failed */
  async start(): Promise<void> {
    const first = this.unstarted.shift();
    if (!first) return;
    const { sharedFolder } = this.options;
    const request = await this.events.loadRequest();
    if (sharedFolder !== undefined && request.kind === "load" && request.model && !this.stopped) {
      this.endPreparation = prepareAhead(sharedFolder, request.model);
    }
    await this.loadModels(first, START_TRIES);
  }

  /** Starts the processes that have not been started. A process that cannot start is restarted later. */
  wake(): void {
    if (this.stopped) return;
    for (const worker of this.unstarted.splice(0)) {
      this.loadModels(worker, START_TRIES).catch((thrown: unknown) => this.restart(worker, toParlanceError(thrown)));
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all([this.endPreparation(), ...this.workers.map((worker) => worker.stop())]);
  }

  /** Replaces a process that died. It takes no tasks until its models are loaded. */
  restart(worker: Worker, reason: ParlanceError): void {
    this.warm.delete(worker);
    this.events.onCold(worker);
    if (this.stopped) return;
    this.options.logger.warn({ code: reason.code, reason: reason.message }, "restarting a recogniser process");
    this.loadModels(worker).catch((thrown: unknown) => {
      setTimeout(() => this.restart(worker, toParlanceError(thrown)), RESTART_PAUSE_MILLISECONDS);
    });
  }

  private async loadModels(worker: Worker, tries = 1): Promise<void> {
    try {
      await worker.call(await this.events.loadRequest(), {
        timeoutMilliseconds: READY_TIMEOUT_MILLISECONDS,
        countsQuietTimeOnly: true,
      });
    } catch (thrown) {
      const error = toParlanceError(thrown);
      if (tries === 1 || this.stopped || error.code !== "process.died") throw error;
      this.options.logger.warn({ reason: error.message }, "a recogniser process died while loading; retrying");
      return this.loadModels(worker, tries - 1);
    }
    this.warm.set(worker, { running: 0, limits: [], background: 0, lastAt: 0, isExclusive: false });
    this.events.onWarm();
  }
}
