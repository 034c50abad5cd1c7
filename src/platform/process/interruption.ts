// An event that ends waits. `Promise.race` with a promise of the event would keep the result of each wait in memory until the event occurs.

export class Interruption {
  private readonly waits = new Set<() => void>();
  private hasOccurred = false;

  /** Ends the waits under way, and each later one at once. */
  occur(): void {
    this.hasOccurred = true;
    for (const end of this.waits) end();
    this.waits.clear();
  }

  /** @returns the result of `work`, which is not interrupted; undefined if the event occurs before */
  during<Result>(work: Promise<Result>): Promise<Result | undefined> {
    if (this.hasOccurred) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const end = () => resolve(undefined);
      this.waits.add(end);
      work.finally(() => this.waits.delete(end)).then(resolve, reject);
    });
  }
}
