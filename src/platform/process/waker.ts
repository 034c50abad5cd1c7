// Waits for a notification or for a time-out, whichever comes first. Plain timers: a signal made by AbortSignal.any of a
// AbortSignal.timeout can be garbage-collected in Node 20 before it fires, and its listeners are then never called.
export class Waker {
  private readonly waiting = new Set<() => void>();
  private wakes = 0;

  /** Number of wake-ups so far. Read it before looking for work: a wake-up between the look and the wait is then not lost. */
  get count(): number {
    return this.wakes;
  }

  /** Resolves all waits. */
  wake(): void {
    this.wakes++;
    for (const resolve of [...this.waiting]) resolve();
  }

  /**
   * Resolves at the next `wake`, after `milliseconds`, or when `signal` is aborted.
   * @param since  `count` of an earlier moment: resolves at once if there was a wake-up after it
   */
  async wait(milliseconds: number, signal: AbortSignal, since = this.wakes): Promise<void> {
    if (signal.aborted || since !== this.wakes) return;
    await new Promise<void>((resolve) => {
      const goOn = () => {
        clearTimeout(timer);
        this.waiting.delete(goOn);
        signal.removeEventListener("abort", goOn);
        resolve();
      };
      const timer = setTimeout(goOn, milliseconds);
      this.waiting.add(goOn);
      signal.addEventListener("abort", goOn);
    });
  }
}
