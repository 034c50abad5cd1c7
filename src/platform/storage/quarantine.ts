// Entries of the data folder that cannot be used, or that no row of the database names: moved aside with the reason. They are deleted
// with the job or file that they belong to, and never otherwise. `parlance doctor` lists them, docs/operating.md says what to do with them.
import { randomUUID } from "node:crypto";
import { cp, lstat, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import { readPlainFile } from "./plain-file.ts";

/** Where the folder's name is taken by something else, the next one is used. */
const FOLDER_NAMES = ["quarantine", "quarantine-2", "quarantine-3"] as const;
const REASON_FILE = "reason.json";

export interface QuarantinedEntry {
  /** Folder that holds the entry and its reason. */
  folder: string;
  /** Where it was, relative to the data folder; "" where the reason cannot be read. */
  from: string;
  reason: string;
  /** ISO 8601; "" where the reason cannot be read. */
  at: string;
  bytes: number;
}

/** @returns bytes of a file, or of everything in a folder; what cannot be read counts nothing */
export async function bytesBelow(file: string): Promise<number> {
  const found = await lstat(file).catch(() => undefined);
  if (!found?.isDirectory()) return found?.size ?? 0;
  let bytes = 0;
  for (const name of await readdir(file).catch(() => [])) bytes += await bytesBelow(path.join(file, name));
  return bytes;
}

/** `rename` works within one file system only. */
async function moveEntry(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    await cp(from, to, { recursive: true, errorOnExist: true });
    await rm(from, { recursive: true });
  }
}

export class Quarantine {
  /** Where each entry was, by its folder. Read once: this process alone adds entries. */
  private places: Promise<Map<string, string>> | undefined;

  /** @param dataDirectory  the quarantine is a folder in it */
  constructor(
    private readonly dataDirectory: string,
    private readonly logger?: Logger,
  ) {}

  /**
   * Moves a file or folder into the quarantine. Never throws: what cannot be moved stays where it is.
   * @param reason  a clause that says what is wrong with it
   * @returns where it is now; undefined where it could not be moved or was not there
   */
  async move(file: string, reason: string): Promise<string | undefined> {
    const from = path.relative(this.dataDirectory, file);
    try {
      if (!(await lstat(file).catch(() => undefined))) return undefined;
      const folder = await this.newFolder();
      const at = new Date().toISOString();
      const note = JSON.stringify({ from, reason, at, bytes: await bytesBelow(file) });
      // The entry is moved all the same where the disk has no room for the reason.
      await writeFile(path.join(folder, REASON_FILE), note).catch(() => undefined);
      const to = path.join(folder, path.basename(file));
      await moveEntry(file, to);
      (await this.places)?.set(folder, from);
      this.logger?.warn({ from, to: path.relative(this.dataDirectory, to), reason }, "moved to the quarantine");
      return to;
    } catch (error) {
      this.logger?.error({ err: error, from, reason }, "could not be moved to the quarantine");
      return undefined;
    }
  }

  async isEmpty(): Promise<boolean> {
    return (await this.readPlaces()).size === 0;
  }

  /**
   * Removes the entries that were objects with these keys, or lay in folders with these names, because the data was deleted.
   * @throws errors of the file system
   */
  async removeCopies(keys: readonly string[]): Promise<void> {
    const places = await this.readPlaces();
    for (const [folder, from] of places) {
      const place = `/${from.split(path.sep).join("/")}/`;
      if (!keys.some((key) => place.includes(`/${key}/`))) continue;
      await rm(folder, { recursive: true, force: true });
      places.delete(folder);
      this.logger?.info({ from }, "an entry of the quarantine was removed: its data was deleted");
    }
  }

  private readPlaces(): Promise<Map<string, string>> {
    this.places ??= this.list().then((entries) => new Map(entries.map(({ folder, from }) => [folder, from])));
    return this.places;
  }

  /** What is in the quarantine, oldest first. */
  async list(): Promise<QuarantinedEntry[]> {
    const entries: QuarantinedEntry[] = [];
    for (const name of FOLDER_NAMES) {
      const parent = path.join(this.dataDirectory, name);
      for (const one of (await readdir(parent).catch(() => [])).sort()) {
        const folder = path.join(parent, one);
        const names = await readdir(folder).catch(() => undefined);
        const kept = names?.filter((file) => file !== REASON_FILE) ?? [];
        // A move that was interrupted leaves a reason alone.
        if (names && kept.length === 0) continue;
        entries.push({ folder, ...(await this.reasonOf(folder)) });
      }
    }
    return entries;
  }

  private async reasonOf(folder: string): Promise<Omit<QuarantinedEntry, "folder">> {
    try {
      const { from, reason, at, bytes } = JSON.parse(await readPlainFile(path.join(folder, REASON_FILE)));
      return { from: String(from), reason: String(reason), at: String(at), bytes: Number(bytes) || 0 };
    } catch {
      return { from: "", reason: "its reason cannot be read", at: "", bytes: await bytesBelow(folder) };
    }
  }

  private async newFolder(): Promise<string> {
    const name = `${new Date().toISOString().replaceAll(":", "").slice(0, 17)}-${randomUUID().slice(0, 8)}`;
    let failure: unknown;
    for (const parent of FOLDER_NAMES) {
      const folder = path.join(this.dataDirectory, parent, name);
      try {
        await mkdir(folder, { recursive: true });
        return folder;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== "EEXIST" && code !== "ENOTDIR") throw error;
        failure = error;
      }
    }
    throw failure;
  }
}
