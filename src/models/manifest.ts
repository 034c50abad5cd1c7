// What the store knows of an installed model: one file in its folder, written last.
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Model } from "../engines/engine.ts";

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

/** @returns undefined where there is no whole model; one of another form cannot be used */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    const manifest = JSON.parse(await readFile(path.join(folder, MANIFEST), "utf8")) as Manifest;
    return Array.isArray(manifest.files) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

export const isOfOtherForm = ({ format }: Manifest): boolean => format !== MANIFEST_FORMAT;

export const bytesOf = ({ files }: Pick<Manifest, "files">): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
