// Waiting for news or for some time, whichever comes first. Plain timers: a signal made by AbortSignal.any of a
// AbortSignal.timeout can be collected in Node 20 before it fires, and whoever waits for it then waits for ever.
export class Waker {
  private readonly waiting = new Set<() => void>();

  /** Everybody who waits goes on. */
  wake(): void {
    for (const resolve of [...this.waiting]) resolve();
  }

  /** Returns when somebody wakes, `milliseconds` have passed, or `signal` is aborted. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
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
