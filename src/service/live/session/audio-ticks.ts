// The times at which frames of live sessions are processed. With several sessions, frames of 20 ms wait for the next tick: each session
// then processes what has arrived in one step, and what all sessions request from another process leaves in one write.

/** A frame waits for half of this time on average, which is less than a window of voice activity detection (32 ms). */
const TICK_MILLISECONDS = 40;
/** With fewer connected clients, frames are processed as they arrive. */
const LEAST_CLIENTS = 4;

export class AudioTicks {
  private clients = 0;
  private waiting: (() => void)[] = [];

  clientConnected(): void {
    this.clients++;
  }

  clientLeft(): void {
    this.clients--;
  }

  /** Whether frames wait for the next tick. */
  get holds(): boolean {
    return this.clients >= LEAST_CLIENTS;
  }

  /** Calls `task` at the next tick. */
  next(task: () => void): void {
    if (this.waiting.length === 0) setTimeout(() => this.tick(), TICK_MILLISECONDS);
    this.waiting.push(task);
  }

  private tick(): void {
    const tasks = this.waiting;
    this.waiting = [];
    for (const task of tasks) task();
  }
}
