// Backs up a data folder with an embedded database while the service runs: a snapshot of the database, and every object that its rows
// name. Objects are written before their rows and deleted after them, so the objects are copied before and after the snapshot. What
// was deleted in between is missing; then a newer snapshot is taken, which no longer names it.
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { errors } from "../../../platform/errors.ts";
import { backUpDatabase, type Database, openDatabase } from "../../../platform/storage/db/database.ts";
import { databaseFolder } from "../../../platform/storage/db/embedded/cluster-files.ts";
import { partKeys } from "../../../platform/storage/db/files/upload-parts.ts";
import { allSessions } from "../../../platform/storage/db/jobs/live-sessions.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { shortageOf } from "../../../platform/system-shortage.ts";
import { FORMAT, type Manifest, manifestFile } from "./manifest.ts";
import { copyObjects } from "./objects.ts";

/** Snapshots, while each one names objects that were deleted since. */
const MOST_SNAPSHOTS = 4;
const SETTINGS_FILES = ["language-model.json"];
/** Where a backup into an existing folder is written until it is complete; a killed command leaves it. */
const UNFINISHED = "backup.unfinished";
/** Also found in the root of an empty volume. */
const OF_EMPTY_VOLUMES = ["lost+found", UNFINISHED];
/** Rows read at once. */
const BATCH = 2_000;

export interface BackupOptions {
  database: Database;
  dataDirectory: string;
  /** Whether objects are files of the data folder. */
  hasOwnObjects: boolean;
  version: string;
  now(): Date;
}

/** @returns whether the folder exists, and is empty @throws backup.bad_target */
async function isPresent(target: string, dataDirectory: string): Promise<boolean> {
  const relative = path.relative(path.resolve(dataDirectory), target);
  if (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== "..") {
    throw errors.badBackupTarget(target, "is inside the data folder");
  }
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw errors.badBackupTarget(target, error.code === "ENOTDIR" ? "is a file" : `cannot be read (${error.message})`);
  });
  if (names === undefined) return false;
  if (names.some((name) => !OF_EMPTY_VOLUMES.includes(name))) throw errors.badBackupTarget(target, "is not empty");
  return true;
}

/** Moves a complete backup to an empty folder that cannot be replaced: it may be a mounted volume. The manifest, which makes it a backup, is the last. */
async function moveInto(target: string, unfinished: string, disk: Disk): Promise<void> {
  const manifest = path.basename(manifestFile(unfinished));
  const names = (await readdir(unfinished)).filter((name) => name !== manifest);
  const moved: string[] = [];
  try {
    for (const name of [...names, manifest]) {
      if (name === manifest) await disk.syncFolder(target);
      moved.push(name);
      await rename(path.join(unfinished, name), path.join(target, name));
    }
  } catch (error) {
    for (const name of moved) await rm(path.join(target, name), { recursive: true, force: true });
    throw error;
  }
  await rmdir(unfinished);
  await disk.syncFolder(target);
}

async function* keysIn(database: Database): AsyncGenerator<string> {
  for (const table of ["files", "jobs"] as const) {
    let last = "00000000-0000-0000-0000-000000000000";
    for (;;) {
      const rows =
        table === "files"
          ? await database
              .selectFrom("files")
              .select(["id", "object_key as key"])
              .where("audio_deleted_at", "is", null)
              .where("id", ">", last)
              .orderBy("id")
              .limit(BATCH)
              .execute()
          : await database
              .selectFrom("jobs")
              .select(["id", "result_key as key"])
              .where("result_key", "is not", null)
              .where("id", ">", last)
              .orderBy("id")
              .limit(BATCH)
              .execute();
      for (const { key } of rows) yield key as string;
      if (rows.length < BATCH) break;
      last = rows.at(-1)?.id as string;
    }
  }
  yield* partKeys(database);
  for (const id of await allSessions(database)) yield `live/${id}`;
}

const count = async (database: Database, table: "jobs" | "files") =>
  Number(
    (
      await database
        .selectFrom(table)
        .select((select) => select.fn.countAll<string>().as("n"))
        .executeTakeFirstOrThrow()
    ).n,
  );

interface Snapshot {
  jobs: number;
  recordings: number;
  /** Keys that rows name and the copy does not have. */
  missing: string[];
}

/** Opens the copy of the database, which completes it, and compares it with the copied objects. */
async function examine(copy: string, hasOwnObjects: boolean): Promise<Snapshot> {
  const database = await openDatabase("", copy, new Disk(false), { migrates: false });
  try {
    const missing: string[] = [];
    if (hasOwnObjects) {
      for await (const key of keysIn(database)) if (!existsSync(path.join(copy, "objects", key))) missing.push(key);
    }
    return { jobs: await count(database, "jobs"), recordings: await count(database, "files"), missing };
  } finally {
    await database.destroy();
  }
}

async function copyAll({ database, dataDirectory, hasOwnObjects }: BackupOptions, copy: string): Promise<Snapshot> {
  const [objects, copiedObjects] = [path.join(dataDirectory, "objects"), path.join(copy, "objects")];
  if (hasOwnObjects) await copyObjects(objects, copiedObjects, false);
  let before = "";
  for (let number = 1; ; number++) {
    await rm(databaseFolder(copy), { recursive: true, force: true });
    await backUpDatabase(database, databaseFolder(copy));
    if (hasOwnObjects) await copyObjects(objects, copiedObjects, true);
    const snapshot = await examine(copy, hasOwnObjects);
    const missing = snapshot.missing.toSorted().join();
    // An object that is missing at the second attempt is missing in the service, too.
    if (missing === "" || missing === before || number === MOST_SNAPSHOTS) return snapshot;
    before = missing;
  }
}

/**
 * Writes a backup to a new folder, which appears under its name when the backup is complete and on disk, or to an empty one, in which the
 * manifest appears then.
 * @throws backup.bad_target, storage.full, database.damaged
 */
export async function backUp(options: BackupOptions, folder: string): Promise<Manifest> {
  const target = path.resolve(folder);
  const isInside = await isPresent(target, options.dataDirectory);
  const unfinished = isInside ? path.join(target, UNFINISHED) : `${target}.unfinished`;
  try {
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (shortageOf(error)) throw error;
    throw errors.badBackupTarget(target, `cannot be written (${(error as Error).message})`);
  }
  try {
    const { jobs, recordings, missing } = await copyAll(options, unfinished);
    await rm(path.join(unfinished, "tmp"), { recursive: true, force: true });
    for (const name of SETTINGS_FILES.filter((name) => existsSync(path.join(options.dataDirectory, name)))) {
      await copyFile(path.join(options.dataDirectory, name), path.join(unfinished, name));
    }
    const manifest: Manifest = {
      format: FORMAT,
      version: options.version,
      at: options.now().toISOString(),
      jobs,
      recordings,
      missing: missing.length,
      hasObjects: options.hasOwnObjects,
    };
    await writeFile(manifestFile(unfinished), JSON.stringify(manifest));
    const disk = new Disk(true);
    await disk.syncTree(unfinished);
    if (isInside) await moveInto(target, unfinished, disk);
    else {
      await rename(unfinished, target);
      await disk.syncFolder(path.dirname(target));
    }
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}
