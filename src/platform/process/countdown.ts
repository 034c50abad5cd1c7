// A timer that does not count the time in which this process did not run: a stopped process, a frozen virtual machine.
// After such a stall, what the process has received meanwhile is still unread, so no timer may expire at once.

const SLICE_MILLISECONDS = 1_000;
/** A slice that ends this much later than planned is a stall of the process. */
const STALL_MILLISECONDS = 2_000;
/** Least time that remains after a stall: enough to read what has arrived, and for a client to reconnect. */
const AFTER_STALL_MILLISECONDS = 5_000;
/** More stalls are an overload that lasts: the countdown then ends at its time. */
const MOST_STALLS = 3;

export class Countdown {
  private timer: NodeJS.Timeout | undefined;
  /** At the start of the current slice. */
  private remaining: number;
  private slice = 0;
  private due = 0;
  private stalls = 0;
  private isRunning = true;

  /** @param expired  called at the end of each run that is not stopped */
  constructor(
    private readonly milliseconds: number,
    private readonly expired: () => void,
  ) {
    this.remaining = milliseconds;
    this.run();
  }

  stop(): void {
    this.isRunning = false;
    clearTimeout(this.timer);
  }

  /** Begins again, also after it was stopped or has expired. While it runs, it allocates nothing: it is called for every frame of a client. */
  restart(): void {
    this.stalls = 0;
    if (!this.isRunning) {
      this.isRunning = true;
      this.remaining = this.milliseconds;
      this.run();
      return;
    }
    const left = Math.min(this.slice, Math.max(0, this.due - performance.now()));
    this.remaining = this.milliseconds + this.slice - left;
  }

  private run(): void {
    // Also with no time left: the constructor must not call `expired`, because its caller has no Countdown yet.
    this.slice = Math.min(this.remaining, SLICE_MILLISECONDS);
    this.due = performance.now() + this.slice;
    this.timer = setTimeout(() => this.end(), this.slice).unref();
  }

  private end(): void {
    const isStall = performance.now() - this.due > STALL_MILLISECONDS && ++this.stalls <= MOST_STALLS;
    const least = isStall ? Math.min(this.milliseconds, AFTER_STALL_MILLISECONDS) : 0;
    this.remaining = Math.max(this.remaining - this.slice, least);
    if (this.remaining > 0) {
      this.run();
      return;
    }
    this.isRunning = false;
    this.expired();
  }
}
