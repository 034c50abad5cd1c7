// Stores the events of a session for its viewers, one after another, and again after an error of the database. The session does not wait.
// After a restart, every persisted event is added again, so that none is missing.
import type { Logger } from "pino";
import type { LiveParameters } from "../../../contract/job-parameters.ts";
import { OneRun } from "../../../platform/process/one-run.ts";
import { sleep } from "../../../platform/process/sleep.ts";
import { mustWait } from "../../../platform/storage/when-possible.ts";
import type { EmittedEvent, LiveEvent } from "../events/live-event.ts";
import { isPartial, type ViewerRecord } from "./viewer-record.ts";

const RETRY_MILLISECONDS = 1_000;

/** Whether the captions of a session are stored for viewers. */
export const hasViewers = ({ captions, source }: Pick<LiveParameters, "captions" | "source">): boolean =>
  captions === true || source !== undefined;

export class SessionViewers {
  private readonly waiting: EmittedEvent[] = [];
  private readonly storing = new OneRun(
    () => this.waiting.length > 0 && !this.isStopped,
    () => this.storeAll(),
  );
  private isStopped = false;

  constructor(
    private readonly record: ViewerRecord,
    private readonly logger: Logger,
  ) {}

  /** Whether an event that is not persisted goes to a viewer now. */
  takes(event: LiveEvent): boolean {
    return isPartial(event) && this.record.isWatched && !this.isStopped;
  }

  add(emitted: EmittedEvent): void {
    if (this.isStopped) return;
    if (isPartial(emitted.event)) {
      this.record.sendPartial(emitted);
      return;
    }
    this.waiting.push(emitted);
    this.storing.start();
  }

  /** Resolves when all added events are stored, or can never be. */
  async settled(): Promise<void> {
    await this.storing.settled();
  }

  /** Stops storing: the session was deleted, or another process continues it. */
  stop(): void {
    this.isStopped = true;
  }

  private async storeAll(): Promise<void> {
    for (;;) {
      const [next] = this.waiting;
      if (!next || this.isStopped) return;
      try {
        await this.record.add(next);
        this.waiting.shift();
      } catch (error) {
        if (this.isStopped) return;
        const { sessionId: session } = this.record;
        this.logger.error({ err: error, session }, "an event of a live session could not be stored for its viewers");
        if (mustWait(error)) await sleep(RETRY_MILLISECONDS);
        else this.waiting.shift();
      }
    }
  }
}
