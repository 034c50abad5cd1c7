// Reads a socket one chunk at a time: nothing is read before the next chunk is requested, so that TCP applies back-pressure.
import type { Socket } from "node:net";

/** `ended`: the client sends nothing more, or nothing more is to be read. */
export type Chunk = Buffer | "ended";

export class ChunkReader {
  private readonly waiting: Buffer[] = [];
  private hasEnded = false;
  private isDiscarding = false;
  private notify: (() => void) | undefined;

  /** @param socket  from which nothing was read */
  constructor(private readonly socket: Socket) {
    socket.pause();
    socket.on("data", (bytes) => {
      if (this.isDiscarding) return;
      socket.pause();
      this.waiting.push(bytes);
      this.notify?.();
    });
    socket.once("end", () => this.stop());
    socket.once("close", () => this.stop());
  }

  /** One call at a time. @param idleMilliseconds  longest wait; undefined for none */
  async next(idleMilliseconds?: number): Promise<Chunk | "idle"> {
    if (this.waiting.length === 0 && !this.hasEnded) await this.arrival(idleMilliseconds);
    return this.waiting.shift() ?? (this.hasEnded ? "ended" : "idle");
  }

  /** Chunks that have arrived are still handed over. */
  stop(): void {
    this.hasEnded = true;
    this.notify?.();
  }

  /** Reads the rest of the stream and drops it. */
  discard(): void {
    this.isDiscarding = true;
    this.waiting.length = 0;
    this.socket.resume();
  }

  private async arrival(idleMilliseconds: number | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.notify = resolve;
      const expire = () => resolve();
      if (idleMilliseconds !== undefined) timer = setTimeout(expire, idleMilliseconds).unref();
      this.socket.resume();
    });
    clearTimeout(timer);
    this.notify = undefined;
    this.socket.pause();
  }
}
