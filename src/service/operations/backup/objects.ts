// Objects of a data folder, copied to another one. What is copied already is not copied again.
import { constants } from "node:fs";
import { copyFile, mkdir, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { IDENTITY_KEY } from "../../../platform/storage/objects/keys.ts";

/** Written once, under their names when they are complete. Stages repeat what is in `jobs`, so it is left out. */
const WRITTEN_ONCE = ["audio", "peaks", "results", "uploads"];
/** Grow while their sessions last. */
const GROWING = "live";
const COPIES_AT_ONCE = 4;

/** @returns paths relative to `folder`, those of complete files only */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".part"))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

/** A file that is deleted meanwhile is left out. */
async function copyFiles(
  names: readonly string[],
  from: string,
  to: string,
  copiesAtOnce = COPIES_AT_ONCE,
): Promise<void> {
  const waiting = [...names];
  const work = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const target = path.join(to, name);
      await mkdir(path.dirname(target), { recursive: true });
      await copyFile(path.join(from, name), target, constants.COPYFILE_FICLONE).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== "ENOENT") throw error;
        },
      );
    }
  };
  await Promise.all(Array.from({ length: copiesAtOnce }, work));
}

const sizeOf = async (file: string) => (await stat(file).catch(() => undefined))?.size;

/** @param isLast  copies live sessions, too */
export async function copyObjects(from: string, to: string, isLast: boolean): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const folder of WRITTEN_ONCE) {
    const [source, target] = [path.join(from, folder), path.join(to, folder)];
    const missing: string[] = [];
    for (const name of await filesBelow(source)) {
      const [size, copied] = [await sizeOf(path.join(source, name)), await sizeOf(path.join(target, name))];
      if (size !== copied) missing.push(name);
    }
    await copyFiles(missing, source, target);
  }
  await copyFiles([IDENTITY_KEY], from, to);
  if (!isLast) return;
  const live = path.join(to, GROWING);
  await rm(live, { recursive: true, force: true });
  const names = (await filesBelow(path.join(from, GROWING))).toSorted();
  // From the end: a session's journal before its audio, so that the copy has the audio of everything that the journal names.
  await copyFiles(names, path.join(from, GROWING), live, 1);
}
