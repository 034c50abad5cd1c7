// Loads that do not overtake each other: the answer to an earlier request never replaces that to a later one.

/** @returns begins a run of `work` after those before it; calls that wait for the same turn share one run, and its error */
export function runsInTurn(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        running = work();
        return running;
      });
    return next;
  };
}
