// Temporary files of the service and its child processes, inside the data folder: nothing is written outside of it.
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";

/** Absolute path of the folder; it may not exist yet. */
export const temporaryFolder = (dataDirectory: string): string => path.resolve(dataDirectory, "tmp");

/**
 * Makes the folder, and removes what a crash left in it. The caller holds the lock on the data folder.
 * @returns the folder
 */
export async function emptyTemporaryFolder(dataDirectory: string): Promise<string> {
  const folder = temporaryFolder(dataDirectory);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}
