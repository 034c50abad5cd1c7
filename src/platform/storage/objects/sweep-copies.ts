// Removes local copies of stored objects beyond a limit, the least recently used first.
import { mkdir, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { bytesBelow } from "../quarantine.ts";

const COPIED_FOLDERS = ["audio", "results", "peaks"];
/** Files that the disk module writes before they get their name; the writer counts these bytes. */
const TEMPORARY = /\.\d+-\d+\.part$/;
const UNFINISHED = ".part";

/** Whether copies of the object are counted and swept. Work files and parts of uploads have owners that remove them. */
export const isCopied = (key: string) => COPIED_FOLDERS.some((folder) => key.startsWith(`${folder}/`));

interface Copy {
  key: string;
  file: string;
  at: number;
  bytes: number;
  isFolder: boolean;
}

export interface Copies {
  /** Folder of the copies. */
  cache: string;
  /** Copies beyond this go. */
  cacheBytes: number;
  /** Called with the bytes of all copies before the first one is removed. */
  onFound(bytes: number): void;
  /** Whether a reader may use the copy, or one in this folder. */
  isInUse(key: string): boolean;
  /** Whether the store has the object of this size. @throws if the store does not say so; the sweep then ends */
  isStored(key: string, bytes: number): Promise<boolean>;
  /** Removes a copy. @returns false if a reader uses it meanwhile */
  remove(copy: Pick<Copy, "key" | "file" | "bytes">): Promise<boolean>;
}

async function copiesIn(cache: string): Promise<Copy[]> {
  const copies: Copy[] = [];
  for (const folder of COPIED_FOLDERS) {
    const place = path.join(cache, folder);
    await mkdir(place, { recursive: true });
    for (const name of await readdir(place)) {
      if (TEMPORARY.test(name)) continue;
      const file = path.join(place, name);
      const found = await stat(file).catch(() => undefined);
      if (!found) continue;
      const isFolder = found.isDirectory();
      const bytes = isFolder ? await bytesBelow(file) : found.size;
      copies.push({ key: `${folder}/${name}`, file, at: found.mtimeMs, bytes, isFolder });
    }
  }
  return copies.sort((left, right) => left.at - right.at);
}

/** @throws the error of the first request to the store that failed */
export async function sweepCopies({ cache, cacheBytes, onFound, isInUse, isStored, remove }: Copies): Promise<void> {
  const copies = await copiesIn(cache);
  let bytes = copies.reduce((sum, copy) => sum + copy.bytes, 0);
  onFound(bytes);
  for (const copy of copies) {
    if (bytes <= cacheBytes) return;
    if (isInUse(copy.key)) continue;
    // The recording that a job fetches; it gets its name when it is whole.
    if (copy.key.endsWith(UNFINISHED)) continue;
    // While the store is unavailable, finished work waits here. The peaks of a named track lie in a folder.
    if (!copy.isFolder && !(await isStored(copy.key, copy.bytes))) continue;
    // It may have been written again since it was found.
    const now = await stat(copy.file).catch(() => undefined);
    if (now && (now.mtimeMs !== copy.at || (!copy.isFolder && now.size !== copy.bytes))) continue;
    if (await remove(copy)) bytes -= copy.bytes;
  }
}
