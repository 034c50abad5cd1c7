// When a delivery that failed is tried again.
export interface Schedule {
  /** Pause before the second try, seconds; each later one is four times as long. */
  firstRetrySeconds: number;
  /** From the first try to the last. */
  spanSeconds: number;
}

const GROWTH = 4;
/** Retries are spread over plus and minus this share: receivers that come back are not hit by all at once. */
const JITTER = 0.25;
/** Even late in a long span a receiver that comes back is not left waiting for longer. */
const LONGEST_PAUSE_SECONDS = 12 * 3600;

export interface FailedTry {
  now: Date;
  /** When the first try of this round was due. */
  roundBegan: Date;
  /** Tries of this round, this one included. */
  tries: number;
  /** What the receiver asked for. */
  retryAfterSeconds?: number;
  /** 0 to 1. */
  random: number;
}

/** @returns when to try again; undefined when the delivery is given up */
export function nextTry(schedule: Schedule, failed: FailedTry): Date | undefined {
  const end = failed.roundBegan.getTime() + schedule.spanSeconds * 1000;
  const now = failed.now.getTime();
  if (now >= end) return undefined;
  const growing = Math.min(LONGEST_PAUSE_SECONDS, schedule.firstRetrySeconds * GROWTH ** (failed.tries - 1));
  const spread = growing * (1 + JITTER * (2 * failed.random - 1));
  const pause = Math.max(spread, failed.retryAfterSeconds ?? 0);
  return new Date(Math.min(end, now + pause * 1000));
}

/** Seconds that a Retry-After header asks for; it holds a number or a date. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
