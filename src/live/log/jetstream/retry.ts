// NATS servers that have just started or lost a member need time to elect a leader.

const PAUSE_MILLISECONDS = 300;

/**
 * Retries for `milliseconds`, then makes a last attempt.
 * @param isFinal  whether an error is permanent
 */
export async function retryFor<Made>(
  milliseconds: number,
  attempt: (isLastTry: boolean) => Promise<Made>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<Made> {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const isLastTry = performance.now() > deadline;
    try {
      return await attempt(isLastTry);
    } catch (error) {
      if (isLastTry || isFinal(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
    }
  }
}
