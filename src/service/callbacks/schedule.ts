// Retry schedule of failed deliveries.
import { addSeconds, type DatabaseTime } from "../../platform/storage/db/database-time.ts";

export interface Schedule {
  /** Pause before the second attempt, seconds; each further one is four times as long. */
  firstRetrySeconds: number;
  /** Time from the first attempt to the last. */
  spanSeconds: number;
}

const GROWTH = 4;
/**
 * Random share added to or subtracted from each pause, so that a recovering receiver does not get all retries at once.
 */
const JITTER = 0.25;
/** Upper bound of a pause, so that a recovered receiver does not wait longer. */
const LONGEST_PAUSE_SECONDS = 12 * 3600;

export interface FailedTry {
  now: DatabaseTime;
  /** When the first attempt of this round was made. */
  roundBegan: Date;
  /** Attempts of this round, including this one. */
  tries: number;
  /** Value of the receiver's Retry-After header. */
  retryAfterSeconds?: number;
  /** 0 to 1. */
  random: number;
}

/** @returns time of the next attempt; undefined if the delivery has failed */
export function nextTry(schedule: Schedule, failed: FailedTry): DatabaseTime | undefined {
  const end = failed.roundBegan.getTime() + schedule.spanSeconds * 1000;
  const now = failed.now.getTime();
  if (now >= end) return undefined;
  const growing = Math.min(LONGEST_PAUSE_SECONDS, schedule.firstRetrySeconds * GROWTH ** (failed.tries - 1));
  const spread = growing * (1 + JITTER * (2 * failed.random - 1));
  const pause = Math.max(spread, failed.retryAfterSeconds ?? 0);
  return addSeconds(failed.now, Math.min((end - now) / 1000, pause));
}
