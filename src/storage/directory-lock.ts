// One process per data folder: two embedded databases on the same files would destroy each other's work.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { ParlanceError } from "../errors.ts";

export function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId) || processId === process.pid) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Takes the folder for this process. A lock whose process is gone is taken over.
 * @returns gives the folder free
 * @throws storage.folder_in_use
 */
export async function lockDirectory(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, "parlance.lock");
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await writeFile(file, String(process.pid), { flag: "wx" });
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const owner = Number(await readFile(file, "utf8").catch(() => ""));
      if (isAlive(owner)) {
        throw new ParlanceError(
          `The data folder ${folder} is in use by process ${owner}. Stop that one, or set PARLANCE_DATA_DIR to another folder.`,
          { code: "storage.folder_in_use", status: 500 },
        );
      }
      await rm(file, { force: true });
    }
  }
  throw new ParlanceError(`The data folder ${folder} is being taken by another process`, {
    code: "storage.folder_in_use",
    status: 500,
  });
}
