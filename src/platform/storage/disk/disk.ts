// Writes that survive a power cut. A file is on disk when its bytes, its name in its folder and the names of the folders above it
// were synced; one that takes another's place is synced before it is renamed, so that either the old or the new one is found.
import { type FileHandle, mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { SharedSync } from "./shared-sync.ts";

/** Folders whose syncs are shared; a folder that is not in use for long costs a map entry. */
const MOST_SHARED_FOLDERS = 64;
/** Files of a folder tree that are synced at once: as many as Node has threads for files by default. */
const SYNCED_AT_ONCE = 4;

/** @param settings.fsync  PARLANCE_FSYNC */
export const diskOf = ({ fsync }: { fsync: string }) => new Disk(fsync === "always");

export class Disk {
  private readonly folders = new Map<string, SharedSync>();
  private temporaries = 0;

  /** @param isDurable  false leaves it to the operating system when writes reach the disk: a power cut loses the last ones */
  constructor(readonly isDurable: boolean) {}

  async syncHandle(handle: FileHandle): Promise<void> {
    if (this.isDurable) await handle.datasync();
  }

  async syncFile(file: string): Promise<void> {
    if (!this.isDurable) return;
    // Windows syncs only files that are open for writing.
    const handle = await open(file, process.platform === "win32" ? "r+" : "r");
    try {
      await handle.datasync();
    } finally {
      await handle.close();
    }
  }

  /** Makes the names in a folder durable: of files that were made, renamed or removed. Calls at the same time share a sync. */
  async syncFolder(folder: string): Promise<void> {
    // Windows has no such thing: NTFS journals names by itself.
    if (!this.isDurable || process.platform === "win32") return;
    let shared = this.folders.get(folder);
    if (!shared) {
      const [oldest] = this.folders.keys();
      if (oldest !== undefined && this.folders.size >= MOST_SHARED_FOLDERS) this.folders.delete(oldest);
      shared = new SharedSync(() => syncFolderNow(folder));
      this.folders.set(folder, shared);
    }
    await shared.request();
  }

  /** Makes a folder and those above it, all of them durable. Nothing happens when it exists. */
  async makeFolder(folder: string): Promise<void> {
    const first = await mkdir(folder, { recursive: true });
    if (first === undefined) return;
    // The name of a new folder is stored in its parent.
    for (let made = path.resolve(folder); ; made = path.dirname(made)) {
      await this.syncFolder(path.dirname(made));
      if (made === path.resolve(first) || made === path.dirname(made)) return;
    }
  }

  /**
   * Writes a file whole or not at all; when this resolves it is on disk under its name.
   * @param write  writes the content to the path that it is given, in the same folder
   */
  async replaceWith(file: string, write: (temporary: string) => Promise<unknown>): Promise<void> {
    const temporary = `${file}.${process.pid}-${this.temporaries++}.part`;
    try {
      await write(temporary);
      await this.syncFile(temporary);
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await this.syncFolder(path.dirname(file));
  }

  async replace(file: string, content: string | Uint8Array, mode?: number): Promise<void> {
    await this.replaceWith(file, (temporary) => writeFile(temporary, content, mode === undefined ? {} : { mode }));
  }

  /** Syncs everything in a folder and the folder itself; its own name in the folder above is not included. */
  async syncTree(folder: string): Promise<void> {
    if (!this.isDurable) return;
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    const waiting = entries.filter((entry) => entry.isFile() || entry.isDirectory());
    const work = async () => {
      for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
        const place = path.join(entry.parentPath, entry.name);
        await (entry.isDirectory() ? syncFolderNow(place) : this.syncFile(place));
      }
    };
    await Promise.all(Array.from({ length: SYNCED_AT_ONCE }, work));
    await syncFolderNow(folder);
  }
}

async function syncFolderNow(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
