// Starts, calls and monitors a child process, and replaces it when it ends.
// Whatever the child does or sends, this process continues, and every returned promise settles.
import type { ChildProcess } from "node:child_process";
import type { Duplex } from "node:stream";
import { errors, type ParlanceError, shortageError, toParlanceError, transferredError } from "../errors.ts";
import { expireWhenQuiet } from "./activity.ts";
import { CHANNEL_DESCRIPTOR, openChannel } from "./channel.ts";
import { type ChildMessage, childMessageOf, type ParentMessage } from "./child-messages.ts";
import { createChild, killChild } from "./child-process.ts";
import { readErrorOutput } from "./error-output.ts";
import { exitReason } from "./exit-reason.ts";
import { ALIVE_MILLISECONDS } from "./heartbeat.ts";
import { residentBytes } from "./resident-memory.ts";
import type { CallOptions, SharedOptions, SupervisedOptions } from "./supervised-options.ts";

interface PendingCall<Response> {
  resolve(response: Response): void;
  reject(error: Error): void;
  onProgress(value: number): void;
  onText(piece: string): void;
}

const START_TRIES = 3;
/** A child that is busy in native code reports nothing meanwhile. */
const MEMORY_LOOK_MILLISECONDS = 250;

export class SupervisedProcess<Request, Response> {
  private child: ChildProcess | undefined;
  private send: ReturnType<typeof openChannel> | undefined;
  private starting: Promise<void> | undefined;
  private readonly pending = new Map<number, PendingCall<Response>>();
  private nextCall = 0;
  private killedBecause: ParlanceError | undefined;
  /** The call that a shared child is computing: it fails if the child hangs or dies. */
  private computing: number | undefined;
  /** Consecutive checks at which a shared child had sent nothing. A count, not a time: this process may stall, too. */
  private silentLooks = 0;
  /** Calls that have not settled, those that wait for the start included. */
  private unsettledCalls = 0;
  private idleTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: SupervisedOptions) {}

  get processId(): number | undefined {
    return this.child?.pid;
  }

  /** Starts the child if it does not run; calls during the start share it. */
  start(): Promise<void> {
    if (this.child && !this.starting) return Promise.resolve();
    this.starting ??= this.launchPatiently(START_TRIES).finally(() => {
      this.starting = undefined;
      if (this.unsettledCalls === 0) this.endWhenIdle();
    });
    return this.starting;
  }

  /**
   * Sends a request to the child. Calls may be concurrent. A time-out or an abort of one ends the child, and with it all
   * calls; in a shared child it cancels only that call.
   * @throws process.died, process.timeout, work.aborted, or the error that the child reported; process.bystander when
   *   another call ended a shared child: the call can be repeated
   */
  async call(request: Request, options: CallOptions): Promise<Response> {
    clearTimeout(this.idleTimer);
    this.unsettledCalls++;
    try {
      return await this.callChild(request, options);
    } finally {
      this.unsettledCalls--;
      if (this.unsettledCalls === 0) this.endWhenIdle();
    }
  }

  private async callChild(request: Request, options: CallOptions): Promise<Response> {
    await this.start();
    options.signal?.throwIfAborted();
    const { send } = this;
    if (!this.child || !send) throw errors.processDied(this.options.name, "it could not be started");
    const call = this.nextCall++;
    return new Promise<Response>((resolve, reject) => {
      const end = (reason: ParlanceError) => {
        if (!this.options.shared) return this.kill(reason);
        send({ call } satisfies ParentMessage<Request>);
        this.pending.get(call)?.reject(reason);
      };
      const expire = () => end(errors.processTimeout(this.options.name, options.timeoutMilliseconds));
      const quiet = options.countsQuietTimeOnly ? this.watchStart(options.timeoutMilliseconds) : undefined;
      let timer = quiet ? undefined : setTimeout(expire, options.timeoutMilliseconds);
      const onAbort = () => end(errors.aborted());
      options.signal?.addEventListener("abort", onAbort, { once: true });
      const settle = () => {
        clearTimeout(timer);
        quiet?.();
        options.signal?.removeEventListener("abort", onAbort);
        this.pending.delete(call);
      };
      const restart = () => {
        if (!this.options.shared) return;
        clearTimeout(timer);
        timer = setTimeout(expire, options.timeoutMilliseconds);
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
        onProgress: (value) => {
          restart();
          options.onProgress?.(value);
        },
        onText: (piece) => {
          restart();
          options.onText?.(piece);
        },
      });
      send({ call, request } satisfies ParentMessage<Request>, (error) => {
        this.pending.get(call)?.reject(errors.processDied(this.options.name, "it could not be called", error.message));
      });
    });
  }

  /** Ends the child at once; pending calls fail with `reason`. */
  kill(reason: ParlanceError = errors.aborted()): void {
    if (!this.child) return;
    this.killedBecause = reason;
    killChild(this.child, this.options);
  }

  async stop(): Promise<void> {
    clearTimeout(this.idleTimer);
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    this.kill();
    await ended;
  }

  private endWhenIdle(): void {
    const { idleMilliseconds } = this.options;
    if (idleMilliseconds === undefined || !this.child) return;
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => this.endIdleChild(), idleMilliseconds).unref();
  }

  /** A call that is made while the child is ending starts another child: this one is forgotten before its signal. */
  private endIdleChild(): void {
    const { child } = this;
    if (!child || this.starting || this.unsettledCalls > 0) return;
    this.child = undefined;
    this.send = undefined;
    killChild(child, this.options);
  }

  /** Repeats a start that failed: the child may have been ended for external reasons, such as a shortage of memory. */
  private async launchPatiently(tries: number): Promise<void> {
    try {
      await this.launch();
    } catch (thrown) {
      if (tries === 1 || toParlanceError(thrown).code !== "process.died") throw thrown;
      await this.launchPatiently(tries - 1);
    }
  }

  private async launch(): Promise<void> {
    const { name, readyTimeoutMilliseconds } = this.options;
    const child = createChild(this.options);
    this.child = child;
    const { pid } = child;
    if (child.stderr) readErrorOutput(child.stderr, name, pid);
    if (pid !== undefined) {
      const isLimited = this.options.memoryLimitBytes !== undefined;
      const looking = isLimited && setInterval(() => this.lookAtMemory(child, pid), MEMORY_LOOK_MILLISECONDS);
      const { shared } = this.options;
      const listening = shared && setInterval(() => this.lookAtSilence(shared), ALIVE_MILLISECONDS);
      child.once("exit", () => {
        for (const timer of [looking, listening]) if (timer) clearInterval(timer);
      });
    }
    this.killedBecause = undefined;
    this.computing = undefined;
    this.silentLooks = 0;
    let hasAnswered = false;
    return new Promise<void>((resolve, reject) => {
      const endWatch = this.watchStart(readyTimeoutMilliseconds);
      const onUnreadable = (reason: string) => {
        this.killedBecause = errors.processDied(name, `it sent what is no message: ${reason}`);
        killChild(child, this.options);
      };
      const onMessage = (received: unknown) => {
        if (this.child !== child) return;
        const message = childMessageOf<Response>(received);
        if (message === undefined) onUnreadable("of no known kind");
        else if (message.kind === "ready") {
          endWatch();
          resolve();
        } else {
          if (message.kind === "answer") hasAnswered = true;
          this.receive(message);
        }
      };
      // Without descriptors there is no child, and Node leaves its streams undefined.
      const streams = child.stdio as ChildProcess["stdio"] | undefined;
      const socket = streams?.[CHANNEL_DESCRIPTOR] as Duplex | undefined;
      // Calls of a child that is ending fail with its exit, which is reported later.
      const onBroken = () => killChild(child, this.options);
      if (socket) this.send = openChannel(socket, { onMessage, onUnreadable, onBroken });
      // Emitted when there is no child.
      child.on("error", (error) => {
        endWatch();
        const reason = shortageError(error) ?? errors.processDied(name, "it could not be started", error.message);
        this.ended(child, reason, reject);
      });
      child.once("exit", (exitCode, signal) => {
        endWatch();
        const died = errors.processDied(name, exitReason(exitCode, signal, hasAnswered));
        this.ended(child, this.killedBecause ?? died, reject);
      });
    });
  }

  /** Ends a child that does nothing while it starts, or loads a model. @returns ends the watch */
  private watchStart(quietMilliseconds: number): () => void {
    const processId = this.child?.pid;
    if (processId === undefined) return () => undefined;
    const onExpired = (reason: string) => this.kill(errors.processNotStarted(this.options.name, reason));
    return expireWhenQuiet({ processId, quietMilliseconds, onExpired });
  }

  private receive(message: ChildMessage<Response>): void {
    this.silentLooks = 0;
    switch (message.kind) {
      case "computing":
        this.computing = message.call;
        break;
      case "answer":
        this.pending.get(message.call)?.resolve(message.response);
        break;
      case "failure":
        this.pending
          .get(message.call)
          ?.reject(
            message.error
              ? transferredError(message.message, message.error)
              : errors.processFailed(this.options.name, message.message),
          );
        break;
      case "progress":
        this.pending.get(message.call)?.onProgress(message.value);
        break;
      case "text":
        this.pending.get(message.call)?.onText(message.text);
        break;
      case "memory":
        this.judgeMemory(message.bytes);
        break;
    }
  }

  private lookAtSilence({ silenceMilliseconds }: SharedOptions): void {
    if (this.pending.size === 0) this.silentLooks = 0;
    else if (++this.silentLooks * ALIVE_MILLISECONDS >= silenceMilliseconds) {
      const seconds = Math.round(silenceMilliseconds / 1000);
      this.kill(errors.processDied(this.options.name, `it gave no sign of life for ${seconds} s`));
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
    rejectStart(error);
    // An idle child was ended, and has no calls: those that are pending belong to its successor.
    if (this.child !== child) return;
    this.child = undefined;
    const { name, shared } = this.options;
    const isStopped = error.code === "work.aborted";
    for (const [call, { reject }] of [...this.pending]) {
      reject(shared && !isStopped && call !== this.computing ? errors.processBystander(name) : error);
    }
  }
}
