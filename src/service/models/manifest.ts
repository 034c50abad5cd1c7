// Description of an installed model: one file in its folder, written last.
import path from "node:path";
import { readPlainFile } from "../../platform/storage/plain-file.ts";
import { unlessShort } from "../../platform/system-shortage.ts";
import type { Model } from "../../speech/engines/engine.ts";

export const MANIFEST = "model.json";
/** Raised when engines prepare models in another way: models of an older form have to be added again. */
export const MANIFEST_FORMAT = 2;

export interface InstalledFile {
  name: string;
  bytes: number;
  /** In hexadecimal digits. */
  sha256: string;
}

export interface Manifest extends Omit<Model, "folder"> {
  format: number;
  /** What it was made from, as `models add` takes it: an id of the catalogue, hf:OWNER/NAME, or a folder. */
  source: string;
  /** Commit of the repository, where it came from a hub. */
  revision?: string;
  files: InstalledFile[];
  installedAt: string;
}

const areStrings = (...values: unknown[]) => values.every((value) => typeof value === "string");
const areFiles = (files: unknown) =>
  Array.isArray(files) && files.every((file) => areStrings(file?.name, file?.sha256) && Number.isFinite(file?.bytes));

/** A damaged manifest is still JSON where the damage is inside of a word. */
function isManifest(found: Manifest | null): found is Manifest {
  if (typeof found !== "object" || found === null) return false;
  const { id, engine, languages, capabilities, source, files } = found;
  if (!areStrings(id, source) || !areFiles(files)) return false;
  // One of another form is reported, not used.
  if (isOfOtherForm(found)) return true;
  return (
    areStrings(engine) &&
    Array.isArray(languages) &&
    areStrings(...languages) &&
    typeof capabilities === "object" &&
    capabilities !== null
  );
}

/** @returns undefined if there is no complete model; one with another format cannot be used */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    const manifest = JSON.parse(await readPlainFile(path.join(folder, MANIFEST))) as Manifest;
    return isManifest(manifest) ? manifest : undefined;
  } catch (thrown) {
    return unlessShort(undefined)(thrown);
  }
}

export const isOfOtherForm = ({ format }: Manifest): boolean => format !== MANIFEST_FORMAT;

export const bytesOf = ({ files }: Pick<Manifest, "files">): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
