// Frames of a session's connections, processed one at a time. The queue is bounded: above its limit the connection is
// paused, and TCP applies back-pressure to the client.

/** Memory counted for a frame in addition to its bytes, so that empty frames are bounded too. */
const FRAME_BYTES = 256;
const PAUSE_ABOVE_BYTES = 1_048_576;
const RESUME_BELOW_BYTES = PAUSE_ABOVE_BYTES / 2;

interface Waiting {
  bytes: number;
  run: () => Promise<void>;
}

export class FrameQueue {
  private waiting: Waiting[] = [];
  private waitingBytes = 0;
  private isPaused = false;
  private running: Promise<void> | undefined;

  /**
   * @param onFailed  called with the error of a failed task; later tasks still run
   * @param pause, resume  called when the queue exceeds its limit, and when it has drained
   */
  constructor(
    private readonly onFailed: (error: unknown) => void,
    private readonly pause: () => void,
    private readonly resume: () => void,
  ) {}

  /** Runs `run` after all tasks added before. @param bytes  memory that the task holds until then */
  add(bytes: number, run: () => Promise<void>): void {
    this.waiting.push({ bytes: bytes + FRAME_BYTES, run });
    this.waitingBytes += bytes + FRAME_BYTES;
    if (!this.isPaused && this.waitingBytes > PAUSE_ABOVE_BYTES) {
      this.isPaused = true;
      this.pause();
    }
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
        this.done(bytes);
      }
    }
  }

  private done(bytes: number): void {
    this.waitingBytes -= bytes;
    if (!this.isPaused || this.waitingBytes > RESUME_BELOW_BYTES) return;
    this.isPaused = false;
    this.resume();
  }
}
