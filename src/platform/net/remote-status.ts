// Maps the HTTP status of a fetched address to an error: one for each cause that a user can remedy.
import { errors, type ParlanceError } from "../errors.ts";

const PASSING = new Set([408, 425]);

/** @returns seconds in a Retry-After header, which contains a number or a date */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/**
 * @param status      outside of 200 to 299, and no redirect
 * @param retryAfter  header of the same answer
 * @returns retryable for 408, 425, 429 and 5xx
 */
export function statusError(status: number, retryAfter: string | undefined, now: Date): ParlanceError {
  const pause = retryAfterSeconds(retryAfter, now);
  switch (status) {
    case 401:
      return errors.remoteUnauthorized();
    case 403:
      return errors.remoteForbidden();
    case 404:
      return errors.remoteNotFound();
    case 410:
      return errors.remoteGone();
    case 429:
      return errors.remoteRateLimited(pause);
    default:
      if (status >= 500 || PASSING.has(status))
        return errors.remoteFailed(`its host answered ${status}`, undefined, { retryAfterSeconds: pause });
      return errors.remoteFailed(`its host answered ${status}`, undefined, { isPassing: false });
  }
}
