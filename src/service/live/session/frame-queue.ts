// Frames of a session's connections, processed one at a time. The queue reports the memory that it takes, which back-pressure.ts bounds.

/** Memory counted for a frame in addition to its bytes, so that empty frames are bounded too. */
const FRAME_BYTES = 256;

interface Waiting {
  bytes: number;
  run: () => Promise<void>;
}

export class FrameQueue {
  private waiting: Waiting[] = [];
  private waitingBytes = 0;
  private running: Promise<void> | undefined;

  /**
   * @param onFailed  called with the error of a failed task; later tasks still run
   * @param onWaiting  called with the number of waiting bytes after each change of it
   */
  constructor(
    private readonly onFailed: (error: unknown) => void,
    private readonly onWaiting: (bytes: number) => void,
  ) {}

  /** Runs `run` after all tasks added before. @param bytes  memory that the task holds until then */
  add(bytes: number, run: () => Promise<void>): void {
    this.waiting.push({ bytes: bytes + FRAME_BYTES, run });
    this.changeWaiting(bytes + FRAME_BYTES);
    this.running ??= this.work().finally(() => {
      this.running = undefined;
    });
  }

  /** Resolves when all added tasks have run. */
  async settled(): Promise<void> {
    while (this.running) await this.running;
  }

  private async work(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      for (const { bytes, run } of batch) {
        try {
          await run();
        } catch (error) {
          this.onFailed(error);
        }
        this.changeWaiting(-bytes);
      }
    }
  }

  private changeWaiting(bytes: number): void {
    this.waitingBytes += bytes;
    this.onWaiting(this.waitingBytes);
  }
}
