// Waits for a notification or for a time-out, whichever comes first. Plain timers: a signal made by AbortSignal.any of a
// AbortSignal.timeout can be garbage-collected in Node 20 before it fires, and its listeners are then never called.
export class Waker {
  private readonly waiting = new Set<() => void>();

  /** Resolves all waits. */
  wake(): void {
    for (const resolve of [...this.waiting]) resolve();
  }

  /** Resolves at the next `wake`, after `milliseconds`, or when `signal` is aborted. */
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
