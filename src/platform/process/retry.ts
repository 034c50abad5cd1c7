// Repeats an attempt after a pause. Loops that change something between two attempts, such as the host or the batch, are written where that happens.
// docs/architecture-states.md lists the retries with their bounds.
import { sleep } from "./sleep.ts";

export interface RetryOptions {
  /**
   * Called with the error of an attempt and the number of attempts so far.
   * @returns the pause before the next attempt in milliseconds; undefined ends the retries with this error
   */
  pauseAfter(error: unknown, attempts: number): number | undefined;
  /** Once it is aborted, the next error ends the retries, and a pause ends at once. */
  signal?: AbortSignal | undefined;
  /** Called before each pause. If it rejects, the retries end with its error. */
  onFailed?: (error: unknown, attempts: number, pauseMilliseconds: number) => unknown;
}

/**
 * Runs an attempt until it succeeds. It may run several times, so it must leave nothing behind when it fails.
 * @param attempt  receives its number, starting at 1
 * @throws the error of the last attempt; the reason of the signal if it is aborted during a pause
 */
export async function retry<Result>(
  attempt: (number: number) => Promise<Result>,
  { pauseAfter, signal, onFailed }: RetryOptions,
): Promise<Result> {
  for (let number = 1; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      const pauseMilliseconds = signal?.aborted ? undefined : pauseAfter(error, number);
      if (pauseMilliseconds === undefined) throw error;
      await onFailed?.(error, number, pauseMilliseconds);
      await sleep(pauseMilliseconds, signal);
      signal?.throwIfAborted();
    }
  }
}

/** Pauses that grow by a factor of two. @param mostAttempts  the first one included @returns undefined after the last one */
export function doubling(firstMilliseconds: number, mostAttempts: number) {
  return (attempts: number): number | undefined =>
    attempts >= mostAttempts ? undefined : firstMilliseconds * 2 ** (attempts - 1);
}
