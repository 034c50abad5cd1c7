// Restores a backup into a data folder. What the folder has is moved aside and not deleted. The database comes last: without it, the
// service does not start on the objects alone.
import { existsSync } from "node:fs";
import { cp, lstat, mkdir, readdir, rename, rm, statfs } from "node:fs/promises";
import path from "node:path";
import { errors } from "../../../platform/errors.ts";
import { openDatabase } from "../../../platform/storage/db/database.ts";
import { databaseFolder } from "../../../platform/storage/db/embedded/cluster-files.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { bytesBelow } from "../../../platform/storage/quarantine.ts";
import { FORMAT, type Manifest, readManifest } from "./manifest.ts";

export interface RestoreOptions {
  /** The caller holds its lock. */
  dataDirectory: string;
  /** Moves aside what the data folder has. */
  replaces: boolean;
  /** Keeps the objects of the data folder, which are newer than the backup. */
  databaseOnly: boolean;
  now(): Date;
}

export interface Restored {
  manifest: Manifest;
  jobs: number;
  /** Folder of what was moved aside. */
  replaced?: string;
}

/** Whether a file or folder is missing, or holds empty folders at most. A file is not empty, nor is what cannot be read. */
const isEmpty = async (place: string) => {
  try {
    const entries = await readdir(place, { withFileTypes: true, recursive: true });
    return entries.every((entry) => entry.isDirectory());
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
};

/** @throws restore.not_a_backup */
async function manifestOf(backup: string): Promise<Manifest> {
  const manifest = await readManifest(backup);
  if (!manifest) throw errors.notABackup(backup, "it has no backup.json that can be read");
  if (manifest.format !== FORMAT) {
    throw errors.notABackup(backup, `it has format ${manifest.format}, and this version reads format ${FORMAT}`);
  }
  if (!existsSync(databaseFolder(backup))) throw errors.notABackup(backup, "its folder database is missing");
  return manifest;
}

/**
 * A backup has files and folders only. A symbolic link could lead to any file of this machine, and what the service writes through
 * it would go there.
 * @throws restore.not_a_backup naming the first entry of another kind
 */
async function checkEntries(backup: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const place = path.join(backup, name);
    const found = await lstat(place);
    const below = found.isDirectory() ? await readdir(place, { withFileTypes: true, recursive: true }) : [];
    const entries = [
      { file: place, kind: found },
      ...below.map((kind) => ({ file: path.join(kind.parentPath, kind.name), kind })),
    ];
    const foreign = entries.find(({ kind }) => !kind.isFile() && !kind.isDirectory());
    if (!foreign) continue;
    const shown = path.relative(backup, foreign.file);
    const what = foreign.kind.isSymbolicLink() ? "a symbolic link" : "no file and no folder";
    throw errors.notABackup(
      backup,
      `${shown} is ${what}. Replace it by the file or folder that belongs there, or use another backup`,
    );
  }
}

/** @returns the number of jobs @throws database.damaged */
async function countJobs(folder: string): Promise<number> {
  const database = await openDatabase("", folder, new Disk(false), { migrates: false });
  try {
    const { jobs } = await database
      .selectFrom("jobs")
      .select((select) => select.fn.countAll<string>().as("jobs"))
      .executeTakeFirstOrThrow();
    return Number(jobs);
  } finally {
    await database.destroy();
  }
}

/**
 * Checks and copies the backup first, so that a damaged backup or a full disk changes nothing.
 * @throws restore.not_a_backup, restore.occupied, storage.full, database.damaged
 */
export async function restore(folder: string, options: RestoreOptions): Promise<Restored> {
  const backup = path.resolve(folder);
  const { dataDirectory, replaces, databaseOnly, now } = options;
  const manifest = await manifestOf(backup);
  const names = ["database", ...(databaseOnly ? [] : ["objects", "language-model.json"])];
  const restored = names.filter((name) => existsSync(path.join(backup, name)));
  await checkEntries(backup, restored);
  const present: string[] = [];
  for (const name of names) if (!(await isEmpty(path.join(dataDirectory, name)))) present.push(name);
  if (present.length > 0 && !replaces) throw errors.restoreOccupied(dataDirectory, present);

  const bytes = (await Promise.all(restored.map((name) => bytesBelow(path.join(backup, name))))).reduce(
    (sum, one) => sum + one,
    0,
  );
  const { bavail, bsize } = await statfs(dataDirectory);
  if (bytes > bavail * bsize) throw errors.restoreNoRoom(dataDirectory, bytes, bavail * bsize);

  const unfinished = path.join(dataDirectory, "restore.unfinished");
  await rm(unfinished, { recursive: true, force: true });
  const disk = new Disk(true);
  let jobs: number;
  try {
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    for (const name of restored) {
      await cp(path.join(backup, name), path.join(unfinished, name), { recursive: true, preserveTimestamps: true });
    }
    jobs = await countJobs(unfinished);
    await disk.syncTree(unfinished);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }

  const replaced = path.join(dataDirectory, `replaced-${now().toISOString().replaceAll(":", "").slice(0, 17)}`);
  for (const name of names) {
    if (present.includes(name)) {
      await mkdir(replaced, { recursive: true });
      await rename(path.join(dataDirectory, name), path.join(replaced, name));
    } else {
      // Empty folders at most.
      await rm(path.join(dataDirectory, name), { recursive: true, force: true });
    }
  }
  for (const name of restored.toReversed()) {
    await rename(path.join(unfinished, name), path.join(dataDirectory, name));
  }
  await rm(unfinished, { recursive: true, force: true });
  await disk.syncFolder(dataDirectory);
  return { manifest, jobs, ...(present.length > 0 ? { replaced } : {}) };
}
