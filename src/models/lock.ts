// One process at a time makes a model. A lock is a file with its owner's process id; one whose owner is gone is taken over.
import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { isAlive } from "../storage/directory-lock.ts";

const POLL_MILLISECONDS = 500;

async function ownerOf(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined);
}

/** Takes a lock away whose owner is gone. Two processes may try at the same time: neither may take the other's new one. */
async function takeAway(file: string, owner: string): Promise<void> {
  const aside = `${file}-${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  if ((await ownerOf(aside)) !== owner) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

/**
 * Waits until this process has the lock.
 * @param onWait  told once when somebody else has it
 * @returns what frees it
 */
export async function lockFile(
  file: string,
  signal: AbortSignal | undefined,
  onWait: () => void,
): Promise<() => Promise<void>> {
  const own = `${process.pid}:${randomUUID()}`;
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    try {
      await writeFile(file, own, { flag: "wx" });
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const owner = await ownerOf(file);
    if (owner === undefined) continue;
    const processId = Number(owner.split(":")[0]);
    // An empty file is being written this moment.
    if (owner !== "" && (!Number.isInteger(processId) || !isAlive(processId))) {
      await takeAway(file, owner);
      continue;
    }
    if (attempt === 0) onWait();
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
}
