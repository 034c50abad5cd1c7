// Frames of a session's connections, processed one at a time; chunks of audio that follow each other are processed together. The queue
// reports the memory that it takes, which back-pressure.ts bounds.
import { OneRun } from "../../../platform/process/one-run.ts";
import { TurnTime } from "../../../platform/process/turn-time.ts";
import type { AudioTicks } from "./audio-ticks.ts";

/** Memory counted for a frame in addition to its bytes, so that empty frames are bounded too. */
const FRAME_BYTES = 256;
/** Chunks that are processed together, and their memory; a larger chunk is processed alone. */
const MOST_TOGETHER = 8;
const MOST_TOGETHER_BYTES = 65_536;
/** Of all sessions together. */
const turn = new TurnTime(10);

/** Audio of one frame. */
interface QueuedChunk {
  readonly bytes: Buffer;
  /** Chunks of one source are processed together. */
  readonly source: unknown;
}

interface Task {
  run: () => Promise<void>;
}

interface Waiting<Chunk> {
  bytes: number;
  content: Task | Chunk;
}

const isTask = (content: Task | QueuedChunk): content is Task => "run" in content;

interface FrameQueueParts<Chunk> {
  /** Processes chunks of one source. */
  process(chunks: Chunk[]): Promise<void>;
  /** Called with the error of failed chunks or of a failed task; later ones still run. */
  onFailed(error: unknown): void;
  /** Called with the number of waiting bytes after each change of it. */
  onWaiting(bytes: number): void;
  /** Undefined: chunks are processed as they arrive. */
  ticks?: AudioTicks | undefined;
}

export class FrameQueue<Chunk extends QueuedChunk> {
  private waiting: Waiting<Chunk>[] = [];
  private waitingBytes = 0;
  private readonly running = new OneRun(
    () => this.waiting.length > 0,
    () => this.work(),
  );
  /** Whether the next tick begins the work. */
  private isHeld = false;

  constructor(private readonly parts: FrameQueueParts<Chunk>) {}

  /** Runs `run` after everything added before. @param bytes  memory that the task holds until then */
  add(bytes: number, run: () => Promise<void>): void {
    this.push(bytes, { run });
    this.running.start();
  }

  /** Processes a chunk after everything added before, at the latest at the next tick. */
  addChunk(chunk: Chunk): void {
    const { ticks } = this.parts;
    this.push(chunk.bytes.length, chunk);
    if (!ticks?.holds || this.waitingBytes > MOST_TOGETHER_BYTES) {
      this.running.start();
      return;
    }
    if (this.isHeld || this.running.isRunning) return;
    this.isHeld = true;
    ticks.next(() => {
      this.isHeld = false;
      this.running.start();
    });
  }

  /** Resolves when everything added has run. */
  async settled(): Promise<void> {
    await this.running.settled();
  }

  private async work(): Promise<void> {
    for (let batch = this.take(); batch.length > 0; batch = this.take()) {
      const [first] = batch as [Waiting<Chunk>];
      try {
        if (isTask(first.content)) await first.content.run();
        else await this.parts.process(batch.map(({ content }) => content as Chunk));
      } catch (error) {
        this.parts.onFailed(error);
      }
      this.changeWaiting(-batch.reduce((sum, { bytes }) => sum + bytes, 0));
      // Tasks that wait for nothing follow each other in one turn of the event loop. A queue that waited is served in the next turn, with or
      // without time left: another queue that never becomes empty would use up all of it.
      if (!turn.isLeft) await turn.renewed();
    }
  }

  /** The next task, or the next chunks of one source. */
  private take(): Waiting<Chunk>[] {
    const [first] = this.waiting;
    if (!first) return [];
    const { content } = first;
    let count = 1;
    if (!isTask(content)) {
      for (let bytes = first.bytes; count < Math.min(MOST_TOGETHER, this.waiting.length); count++) {
        const next = this.waiting[count] as Waiting<Chunk>;
        bytes += next.bytes;
        if (isTask(next.content) || next.content.source !== content.source || bytes > MOST_TOGETHER_BYTES) break;
      }
    }
    return this.waiting.splice(0, count);
  }

  private push(bytes: number, content: Task | Chunk): void {
    this.waiting.push({ bytes: bytes + FRAME_BYTES, content });
    this.changeWaiting(bytes + FRAME_BYTES);
  }

  private changeWaiting(bytes: number): void {
    this.waitingBytes += bytes;
    this.parts.onWaiting(this.waitingBytes);
  }
}
