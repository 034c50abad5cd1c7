// The manifest of a backup. It is written last: a folder without it is not a complete backup.
import { readFile } from "node:fs/promises";
import path from "node:path";

export const FORMAT = 1;
const MANIFEST = "backup.json";

export interface Manifest {
  format: number;
  version: string;
  /** ISO 8601. */
  at: string;
  jobs: number;
  recordings: number;
  /** Rows whose object was not in the service either. */
  missing: number;
  /** False where the objects are in a bucket. */
  hasObjects: boolean;
}

export const manifestFile = (folder: string) => path.join(folder, MANIFEST);

/** @returns undefined where there is no manifest, or it cannot be read */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    const found = JSON.parse(await readFile(manifestFile(folder), "utf8")) as Manifest;
    return Number.isInteger(found.format) ? found : undefined;
  } catch {
    return undefined;
  }
}
