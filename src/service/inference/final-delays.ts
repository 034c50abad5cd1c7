// Recent delays of live finals, which limit the number of live sessions.

/** Window of the delay measurement that limits the number of sessions. */
const DELAY_WINDOW_MILLISECONDS = 10_000;
/** Quantile of the delays of live finals that is reported. */
const DELAY_QUANTILE = 0.9;

export class FinalDelays {
  /** Completion times and delays, milliseconds. */
  private finals: { at: number; delayMilliseconds: number }[] = [];

  add(delayMilliseconds: number): void {
    this.finals.push({ at: performance.now(), delayMilliseconds });
  }

  /** DELAY_QUANTILE of the recent delays, seconds; 0 without any. */
  get high(): number {
    const since = performance.now() - DELAY_WINDOW_MILLISECONDS;
    this.finals = this.finals.filter(({ at }) => at >= since);
    const delays = this.finals.map(({ delayMilliseconds }) => delayMilliseconds).sort((left, right) => left - right);
    return (delays[Math.floor(delays.length * DELAY_QUANTILE)] ?? 0) / 1000;
  }
}
