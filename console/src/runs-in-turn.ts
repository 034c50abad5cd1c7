// Asynchronous work in order: the answer to an earlier request never replaces that to a later one.

/** @returns runs tasks one after another */
export function oneAfterAnother() {
  let earlier: Promise<unknown> = Promise.resolve();
  return <Value>(task: () => Promise<Value>): Promise<Value> => {
    const own = earlier.then(task);
    earlier = own.catch(() => undefined);
    return own;
  };
}

/** @returns runs `work` after its earlier runs; calls before the next run begins share that run and its error */
export function runsInTurn(work: () => Promise<void>): () => Promise<void> {
  const inTurn = oneAfterAnother();
  let next: Promise<void> | undefined;
  return () => {
    next ??= inTurn(() => {
      next = undefined;
      return work();
    });
    return next;
  };
}
