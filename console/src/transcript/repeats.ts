// Waits between the attempts to store a change while the service does not answer.

export class Repeats {
  private readonly waiting = new Set<() => void>();
  private isEnding = false;

  /** @returns after a time, true; false at once if the page is being left */
  async wait(milliseconds: number): Promise<boolean> {
    if (this.isEnding) return false;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      this.waiting.add(end);
    });
    return true;
  }

  /** While `work` runs, each waiting change has one more attempt, which begins at once. */
  async ending(work: () => Promise<void>): Promise<void> {
    this.isEnding = true;
    for (const end of [...this.waiting]) end();
    await work().finally(() => {
      this.isEnding = false;
    });
  }
}
