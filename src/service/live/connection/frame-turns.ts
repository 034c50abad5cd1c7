// Frames of one connection in their order, some in each turn of the event loop. Those that wait are bounded by what one turn reads of a
// socket: the reader pauses it as long as frames wait.
import { eventLoopTurn } from "../../../platform/process/sleep.ts";
import { hasTurnTime } from "./turn-time.ts";

export interface Frame {
  bytes: Buffer;
  isBinary: boolean;
}

interface FrameReader {
  onFrame(bytes: Buffer, isBinary: boolean): void;
  /** Called when frames begin to wait, and when none waits any longer. */
  onWaiting(isWaiting: boolean): void;
}

export class FrameTurns {
  private waiting: Frame[] = [];
  private drained: Promise<void> | undefined;

  constructor(private readonly reader: FrameReader) {}

  push(bytes: Buffer, isBinary: boolean): void {
    if (!this.drained && hasTurnTime()) {
      this.reader.onFrame(bytes, isBinary);
      return;
    }
    this.waiting.push({ bytes, isBinary });
    this.drained ??= this.drain();
  }

  /** Calls `run` when no frame waits: at once, where none does. */
  afterFrames(run: () => void): void {
    if (this.drained) void this.drained.then(run);
    else run();
  }

  private async drain(): Promise<void> {
    this.reader.onWaiting(true);
    try {
      while (this.waiting.length > 0) {
        await eventLoopTurn();
        const frames = this.waiting;
        let count = 0;
        for (; count < frames.length && hasTurnTime(); count++) {
          const { bytes, isBinary } = frames[count] as Frame;
          this.reader.onFrame(bytes, isBinary);
        }
        this.waiting = frames.slice(count);
      }
    } finally {
      this.drained = undefined;
      this.reader.onWaiting(false);
    }
  }
}
