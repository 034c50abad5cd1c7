// Servers that have just started, or lost one of theirs, take a while to agree on who leads.

const PAUSE_MILLISECONDS = 300;

/**
 * Tries until it succeeds, and once more after `milliseconds`.
 * @param isFinal  an error that no further try would change
 */
export async function patiently<Made>(
  milliseconds: number,
  make: (isLastTry: boolean) => Promise<Made>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<Made> {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const isLastTry = performance.now() > deadline;
    try {
      return await make(isLastTry);
    } catch (error) {
      if (isLastTry || isFinal(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
    }
  }
}
