// Delays wake-ups that many processes receive at the same moment. Each process waits a random time, so that they do not compete for the same
// rows. The rate of wake-ups is limited.

const SPREAD_MILLISECONDS = 100;
/** Wake-ups at once after a quiet time, and in a second after them. */
const BURST = 4;
const PER_SECOND = 2;

export class SpreadWakes {
  private timer: NodeJS.Timeout | undefined;
  private tokens = BURST;
  private filledAt = performance.now();

  constructor(private readonly wake: () => void) {}

  /** Schedules a wake-up, unless one is pending. */
  notice(): void {
    if (this.timer) return;
    const now = performance.now();
    this.tokens = Math.min(BURST, this.tokens + ((now - this.filledAt) / 1000) * PER_SECOND);
    this.filledAt = now;
    const missing = Math.max(0, 1 - this.tokens);
    this.tokens--;
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        this.wake();
      },
      (missing / PER_SECOND) * 1000 + Math.random() * SPREAD_MILLISECONDS,
    );
    this.timer.unref();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
