// Removes local copies of stored objects beyond a limit, the least recently used first.
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";

/** A copy that was used later may be in use by a process that received its path, and has yet to open the file. */
const YOUNGEST_SWEPT_MILLISECONDS = 600_000;

interface Copies {
  /** Folder of the copies. */
  cache: string;
  /** Copies beyond this go. */
  cacheBytes: number;
  /** Whether the store has the object of this size. @throws if the store does not say so; the sweep then ends */
  isStored(key: string, bytes: number): Promise<boolean>;
}

async function copiesIn(cache: string) {
  const copies: { file: string; at: number; bytes: number; isFolder: boolean }[] = [];
  for (const folder of ["audio", "results", "peaks"]) {
    const place = path.join(cache, folder);
    await mkdir(place, { recursive: true });
    for (const name of await readdir(place)) {
      const file = path.join(place, name);
      const found = await stat(file).catch(() => undefined);
      if (found) copies.push({ file, at: found.mtimeMs, bytes: found.size, isFolder: found.isDirectory() });
    }
  }
  return copies.sort((left, right) => left.at - right.at);
}

/** @throws the error of the first request to the store that failed */
export async function sweepCopies({ cache, cacheBytes, isStored }: Copies): Promise<void> {
  const copies = await copiesIn(cache);
  let bytes = copies.reduce((sum, copy) => sum + copy.bytes, 0);
  const before = Date.now() - YOUNGEST_SWEPT_MILLISECONDS;
  for (const copy of copies) {
    if (bytes <= cacheBytes || copy.at > before) return;
    const key = path.relative(cache, copy.file).split(path.sep).join("/");
    // While the store is unavailable, finished work waits here. The peaks of a named track lie in a folder.
    if (!copy.isFolder && !(await isStored(key, copy.bytes))) continue;
    // It may have been handed out, or written again, since it was found.
    const now = await stat(copy.file).catch(() => undefined);
    if (now && (now.mtimeMs !== copy.at || now.size !== copy.bytes)) continue;
    await rm(copy.file, { recursive: true, force: true });
    bytes -= copy.bytes;
  }
}
