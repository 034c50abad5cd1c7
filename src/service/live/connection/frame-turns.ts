// Frames of one connection in their order, some in each turn of the event loop. Those that wait are bounded by what one turn reads of a
// socket: the reader pauses it as long as frames wait.
import { TurnTime } from "../../../platform/process/turn-time.ts";
import type { Frame } from "../dialects/dialect.ts";

/**
 * Of all connections together. One read of a socket brings thousands of small frames, and one turn of the event loop reads a socket many times:
 * without a bound, a client that sends small frames as fast as it can delays all other requests by seconds.
 */
const turn = new TurnTime(10);

interface FrameReader {
  onFrame(bytes: Buffer, isBinary: boolean): void;
  /** Called when `isWaiting` has changed. */
  onWaiting(): void;
}

export class FrameTurns {
  private waiting: Frame[] = [];
  private drained: Promise<void> | undefined;

  constructor(private readonly reader: FrameReader) {}

  /** Whether frames wait for the next turn of the event loop. */
  get isWaiting(): boolean {
    return this.drained !== undefined;
  }

  push(bytes: Buffer, isBinary: boolean): void {
    if (!this.drained && turn.isLeft) {
      this.reader.onFrame(bytes, isBinary);
      return;
    }
    this.waiting.push({ bytes, isBinary });
    if (this.drained) return;
    this.drained = this.drain();
    this.reader.onWaiting();
  }

  /** Calls `run` when no frame waits: at once, where none does. */
  afterFrames(run: () => void): void {
    if (this.drained) void this.drained.then(run);
    else run();
  }

  private async drain(): Promise<void> {
    try {
      while (this.waiting.length > 0) {
        await turn.renewed();
        const frames = this.waiting;
        let count = 0;
        // One in each turn, with or without time left: a connection whose frames never end would use up all of it.
        for (; count < frames.length && (count === 0 || turn.isLeft); count++) {
          const { bytes, isBinary } = frames[count] as Frame;
          this.reader.onFrame(bytes, isBinary);
        }
        this.waiting = frames.slice(count);
      }
    } finally {
      this.drained = undefined;
      this.reader.onWaiting();
    }
  }
}
