// The body of a request as parts of bounded size. A body that is cut off, or that a newer request replaces, ends as one that is complete:
// what was received until then is stored.
import type { Hash } from "node:crypto";
import type { Readable } from "node:stream";
import { Interruption } from "../../platform/process/interruption.ts";

export class UploadBody {
  /** Why the body ended too early. */
  failure: unknown;
  private readonly iterator: AsyncIterator<Buffer>;
  private readonly stopped = new Interruption();
  /** Received, and not part of the last part. */
  private rest: Buffer | undefined;
  private isOver = false;

  /**
   * @param stop  ends the body
   * @param hash  receives every byte that is given out
   */
  constructor(
    body: Readable,
    private readonly stop: AbortSignal,
    private readonly hash?: Hash,
  ) {
    this.iterator = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    stop.addEventListener("abort", () => this.stopped.occur(), { once: true });
  }

  /** Whether there is a further byte. Waits for it. */
  async hasMore(): Promise<boolean> {
    this.rest ??= await this.next();
    return this.rest !== undefined;
  }

  /** The next bytes, at most so many. */
  async *part(mostBytes: number): AsyncGenerator<Buffer> {
    for (let left = mostBytes; left > 0 && (await this.hasMore()); ) {
      const chunk = this.rest as Buffer;
      const taken = chunk.subarray(0, left);
      this.rest = chunk.length > left ? chunk.subarray(left) : undefined;
      left -= taken.length;
      this.hash?.update(taken);
      yield taken;
    }
  }

  private async next(): Promise<Buffer | undefined> {
    while (!this.isOver && !this.stop.aborted) {
      try {
        const found = await this.stopped.during(this.iterator.next());
        if (found === undefined || found.done) break;
        if (found.value.length > 0) return found.value;
      } catch (error) {
        this.failure = error;
        break;
      }
    }
    this.isOver = true;
    return undefined;
  }
}
