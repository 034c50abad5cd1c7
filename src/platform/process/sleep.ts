// The only timer that code awaits. Bounded waits for other events: waker.ts, within.ts.
import { setTimeout as timer } from "node:timers/promises";

/** Resolves after `milliseconds`, or as soon as `signal` is aborted. Never rejects; the caller checks the signal. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await timer(milliseconds, undefined, signal ? { signal } : {}).catch(() => undefined);
}

/** Resolves when the event loop has run the other work that waits. */
export const eventLoopTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
