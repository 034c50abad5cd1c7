// Pauses the connection of a session while storage is slow or full, which bounds memory.
import type { Logger } from "pino";
import type { FreeSpace } from "../../../platform/storage/free-space.ts";
import type { SessionClock } from "./session-clock.ts";

/** If a storage operation takes longer, the connection is paused. */
const HOLD_MILLISECONDS = 1_000;

export class BackPressure {
  /** Number of slow storage operations for which the connection is paused. */
  private slowOperations = 0;

  constructor(
    private readonly sessionId: string,
    private readonly clock: Pick<SessionClock, "hold" | "release">,
    private readonly space: Pick<FreeSpace, "room">,
    private readonly logger: Logger,
  ) {}

  /** Pauses the connection if the task takes longer than HOLD_MILLISECONDS, until it ends. */
  async during<Result>(task: Promise<Result>): Promise<Result> {
    let isPaused = false;
    const timer = setTimeout(() => {
      isPaused = true;
      this.hold();
    }, HOLD_MILLISECONDS);
    try {
      return await task;
    } finally {
      clearTimeout(timer);
      if (isPaused) this.release();
    }
  }

  /**
   * Pauses the connection while the disk is full: audio must be on disk before it is acknowledged.
   * @returns false if `signal` is aborted first
   */
  async untilDiskHasRoom(signal: AbortSignal): Promise<boolean> {
    this.logger.error({ session: this.sessionId }, "the disk is full: a live session waits");
    this.hold();
    await this.space.room("begun", signal);
    if (signal.aborted) return false;
    this.release();
    return true;
  }

  private hold(): void {
    this.slowOperations++;
    this.clock.hold("storage");
  }

  private release(): void {
    if (--this.slowOperations === 0) this.clock.release("storage");
  }
}
