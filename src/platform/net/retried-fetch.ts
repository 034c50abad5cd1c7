// A fetch that is tried again where the failure may pass: the host was busy or broke off. Attempts and pauses are bounded.
import type { FetchAddress } from "../addresses/fetch-address.ts";
import { errors, ParlanceError } from "../errors.ts";
import { retry } from "../process/retry.ts";
import { translateNetworkError } from "./connection.ts";
import { type FetchedBody, type SafeFetchOptions, safeGet } from "./safe-fetch.ts";

export interface RetryBounds {
  /** Attempts, the first one included. */
  most: number;
  /** From the first attempt to the beginning of the last one. */
  spanSeconds: number;
}

export interface FailedAttempt {
  /** Attempts so far. */
  attempts: number;
  /** Why the last one failed. */
  failure: string;
  /** Pause before the next one. */
  pauseMilliseconds: number;
}

export interface RetriedFetchOptions extends SafeFetchOptions {
  retries: RetryBounds;
  /** Called before each pause. */
  onFailed?: (failed: FailedAttempt) => Promise<void>;
  /** Called before each attempt after the first one. */
  onAttempt?: (attempts: number) => Promise<void>;
  /** Length of the first pause; each later one is twice as long. Default: a second. */
  firstPauseMilliseconds?: number;
  /** 0 to 1. */
  random?: () => number;
}

const FIRST_PAUSE_MILLISECONDS = 1_000;
const GROWTH = 2;
/** Pauses vary by this share: jobs whose host was overloaded must not all return at once. */
const JITTER = 0.25;

/** Temporary errors: the same request may succeed later. */
const isPassing = ({ code, retryable }: ParlanceError) =>
  retryable && (code === "fetch.failed" || code === "fetch.rate_limited");

/**
 * Fetches an address and reads its body, again where that fails in a way that may pass.
 * @param read  reads the body to its end; called for each attempt, and must leave nothing of an earlier one
 * @throws as safeGet; what `read` throws
 */
export async function fetchWithRetries<Result>(
  address: FetchAddress,
  {
    retries,
    onFailed,
    onAttempt,
    firstPauseMilliseconds = FIRST_PAUSE_MILLISECONDS,
    random = Math.random,
    ...options
  }: RetriedFetchOptions,
  read: (fetched: FetchedBody) => Promise<Result>,
): Promise<Result> {
  const { signal, timeoutMilliseconds } = options;
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const attempt = async (number: number) => {
    if (number > 1) await onAttempt?.(number);
    try {
      const fetched = await safeGet(address, { ...options, timeoutMilliseconds: timeoutMilliseconds - elapsed() });
      return await read(fetched);
    } catch (thrown) {
      if (signal?.aborted) throw errors.aborted();
      throw translateNetworkError(thrown);
    }
  };
  const pauseAfter = (error: unknown, attempts: number): number | undefined => {
    if (!(error instanceof ParlanceError) || !isPassing(error)) return undefined;
    const growing = firstPauseMilliseconds * GROWTH ** (attempts - 1) * (1 + JITTER * (2 * random() - 1));
    const pauseMilliseconds = Math.max(growing, (error.retryAfterSeconds ?? 0) * 1000);
    const isOver =
      elapsed() + pauseMilliseconds > Math.min(retries.spanSeconds * 1000, timeoutMilliseconds) ||
      attempts >= retries.most;
    if (!isOver) return pauseMilliseconds;
    throw attempts === 1 && error.retryAfterSeconds === undefined ? error : errors.fetchGivenUp(error, attempts);
  };
  return retry(attempt, {
    pauseAfter,
    signal,
    onFailed: (error, attempts, pauseMilliseconds) =>
      onFailed?.({
        attempts,
        failure: (error as Error).message,
        pauseMilliseconds,
      }),
  }).catch((error: unknown) => {
    throw signal?.aborted ? errors.aborted() : error;
  });
}
