// The process that decodes live streams: starts with the first stream, and ends when there was none for some time. It makes one step of
// one stream at a time, so that the stream whose step it was is known when it ends or hangs. Accounts take turns.
import type { ChildEnvironment } from "../../../platform/config/load.ts";
import { entryFile } from "../../../platform/process/entry.ts";
import { FairSlots } from "../../../platform/process/fairness/fair-slots.ts";
import { SupervisedProcess } from "../../../platform/process/supervised-process.ts";
import type { StreamRequest, StreamResponse } from "./message.ts";

const READY_TIMEOUT_MILLISECONDS = 30_000;
/** A step takes some milliseconds; a process that takes longer than this hangs. */
const STEP_TIMEOUT_MILLISECONDS = 10_000;
const IDLE_MILLISECONDS = 60_000;

export class StreamDecoders {
  private readonly turns = new FairSlots({ slots: 1 });
  private readonly process: Pick<
    SupervisedProcess<StreamRequest, StreamResponse>,
    "start" | "call" | "stop" | "processId"
  >;
  /** Account of each stream. */
  private readonly open = new Map<string, string>();
  private idleTimer: NodeJS.Timeout | undefined;
  private isEnding = false;

  /** @param process  another process than that of these options, in tests */
  constructor(
    options: { environment: ChildEnvironment; memoryLimitBytes: number },
    process?: StreamDecoders["process"],
  ) {
    this.process =
      process ??
      new SupervisedProcess({
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
  async start(stream: string, account: string): Promise<void> {
    clearTimeout(this.idleTimer);
    this.open.set(stream, account);
    await this.process.start();
  }

  /** @throws process.died, process.timeout: during this step; process.failed */
  step(request: StreamRequest): Promise<StreamResponse> {
    return this.stepOf(this.open.get(request.stream) ?? "", request);
  }

  async close(stream: string): Promise<void> {
    const account = this.open.get(stream);
    if (account === undefined) return;
    this.open.delete(stream);
    if (this.process.processId !== undefined)
      await this.stepOf(account, { kind: "close", stream }).catch(() => undefined);
    if (this.open.size > 0) return;
    this.idleTimer = setTimeout(() => void this.process.stop(), IDLE_MILLISECONDS).unref();
  }

  async stop(): Promise<void> {
    this.isEnding = true;
    clearTimeout(this.idleTimer);
    await this.process.stop();
  }

  private stepOf(account: string, request: StreamRequest): Promise<StreamResponse> {
    return this.turns.run(account, () =>
      this.process.call(request, { timeoutMilliseconds: STEP_TIMEOUT_MILLISECONDS }),
    );
  }
}
