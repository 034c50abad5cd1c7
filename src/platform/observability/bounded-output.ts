// A line writer for a destination that may be full, slow or closed. Writing never blocks and never throws: the buffer
// is bounded, and lines beyond it are dropped, counted, and reported in a line once writing works again.
import type { Sink } from "./sinks.ts";

/** Bound of the buffer, about 5,000 log lines: minutes of an idle service, a second of one under load. */
const MOST_WAITING_BYTES = 1_000_000;
/** Size of a write: the capacity of a Linux pipe. */
const WRITE_BYTES = 65_536;
/** Pause before a failed write is retried. */
const RETRY_MILLISECONDS = 500;
/** Errors after which the write is retried. After any other error the lines are dropped. */
const TEMPORARY_ERRORS = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EIO", "EAGAIN", "ENOMEM", "ENOBUFS"]);

const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);

function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

export class BoundedOutput {
  private waiting: string[] = [];
  private waitingBytes = 0;
  /** Bytes that are being written, or will be retried. */
  private current: Buffer = NOTHING;
  private isWriting = false;
  private retry: NodeJS.Timeout | undefined;
  private unreportedDrops = 0;
  private drops = 0;
  private readonly flushing = new Set<() => void>();

  /** @param report  formats the line that reports dropped lines */
  constructor(
    private readonly sink: Sink,
    private readonly report: (droppedLines: number) => string,
  ) {}

  /** Number of lines dropped since the start. */
  get droppedLines(): number {
    return this.drops;
  }

  /** @param text  whole lines */
  write(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (this.waitingBytes + bytes > MOST_WAITING_BYTES) {
      this.drop(linesIn(Buffer.from(text)));
      return;
    }
    this.waiting.push(text);
    this.waitingBytes += bytes;
    if (!this.isWriting && !this.retry) this.writeNext();
  }

  /** Returns when everything is written, when that fails, or after `milliseconds`. */
  async flush(milliseconds: number): Promise<void> {
    if (this.retry) {
      clearTimeout(this.retry);
      this.retry = undefined;
      this.writeNext();
    }
    if (!this.isWriting) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(late);
        this.flushing.delete(end);
        resolve();
      };
      const late = setTimeout(end, milliseconds);
      this.flushing.add(end);
    });
  }

  private drop(lines: number): void {
    this.drops += lines;
    this.unreportedDrops += lines;
  }

  private takeWaiting(): Buffer {
    let count = 0;
    for (let bytes = 0; count < this.waiting.length && bytes < WRITE_BYTES; count++) {
      bytes += this.waiting[count]?.length ?? 0;
    }
    const taken = Buffer.from(this.waiting.splice(0, count).join(""));
    this.waitingBytes -= taken.length;
    return taken;
  }

  private writeNext(): void {
    if (this.current.length === 0) this.current = this.takeWaiting();
    if (this.current.length === 0) {
      this.endFlushes();
      return;
    }
    this.isWriting = true;
    this.sink.write(this.current, (writtenBytes, error) => {
      this.isWriting = false;
      this.current = this.current.subarray(writtenBytes);
      if (error) this.failed(error);
      else this.succeeded();
    });
  }

  private succeeded(): void {
    if (this.unreportedDrops > 0) {
      const line = this.report(this.unreportedDrops);
      this.unreportedDrops = 0;
      this.waiting.push(line);
      this.waitingBytes += Buffer.byteLength(line);
    }
    this.writeNext();
  }

  private failed(error: NodeJS.ErrnoException): void {
    if (TEMPORARY_ERRORS.has(error.code ?? "")) {
      this.retry = setTimeout(() => {
        this.retry = undefined;
        this.writeNext();
      }, RETRY_MILLISECONDS);
      this.retry.unref();
    } else {
      this.drop(linesIn(this.current) + this.waiting.reduce((sum, text) => sum + linesIn(Buffer.from(text)), 0));
      this.current = NOTHING;
      this.waiting = [];
      this.waitingBytes = 0;
    }
    this.endFlushes();
  }

  private endFlushes(): void {
    for (const end of [...this.flushing]) end();
  }
}
