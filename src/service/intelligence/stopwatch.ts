// A time limit that is paused while its work is queued behind other work.

export class Stopwatch {
  private timer: NodeJS.Timeout | undefined;
  private startedAt = 0;
  /** Number of current waits: parts of the work may wait concurrently. */
  private waits = 0;
  private isOver = false;

  /**
   * @param outer   stopwatch of the enclosing work, which is paused as well
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

  async pausedDuring<Result>(wait: Promise<Result>): Promise<Result> {
    if (this.outer) return this.outer.pausedDuring(this.alone(wait));
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
