// Work that buttons and forms begin.
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";

export interface Work {
  isRunning: ReadonlySignal<boolean>;
  /** Does nothing while other work runs. */
  run(work: () => Promise<unknown>): Promise<void>;
}

/** For work that begins once: a double click, or Enter while it runs, does not begin it again. */
export function useWork(): Work {
  const isRunning = useSignal(false);
  return {
    isRunning,
    async run(work) {
      if (isRunning.peek()) return;
      isRunning.value = true;
      try {
        await work();
      } finally {
        isRunning.value = false;
      }
    },
  };
}

/** For changes that follow each other: each runs when those before it have ended. */
export function useChanges(): (change: () => Promise<unknown>) => Promise<void> {
  const last = useRef(Promise.resolve());
  return (change) => {
    const changed = last.current.then(change).then(() => undefined);
    last.current = changed.catch(() => undefined);
    return changed;
  };
}
