// A time limit that does not run while its work waits behind others' work.

export class Stopwatch {
  private timer: NodeJS.Timeout | undefined;
  private startedAt = 0;
  /** Waits under way: parts of the work may wait side by side. */
  private waits = 0;
  private isOver = false;

  /**
   * @param outer   of the work that this is a part of: it stands still, too
   * @param expire  called when the time has passed
   */
  constructor(
    private leftMilliseconds: number,
    private readonly outer: Stopwatch | undefined,
    private readonly expire: () => void,
  ) {
    this.run();
  }

  stop(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  async standingStill<Result>(wait: Promise<Result>): Promise<Result> {
    if (this.outer) return this.outer.standingStill(this.alone(wait));
    return this.alone(wait);
  }

  private async alone<Result>(wait: Promise<Result>): Promise<Result> {
    if (this.waits++ === 0) {
      clearTimeout(this.timer);
      this.leftMilliseconds -= performance.now() - this.startedAt;
    }
    try {
      return await wait;
    } finally {
      if (--this.waits === 0 && !this.isOver) this.run();
    }
  }

  private run(): void {
    this.startedAt = performance.now();
    this.timer = setTimeout(this.expire, this.leftMilliseconds);
  }
}
