// Exclusive locks that the kernel keeps on an open file: open file description locks on Linux, flock on macOS, LockFileEx on
// Windows. The kernel releases a lock when its process ends, however that happens, and it compares no process ids: a lock holds
// between containers. A lock is valid only while its file has that name.
import { constants } from "node:fs";
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { errors } from "../errors.ts";

type NativeLocks = typeof import("fs-native-extensions");
let native: NativeLocks | undefined;
/** Loaded by the processes that lock something. */
function nativeLocks(): NativeLocks {
  native ??= createRequire(import.meta.url)("fs-native-extensions") as NativeLocks;
  return native;
}

/** The file system has no locks of this kind. */
const UNSUPPORTED = new Set(["ENOLCK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"]);
/** Another open file has it; Windows and some file systems say it in their own way. */
const TAKEN = new Set(["EACCES", "EBUSY"]);
/** A file that is replaced while it is being locked is opened again. */
const MOST_REPLACEMENTS = 10;

/** Referenced here, so that the garbage collector never closes a file whose lock is held. */
const held = new Set<FileHandle>();

export interface KernelLock {
  readonly handle: FileHandle;
  /** Whether the file that has the lock is still the one of this name. */
  isInPlace(): Promise<boolean>;
  release(): Promise<void>;
  /** Releases the lock and removes the file; a process that has opened it meanwhile detects that it was replaced. */
  releaseAndRemove(): Promise<void>;
}

async function isSameFile(file: string, handle: FileHandle): Promise<boolean> {
  const [own, named] = await Promise.all([handle.stat(), stat(file).catch(() => undefined)]);
  return named !== undefined && named.ino === own.ino && named.dev === own.dev;
}

function take(handle: FileHandle, file: string): boolean {
  try {
    return nativeLocks().tryLock(handle.fd);
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (TAKEN.has(code)) return false;
    if (UNSUPPORTED.has(code)) throw errors.locksUnsupported(path.dirname(file), message);
    throw error;
  }
}

/**
 * @param file  made where it is not there; its content does not matter
 * @returns undefined while another process, or another caller of this one, has the lock
 * @throws storage.locks_unsupported, or what the system says about the file
 */
export async function tryKernelLock(file: string): Promise<KernelLock | undefined> {
  for (let attempt = 0; attempt < MOST_REPLACEMENTS; attempt++) {
    const handle = await open(file, constants.O_RDWR | constants.O_CREAT, 0o644);
    let isTaken = false;
    try {
      isTaken = take(handle, file);
      if (!isTaken) return undefined;
      if (!(await isSameFile(file, handle))) {
        isTaken = false;
        continue;
      }
    } finally {
      if (!isTaken) await handle.close();
    }
    held.add(handle);
    const release = async () => {
      if (held.delete(handle)) await handle.close();
    };
    const releaseAndRemove = async () => {
      if (held.has(handle) && (await isSameFile(file, handle))) await rm(file, { force: true });
      await release();
    };
    return { handle, isInPlace: () => isSameFile(file, handle), release, releaseAndRemove };
  }
  return undefined;
}
