// NATS servers that have just started or lost a member need time to elect a leader.

import { retry } from "../../../../platform/process/retry.ts";

const PAUSE_MILLISECONDS = 300;

/**
 * Retries for `milliseconds`, then makes a last attempt.
 * @param isFinal  whether an error is permanent
 */
export function retryFor<Made>(
  milliseconds: number,
  attempt: (isLastTry: boolean) => Promise<Made>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<Made> {
  const deadline = performance.now() + milliseconds;
  let isLastTry = false;
  const once = () => {
    isLastTry = performance.now() > deadline;
    return attempt(isLastTry);
  };
  return retry(once, { pauseAfter: (error) => (isLastTry || isFinal(error) ? undefined : PAUSE_MILLISECONDS) });
}
