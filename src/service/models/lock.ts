// One process at a time makes a model: a kernel lock on a file of the models folder, which several services may share.

import { sleep } from "../../platform/process/sleep.ts";
import { tryKernelLock } from "../../platform/storage/kernel-lock.ts";

const POLL_MILLISECONDS = 500;

/**
 * Waits until this process has the lock.
 * @param onWait  called once when another process has it
 * @returns releases it
 */
export async function lockFile(
  file: string,
  signal: AbortSignal | undefined,
  onWait: () => void,
): Promise<() => Promise<void>> {
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    const lock = await tryKernelLock(file);
    if (lock) return () => lock.releaseAndRemove();
    if (attempt === 0) onWait();
    await sleep(POLL_MILLISECONDS, signal);
  }
}
