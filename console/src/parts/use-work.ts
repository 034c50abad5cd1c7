// Work that a button or a form begins once: a double click, or Enter while it runs, does not begin it again.
import { type ReadonlySignal, useSignal } from "@preact/signals";

export interface Work {
  isRunning: ReadonlySignal<boolean>;
  /** Does nothing while other work runs. */
  run(work: () => Promise<unknown>): Promise<void>;
}

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
