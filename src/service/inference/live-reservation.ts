/** How long a process stays reserved after live work. */
const RESERVED_MILLISECONDS = 3_000;

/** The time after live work in which more of it is likely. */
export class LiveReservation {
  private until = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param onEnd  called when no live work has come for long enough */
  constructor(private readonly onEnd: () => void) {}

  get isActive(): boolean {
    return performance.now() < this.until;
  }

  /** Live work has come. */
  begin(): void {
    this.until = performance.now() + RESERVED_MILLISECONDS;
    if (!this.timer) this.wait(RESERVED_MILLISECONDS);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** One timer serves many tasks: if one has come in the meantime, the timer is set again. */
  private wait(milliseconds: number): void {
    this.timer = setTimeout(() => {
      this.timer = undefined;
      const rest = this.until - performance.now();
      if (rest > 0) this.wait(rest);
      else this.onEnd();
    }, milliseconds + 1);
    this.timer.unref();
  }
}
