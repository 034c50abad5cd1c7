// The process that decodes live streams: starts with the first stream, and ends when there was none for some time. It makes one step of
// one stream at a time, so that the stream whose step it was is known when it ends or hangs.
import type { ChildEnvironment } from "../../../platform/config/load.ts";
import { entryFile } from "../../../platform/process/entry.ts";
import { SupervisedProcess } from "../../../platform/process/supervised-process.ts";
import type { StreamRequest, StreamResponse } from "./message.ts";

const READY_TIMEOUT_MILLISECONDS = 30_000;
/** A step takes some milliseconds; a process that takes longer than this hangs. */
const STEP_TIMEOUT_MILLISECONDS = 10_000;
const IDLE_MILLISECONDS = 60_000;

export class StreamDecoders {
  private readonly process: SupervisedProcess<StreamRequest, StreamResponse>;
  private last: Promise<unknown> = Promise.resolve();
  private readonly open = new Set<string>();
  private idleTimer: NodeJS.Timeout | undefined;
  private isEnding = false;

  constructor(options: { environment: ChildEnvironment; memoryLimitBytes: number }) {
    this.process = new SupervisedProcess({
      name: "stream decoder",
      file: entryFile("./child.js", import.meta.url),
      readyTimeoutMilliseconds: READY_TIMEOUT_MILLISECONDS,
      ...options,
    });
  }

  /** Whether the service ends. */
  get isStopped(): boolean {
    return this.isEnding;
  }

  /** @throws what a start throws */
  async start(stream: string): Promise<void> {
    clearTimeout(this.idleTimer);
    this.open.add(stream);
    await this.process.start();
  }

  /** @throws process.died, process.timeout: during this step; process.failed */
  step(request: StreamRequest): Promise<StreamResponse> {
    const answer = this.last.then(() => this.process.call(request, { timeoutMilliseconds: STEP_TIMEOUT_MILLISECONDS }));
    this.last = answer.catch(() => undefined);
    return answer;
  }

  /** Ends the process, whose answer was impossible. */
  restart(): void {
    this.process.kill();
  }

  async close(stream: string): Promise<void> {
    if (!this.open.delete(stream)) return;
    if (this.process.processId !== undefined) await this.step({ kind: "close", stream }).catch(() => undefined);
    if (this.open.size > 0) return;
    this.idleTimer = setTimeout(() => void this.process.stop(), IDLE_MILLISECONDS).unref();
  }

  async stop(): Promise<void> {
    this.isEnding = true;
    clearTimeout(this.idleTimer);
    await this.process.stop();
  }
}
