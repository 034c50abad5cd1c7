// One process per data folder: two embedded databases on the same files would destroy each other's work. The lock is a kernel
// lock on an open file. What the file says serves messages and recovery only, so an empty or damaged one refuses no start.
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, chmod, lstat, mkdir, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { errors, ParlanceError } from "../errors.ts";
import { type KernelLock, tryKernelLock } from "./kernel-lock.ts";
import { readPlainFile } from "./plain-file.ts";
import { Quarantine } from "./quarantine.ts";

const LOCK_FILE = "parlance.lock";

/** Content of the lock file. */
export interface LockNote {
  /** Names one holder of the lock. */
  instance?: string;
  processId?: number;
  host?: string;
  /** ISO 8601. */
  since?: string;
  /** Name of this machine in the database, see machine-name.ts; kept after the lock is released. */
  machine?: string | undefined;
  generation?: number | undefined;
}

const text = (value: unknown) => (typeof value === "string" && value.length <= 200 ? value : undefined);
/** A folder is not started more often than this; a larger number is damage, and too large for the database. */
const MOST = 1e9;
const count = (value: unknown) =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < MOST ? (value as number) : undefined;

/** @returns nothing of what cannot be read */
async function readLockNote(folder: string): Promise<LockNote> {
  try {
    const content = await readPlainFile(path.join(folder, LOCK_FILE));
    const found = JSON.parse(content) as Record<string, unknown> | null;
    if (typeof found !== "object" || found === null) return {};
    const note: Record<keyof LockNote, string | number | undefined> = {
      instance: text(found["instance"]),
      processId: count(found["processId"]),
      host: text(found["host"]),
      since: text(found["since"]),
      machine: text(found["machine"]),
      generation: count(found["generation"]),
    };
    return Object.fromEntries(Object.entries(note).filter(([, value]) => value !== undefined)) as LockNote;
  } catch {
    return {};
  }
}

export class FolderLock {
  private note: LockNote;

  constructor(
    readonly folder: string,
    private lock: KernelLock,
    /** What the holder before left. */
    readonly before: LockNote,
  ) {
    this.note = {
      ...(before.machine === undefined ? {} : { machine: before.machine }),
      ...(before.generation === undefined ? {} : { generation: before.generation }),
      instance: randomUUID(),
      processId: process.pid,
      host: os.hostname(),
      since: new Date().toISOString(),
    };
  }

  /** Adds to the lock file, and syncs it: if a power cut removed the generation, the folder would look like a copy. */
  async write(more: Pick<LockNote, "machine" | "generation"> = {}): Promise<void> {
    this.note = { ...this.note, ...more };
    await this.print(this.note);
    await this.lock.handle.datasync();
  }

  /**
   * Whether the folder is still this process's alone. A lock file that was removed or replaced is locked again; one that
   * names another holder means that the file system let two processes have the lock.
   */
  async isHeld(): Promise<boolean> {
    if (!(await this.lock.isInPlace())) {
      const again = await tryKernelLock(path.join(this.folder, LOCK_FILE)).catch(() => undefined);
      if (!again) return false;
      await this.lock.release();
      this.lock = again;
      await this.print(this.note);
      return true;
    }
    const { instance } = await readLockNote(this.folder);
    if (instance === undefined) await this.print(this.note);
    return instance === undefined || instance === this.note.instance;
  }

  async release(): Promise<void> {
    const { machine, generation } = this.note;
    await this.print({ machine, generation }).catch(() => undefined);
    await this.lock.release();
  }

  private async print(note: LockNote): Promise<void> {
    const content = Buffer.from(JSON.stringify(note));
    await this.lock.handle.write(content, 0, content.length, 0);
    await this.lock.handle.truncate(content.length);
  }
}

const OWNER_ONLY = 0o700;
const OTHERS = 0o077;
/** Mode bit of folders that all users write to, such as /tmp. */
const STICKY = 0o1000;

/** Node reports ENOENT where a folder above is on a read-only file system; this finds the reason. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    let above = path.resolve(folder);
    while (!(await lstat(above).catch(() => undefined)) && above !== path.dirname(above)) above = path.dirname(above);
    await access(above, constants.W_OK);
    throw error;
  }
}

/** Moves aside what cannot be a lock file: a directory, a pipe. */
async function clear(folder: string, file: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (!found || found.isFile() || found.isSymbolicLink()) return;
  const kind = found.isDirectory() ? "a directory" : "something that is no file";
  await new Quarantine(folder).move(file, `${kind} was in the place of the lock file`);
}

/** Recordings and transcripts are for the service's user alone. Of folders that belong to another user, that user decides. */
async function restrict(folder: string): Promise<void> {
  const { mode, uid } = await stat(folder);
  const isShared = (mode & STICKY) !== 0;
  if (isShared || uid !== process.getuid?.() || (mode & OTHERS) === 0) return;
  await chmod(folder, mode & OWNER_ONLY).catch(() => undefined);
}

/**
 * Takes the folder for this process.
 * @throws storage.folder_in_use, storage.locks_unsupported, storage.folder_unusable
 */
export async function lockDirectory(folder: string): Promise<FolderLock> {
  const file = path.join(folder, LOCK_FILE);
  try {
    await makeFolder(folder);
    await restrict(folder);
    await clear(folder, file);
    const lock = await tryKernelLock(file);
    const before = await readLockNote(folder);
    if (!lock) throw errors.folderInUse(folder, before);
    const held = new FolderLock(folder, lock, before);
    // A full disk must not keep the service from starting.
    await held.write().catch(() => undefined);
    return held;
  } catch (error) {
    throw error instanceof ParlanceError ? error : errors.folderUnusable(folder, error);
  }
}
