// Group commit: all requests that arrive while a sync runs share the next sync.

export class SharedSync {
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  /** @param sync  writes through to the disk what was written before it was called */
  constructor(private readonly sync: () => Promise<void>) {}

  /**
   * Resolves when everything written before this call is on disk: after the sync in flight, which may have begun too early, and one
   * more at most.
   * @throws what the sync throws; each caller that shared it gets the error
   */
  request(): Promise<void> {
    if (!this.running) return this.start();
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        return this.start();
      });
    return this.next;
  }

  private start(): Promise<void> {
    const running = this.sync().finally(() => {
      if (this.running === running) this.running = undefined;
    });
    this.running = running;
    return running;
  }
}
