// Decides when the service stops reading from the client of a session, so that each buffer between the connection and the log is bounded.
// Five causes pause the connection, several of them at once, and it is read again when the last one is gone:
//
// - frames of the client wait to be processed (frame-queue.ts),
// - recognition is behind the audio,
// - a storage operation is slow, or the disk is full,
// - callbacks wait to be stored (callbacks.ts),
// - the client does not read its events (outbox.ts).
import type { Logger } from "pino";
import type { FreeSpace } from "../../../platform/storage/free-space.ts";

/** Memory of waiting frames: above the first number the connection is paused, until it is at most the second. */
const PAUSE_ABOVE_BYTES = 1_048_576;
const RESUME_BELOW_BYTES = PAUSE_ABOVE_BYTES / 2;
/** Audio waiting for recognition, likewise. */
const PAUSE_ABOVE_SECONDS = 20;
const RESUME_BELOW_SECONDS = 10;
const CHECK_MILLISECONDS = 100;
/** If a storage operation takes longer, the connection is paused. */
const SLOW_MILLISECONDS = 1_000;

/** A bounded queue to which commands add. */
interface Queue {
  readonly hasRoom: boolean;
  /** Resolves when it has room. */
  room(): Promise<void>;
}

export interface PressureParts {
  sessionId: string;
  /** Stop and resume reading from the client. */
  pause(): void;
  resume(): void;
  /** Audio that voice activity detection has not processed. */
  undetectedSeconds(): number;
  space: Pick<FreeSpace, "hasRoom" | "room">;
  logger: Logger;
}

export class BackPressure {
  /** Number of causes at present. */
  private causes = 0;
  private hasTooManyFrames = false;
  private recognitionCheck: NodeJS.Timeout | undefined;

  constructor(private readonly parts: PressureParts) {}

  get isPaused(): boolean {
    return this.causes > 0;
  }

  /** @param bytes  memory of the frames that wait to be processed */
  framesWait(bytes: number): void {
    if (!this.hasTooManyFrames && bytes > PAUSE_ABOVE_BYTES) {
      this.hasTooManyFrames = true;
      this.begin();
    } else if (this.hasTooManyFrames && bytes <= RESUME_BELOW_BYTES) {
      this.hasTooManyFrames = false;
      this.end();
    }
  }

  /** Audio was passed to recognition. */
  audioAdded(): void {
    if (this.recognitionCheck || this.parts.undetectedSeconds() < PAUSE_ABOVE_SECONDS) return;
    this.begin();
    this.recognitionCheck = setInterval(() => {
      if (this.parts.undetectedSeconds() > RESUME_BELOW_SECONDS) return;
      this.stop();
      this.end();
    }, CHECK_MILLISECONDS);
  }

  /** Pauses the connection if the task takes longer than SLOW_MILLISECONDS, until it ends. */
  async during<Result>(task: Promise<Result>): Promise<Result> {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.begin();
    }, SLOW_MILLISECONDS);
    try {
      return await task;
    } finally {
      clearTimeout(timer);
      if (isSlow) this.end();
    }
  }

  /**
   * Resolves when a command may be processed.
   * @param unread  events that the client has not read: while it does not read, nothing is read from it
   */
  async untilQueuesHaveRoom(unread: Queue, callbacks: Queue | undefined): Promise<void> {
    if (!unread.hasRoom) {
      this.begin();
      await unread.room();
      this.end();
    }
    if (callbacks?.hasRoom === false) await this.during(callbacks.room());
  }

  /**
   * Resolves when audio may be stored: it must be on disk before it is acknowledged.
   * @returns false if `signal` is aborted first
   */
  async untilDiskHasRoom(signal: AbortSignal): Promise<boolean> {
    const { logger, sessionId, space } = this.parts;
    if (await space.hasRoom("begun")) return true;
    logger.error({ session: sessionId }, "the disk is full: a live session waits");
    this.begin();
    await space.room("begun", signal);
    if (signal.aborted) return false;
    this.end();
    return true;
  }

  /** No more audio follows. */
  stop(): void {
    clearInterval(this.recognitionCheck);
    this.recognitionCheck = undefined;
  }

  private begin(): void {
    if (this.causes++ === 0) this.parts.pause();
  }

  private end(): void {
    if (--this.causes === 0) this.parts.resume();
  }
}
