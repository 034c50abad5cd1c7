// A child process with an owner: it is started, asked, watched, and replaced when it dies.
// Whatever happens to the child, every promise given out here settles.
import { type ChildProcess, fork } from "node:child_process";
import { errors, ParlanceError } from "../errors.ts";
import { residentBytes } from "./resident-memory.ts";

/** What a child is sent; `call` tells which request an answer belongs to. */
export interface ParentMessage<Request> {
  call: number;
  request: Request;
}

/** What a child sends: ready once, then one answer for each request, and its memory from time to time. */
export type ChildMessage<Response> =
  | { kind: "ready" }
  | { kind: "answer"; call: number; response: Response }
  | { kind: "failure"; call: number; message: string; error?: { code: string; status: number } }
  | { kind: "progress"; call: number; value: number }
  | { kind: "memory"; bytes: number };

export interface SupervisedOptions {
  /** For messages: "recogniser", "decoder". */
  name: string;
  file: string;
  arguments?: string[];
  readyTimeoutMilliseconds: number;
  /** The child is ended above this: looked at from here where the system tells, elsewhere by the child's own reports. */
  memoryLimitBytes?: number;
  execArguments?: string[];
  /** All that the child sees; never the service's own, which holds secrets. */
  environment: Record<string, string>;
}

export interface CallOptions {
  timeoutMilliseconds: number;
  signal?: AbortSignal;
  onProgress?: (value: number) => void;
}

interface PendingCall<Response> {
  resolve(response: Response): void;
  reject(error: Error): void;
  onProgress?: (value: number) => void;
}

/** Every child of this process that runs, with what it is for. */
const runningChildren = new Map<number, string>();
export const childProcesses = (): ReadonlyMap<number, string> => runningChildren;

const START_TRIES = 3;
/** A child that is busy outside of JavaScript reports nothing meanwhile. */
const MEMORY_LOOK_MILLISECONDS = 250;

export class SupervisedProcess<Request, Response> {
  private child: ChildProcess | undefined;
  private starting: Promise<void> | undefined;
  private readonly pending = new Map<number, PendingCall<Response>>();
  private nextCall = 0;
  private killedBecause: ParlanceError | undefined;

  constructor(private readonly options: SupervisedOptions) {}

  get processId(): number | undefined {
    return this.child?.pid;
  }

  /** Starts the child if it does not run; calls during the start share it. */
  start(): Promise<void> {
    if (this.child && !this.starting) return Promise.resolve();
    this.starting ??= this.launchPatiently(START_TRIES).finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  /**
   * Asks the child. Several calls may be under way; a time-out or an abort of one ends the child, and with it all.
   * @throws process.died, process.timeout, work.aborted, or the error that the child reported
   */
  async call(request: Request, options: CallOptions): Promise<Response> {
    await this.start();
    options.signal?.throwIfAborted();
    const child = this.child;
    if (!child) throw errors.processDied(this.options.name, "it could not be started");
    const call = this.nextCall++;
    return new Promise<Response>((resolve, reject) => {
      const timer = setTimeout(
        () => this.kill(errors.processTimeout(this.options.name, options.timeoutMilliseconds)),
        options.timeoutMilliseconds,
      );
      const onAbort = () => this.kill(errors.aborted());
      options.signal?.addEventListener("abort", onAbort, { once: true });
      const settle = () => {
        clearTimeout(timer);
        options.signal?.removeEventListener("abort", onAbort);
        this.pending.delete(call);
      };
      this.pending.set(call, {
        resolve: (response) => {
          settle();
          resolve(response);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
        ...(options.onProgress ? { onProgress: options.onProgress } : {}),
      });
      child.send({ call, request } satisfies ParentMessage<Request> as object, (error) => {
        if (error) this.pending.get(call)?.reject(errors.processDied(this.options.name, error.message));
      });
    });
  }

  /** Ends the child at once; calls under way fail with `reason`. */
  kill(reason: ParlanceError = errors.aborted()): void {
    if (!this.child) return;
    this.killedBecause = reason;
    this.child.kill("SIGKILL");
  }

  async stop(): Promise<void> {
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    this.kill();
    await ended;
  }

  /** Something may have ended it that has nothing to do with it: a machine short of memory, an operator. */
  private async launchPatiently(tries: number): Promise<void> {
    try {
      await this.launch();
    } catch (thrown) {
      if (tries === 1 || (thrown as ParlanceError).code !== "process.died") throw thrown;
      await this.launchPatiently(tries - 1);
    }
  }

  private launch(): Promise<void> {
    const { name, file, readyTimeoutMilliseconds } = this.options;
    const child = fork(file, this.options.arguments ?? [], {
      serialization: "advanced",
      execArgv: this.options.execArguments ?? [],
      env: this.options.environment,
      // A child's own output is for people who debug it; transcripts never pass here.
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.child = child;
    const { pid } = child;
    if (pid !== undefined) {
      runningChildren.set(pid, name);
      const isLimited = this.options.memoryLimitBytes !== undefined;
      const looking = isLimited && setInterval(() => this.lookAtMemory(child, pid), MEMORY_LOOK_MILLISECONDS);
      child.once("exit", () => {
        runningChildren.delete(pid);
        if (looking) clearInterval(looking);
      });
    }
    this.killedBecause = undefined;
    return new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.kill(errors.processTimeout(name, readyTimeoutMilliseconds));
      }, readyTimeoutMilliseconds);
      child.on("message", (message: ChildMessage<Response>) => {
        if (message.kind === "ready") {
          clearTimeout(timer);
          resolve();
        } else this.receive(message);
      });
      child.once("error", (error) => this.ended(child, errors.processDied(name, error.message), reject));
      child.once("exit", (exitCode, signal) => {
        clearTimeout(timer);
        const how = signal ?? `exit code ${exitCode}`;
        this.ended(child, this.killedBecause ?? errors.processDied(name, how), reject);
      });
    });
  }

  private receive(message: ChildMessage<Response>): void {
    switch (message.kind) {
      case "answer":
        this.pending.get(message.call)?.resolve(message.response);
        break;
      case "failure":
        this.pending
          .get(message.call)
          ?.reject(
            message.error
              ? new ParlanceError(message.message, message.error)
              : errors.processFailed(this.options.name, message.message),
          );
        break;
      case "progress":
        this.pending.get(message.call)?.onProgress?.(message.value);
        break;
      case "memory":
        this.judgeMemory(message.bytes);
        break;
    }
  }

  private lookAtMemory(child: ChildProcess, processId: number): void {
    const bytes = residentBytes(processId);
    if (bytes !== undefined && this.child === child) this.judgeMemory(bytes);
  }

  private judgeMemory(bytes: number): void {
    const { name, memoryLimitBytes } = this.options;
    if (memoryLimitBytes === undefined || bytes <= memoryLimitBytes) return;
    this.kill(errors.processDied(name, `it used ${Math.round(bytes / 1e6)} MB of memory`));
  }

  private ended(child: ChildProcess, error: ParlanceError, rejectStart: (error: Error) => void): void {
    if (this.child === child) this.child = undefined;
    rejectStart(error);
    for (const { reject } of [...this.pending.values()]) reject(error);
  }
}
