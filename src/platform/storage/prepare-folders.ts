// Folders that must be folders: whatever else is in their place is moved to the quarantine before anything is written to them.
import { lstat } from "node:fs/promises";
import path from "node:path";
import type { Quarantine } from "./quarantine.ts";

const FOLDERS = ["objects", "objects/audio", "objects/jobs", "objects/live", "objects/peaks", "objects/results", "tmp"];

export async function prepareFolders(dataDirectory: string, quarantine: Quarantine): Promise<void> {
  for (const name of FOLDERS) {
    const folder = path.join(dataDirectory, name);
    const found = await lstat(folder).catch(() => undefined);
    // A link to a folder on another disk is one, too.
    if (found?.isFile()) await quarantine.move(folder, "a file was in the place of a folder");
  }
}
