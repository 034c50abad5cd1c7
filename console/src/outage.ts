// Finds out when a service that gave no answer answers again.
import { ApiError, get } from "./api.ts";
import { sleep } from "./sleep.ts";

const [FIRST_PAUSE_MILLISECONDS, MOST_PAUSE_MILLISECONDS] = [1_000, 15_000];
/** No answer, and those of a proxy in front of a service that does not answer or is starting. */
const OUTAGES = new Set([0, 502, 503, 504]);

/** @param status  of an answer; 0 if there was none */
export const isOutage = (status: number): boolean => OUTAGES.has(status);

const doesAnswer = () =>
  get("/console/session").then(
    () => true,
    (error: unknown) => error instanceof ApiError && !isOutage(error.status),
  );

/** Resolves when the service answers, at the earliest after a second. */
export async function serviceAnswers(): Promise<void> {
  let pause = FIRST_PAUSE_MILLISECONDS;
  do {
    await sleep(pause);
    pause = Math.min(2 * pause, MOST_PAUSE_MILLISECONDS);
  } while (!(await doesAnswer()));
}
