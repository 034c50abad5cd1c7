// Backs up a data folder with an embedded database while the service runs: a snapshot of the database, and every object that its rows
// name. Objects are written before their rows and deleted after them, so the objects are copied before and after the snapshot. What
// was deleted in between is missing; then a newer snapshot is taken, which no longer names it.
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { errors } from "../../../platform/errors.ts";
import { backUpDatabase, type Database, openDatabase } from "../../../platform/storage/db/database.ts";
import { databaseFolder } from "../../../platform/storage/db/embedded/cluster-files.ts";
import { partKeys } from "../../../platform/storage/db/files/uploads.ts";
import { allSessions } from "../../../platform/storage/db/jobs/live-sessions.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { FORMAT, type Manifest, manifestFile } from "./manifest.ts";
import { copyObjects } from "./objects.ts";

/** Snapshots, while each one names objects that were deleted since. */
const MOST_SNAPSHOTS = 4;
const SETTINGS_FILES = ["language-model.json"];
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

/** @throws backup.bad_target */
async function checkTarget(target: string, dataDirectory: string): Promise<void> {
  const relative = path.relative(path.resolve(dataDirectory), target);
  if (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== "..") {
    throw errors.badBackupTarget(target, "is inside the data folder");
  }
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw errors.badBackupTarget(target, error.code === "ENOTDIR" ? "is a file" : `cannot be read (${error.message})`);
  });
  if (names === undefined) return;
  if (names.length > 0) throw errors.badBackupTarget(target, "is not empty");
  await rmdir(target);
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
 * Writes a backup to a new folder. The folder appears under its name when the backup is complete and on disk.
 * @throws backup.bad_target, storage.full, database.damaged
 */
export async function backUp(options: BackupOptions, folder: string): Promise<Manifest> {
  const target = path.resolve(folder);
  await checkTarget(target, options.dataDirectory);
  const unfinished = `${target}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  try {
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
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
    await rename(unfinished, target);
    await disk.syncFolder(path.dirname(target));
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}
