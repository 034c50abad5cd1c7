// Which errors of the inference processes pass by themselves, for `retry`.
import { type ErrorCode, ParlanceError } from "../../platform/errors.ts";

const CRASHES = new Set<ErrorCode>(["process.died", "process.timeout"]);

/**
 * `pauseAfter` of `retry`: repeats a request while the queue is full, and after a crash or time-out of its process.
 * @param mostCrashes  number of crashes after which the request fails
 */
export function pauseAfterTransient(pauseMilliseconds: number, mostCrashes: number) {
  let crashes = 0;
  return (error: unknown): number | undefined => {
    if (!(error instanceof ParlanceError) || !error.retryable) return undefined;
    return CRASHES.has(error.code) && ++crashes >= mostCrashes ? undefined : pauseMilliseconds;
  };
}
