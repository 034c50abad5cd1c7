// Runs work that waits, for instance in a list, one run at a time. Work that is added after a run found nothing more, but before the run has
// ended, would otherwise wait until something else is added.

export class OneRun {
  private running: Promise<void> | undefined;

  /**
   * @param isDue  whether work waits that may be done
   * @param run    does the work that waits; it must not fail, and leaves no due work behind that was there at its beginning
   */
  constructor(
    private readonly isDue: () => boolean,
    private readonly run: () => Promise<void>,
  ) {}

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** Call it after work was added. */
  start(): void {
    if (!this.isDue()) return;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
      this.start();
    });
  }

  /** Resolves when nothing is due. */
  async settled(): Promise<void> {
    this.start();
    while (this.running) await this.running;
  }
}
