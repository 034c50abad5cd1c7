// A timer that does not count the time in which this process did not run: a stopped process, a frozen virtual machine.
// After such a stall, what the process has received meanwhile is still unread, so no timer may expire at once.

const SLICE_MILLISECONDS = 1_000;
/** A slice that ends this much later than planned is a stall of the process. */
const STALL_MILLISECONDS = 2_000;
/** Least time that remains after a stall: enough to read what has arrived, and for a client to reconnect. */
const AFTER_STALL_MILLISECONDS = 5_000;

export class Countdown {
  private timer: NodeJS.Timeout | undefined;

  /** @param expired  called once, unless the countdown is stopped */
  constructor(
    private readonly milliseconds: number,
    private readonly expired: () => void,
  ) {
    this.run(milliseconds);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private run(remaining: number): void {
    if (remaining <= 0) {
      this.expired();
      return;
    }
    const slice = Math.min(remaining, SLICE_MILLISECONDS);
    const due = performance.now() + slice;
    const end = () => {
      const isStall = performance.now() - due > STALL_MILLISECONDS;
      const least = isStall ? Math.min(this.milliseconds, AFTER_STALL_MILLISECONDS) : 0;
      this.run(Math.max(remaining - slice, least));
    };
    this.timer = setTimeout(end, slice).unref();
  }
}
