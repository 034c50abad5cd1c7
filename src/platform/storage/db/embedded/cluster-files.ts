// Looks at the files of the embedded database before it is opened: PGlite would make a new, empty database over what is left of a
// damaged one, and says of other damage only that it could not start.
import { existsSync } from "node:fs";
import { lstat, readdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { readPlainFile } from "../../plain-file.ts";

/** Size of `global/pg_control`, PG_CONTROL_FILE_SIZE of PostgreSQL. */
const CONTROL_BYTES = 8_192;
/** Objects of jobs: a data folder that has some had a database. */
const OBJECT_FOLDERS = ["audio", "results", "live", "jobs"];

/** @returns folder of the embedded database */
export const databaseFolder = (dataDirectory: string): string => path.join(dataDirectory, "database");

async function objectCount(dataDirectory: string): Promise<number> {
  const names = OBJECT_FOLDERS.map((name) => readdir(path.join(dataDirectory, "objects", name)).catch(() => []));
  return (await Promise.all(names)).flat().length;
}

export type ClusterState =
  /** The folder has no database and no part of one. */
  | "new"
  /** It can be opened, according to its files. */
  | "there"
  | { damage: string };

/** @param folder  of the database, inside the data folder */
export async function clusterState(folder: string): Promise<ClusterState> {
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isFile()) return { damage: "a file is in the place of its folder" };
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0) {
    const count = await objectCount(path.dirname(folder));
    if (count === 0) return "new";
    return {
      damage: `its files are gone, but ${count} recordings and transcripts are there. To begin without them, move the folder objects elsewhere`,
    };
  }
  const damage = await damageIn(folder);
  return damage === undefined ? "there" : { damage };
}

/**
 * Removes a damaged postmaster.pid, which a power cut leaves empty: PostgreSQL would refuse to start on it. The lock on the data folder
 * says whether another process uses the database.
 */
export async function removeDamagedProcessId(folder: string): Promise<void> {
  const file = path.join(folder, "postmaster.pid");
  const text = await readPlainFile(file).catch((error: NodeJS.ErrnoException) =>
    error.code === "ENOENT" ? undefined : "",
  );
  if (text !== undefined && !/^-?\d+\s/.test(text)) await rm(file, { recursive: true, force: true });
}

/** @returns which of the files without which PostgreSQL cannot start is damaged; undefined where none is seen to be */
async function damageIn(folder: string): Promise<string | undefined> {
  const version = await readFile(path.join(folder, "PG_VERSION"), "utf8").catch(() => undefined);
  if (version === undefined) return "its file PG_VERSION is missing";
  if (!/^\d+\s*$/.test(version)) return "its file PG_VERSION cannot be read";
  const control = await stat(path.join(folder, "global", "pg_control")).catch(() => undefined);
  if (!control?.isFile()) return "its file global/pg_control is missing";
  if (control.size !== CONTROL_BYTES) {
    return `its file global/pg_control has ${control.size} of ${CONTROL_BYTES} bytes`;
  }
  for (const name of ["base", "pg_wal", "pg_xact"]) {
    if (!existsSync(path.join(folder, name))) return `its folder ${name} is missing`;
    if ((await readdir(path.join(folder, name)).catch(() => [])).length === 0) return `its folder ${name} is empty`;
  }
  return undefined;
}
