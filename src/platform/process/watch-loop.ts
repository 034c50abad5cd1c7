// Polls for work at an interval, and at once after `wake`.
import { Waker } from "./waker.ts";

export interface WatchOptions {
  pauseMilliseconds: number;
  /** Finds work and does it. @returns whether there is more to do at once */
  look(signal: AbortSignal): Promise<boolean>;
  onFailed(error: unknown): void;
}

export class WatchLoop {
  private readonly news = new Waker();
  private readonly stopping = new AbortController();
  private loop: Promise<void> | undefined;

  constructor(private readonly options: WatchOptions) {}

  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  start(): void {
    this.loop = this.run();
  }

  wake(): void {
    this.news.wake();
  }

  /** Resolves when running work has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  private async run(): Promise<void> {
    const { pauseMilliseconds, look, onFailed } = this.options;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      let hasMore = false;
      const seen = this.news.count;
      try {
        hasMore = await look(signal);
      } catch (error) {
        if (!signal.aborted) onFailed(error);
      }
      if (!hasMore) await this.news.wait(pauseMilliseconds, signal, seen);
    }
  }
}
