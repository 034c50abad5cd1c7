// Copies the files of the embedded database while it is in use. The copy is what a crash at the end of the copy would leave, so that
// PostgreSQL's own recovery makes it consistent.
//
// Files are copied one after the other while statements change them. Every change since the checkpoint before the copy is in the
// write-ahead log (WAL), with an image of each page that was changed (full_page_writes), and the log is copied last, at one moment.
import { cpSync } from "node:fs";
import { copyFile, mkdir, readdir } from "node:fs/promises";
import path from "node:path";

const CONTROL_FILE = path.join("global", "pg_control");
const WAL_FOLDER = "pg_wal";
/** A cluster has 1,200 files. The end of each copy waits for the statement that runs on the same thread. */
const COPIES_AT_ONCE = 64;
/** Names a process, which does not use the copy. */
const PROCESS_FILE = "postmaster.pid";

/** A table can be dropped or truncated meanwhile; PostgreSQL replays that from the log. */
async function copyIfThere(from: string, to: string): Promise<void> {
  await copyFile(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

/**
 * The caller has made a checkpoint, and makes no further one until this ends.
 * @param check  called before each file; throws to end the copy
 * @param to     made here
 */
export async function copyCluster(from: string, to: string, check: () => void): Promise<void> {
  await mkdir(to, { recursive: true });
  const waiting: string[] = [];
  for (const entry of await readdir(from, { withFileTypes: true, recursive: true })) {
    const name = path.relative(from, path.join(entry.parentPath, entry.name));
    if (entry.isDirectory()) await mkdir(path.join(to, name), { recursive: true });
    else if (name !== CONTROL_FILE && name !== PROCESS_FILE && !name.startsWith(WAL_FOLDER + path.sep)) {
      waiting.push(name);
    }
  }
  const work = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      check();
      await copyIfThere(path.join(from, name), path.join(to, name));
    }
  };
  await Promise.all(Array.from({ length: COPIES_AT_ONCE }, work));
  check();
  // Synchronous: no statement runs between the two.
  cpSync(path.join(from, WAL_FOLDER), path.join(to, WAL_FOLDER), { recursive: true });
  cpSync(path.join(from, CONTROL_FILE), path.join(to, CONTROL_FILE));
}
