// A new database with its tables as the build made it: a first start copies it, in a tenth of the time that making one takes.
import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { entryFile } from "../../../process/entry.ts";
import { packageFolder } from "../../../process/package-folder.ts";

const FILES = "files";
/** Only the service reads and writes the files of its database. */
const FILE_MODE = 0o600;
/** Packages leave empty folders out. */
const LIST = "list.json";

interface List {
  folders: string[];
  files: string[];
  /** CRC-32 of each file. */
  checksums: number[];
}

const PREFIX = "new-database-";

/** This folder, in the compiled code. */
const compiledFolder = () => path.dirname(entryFile("./make-database.js", import.meta.url));
/** The first folder of the compiled code. */
const folderOfAll = () => path.resolve(compiledFolder(), "../../../..");

/** Where it is, if there is one. Another version of the engine may read other files, other migrations make other tables. */
export function preparedDatabase(): string {
  const hash = createHash("sha256");
  hash.update(readFileSync(path.join(packageFolder("@electric-sql/pglite"), "package.json")));
  hash.update(readFileSync(path.join(compiledFolder(), "make-database.js")));
  const migrations = path.join(compiledFolder(), "../migrations");
  for (const name of readdirSync(migrations).sort()) {
    if (name.endsWith(".js")) hash.update(readFileSync(path.join(migrations, name)));
  }
  return path.join(folderOfAll(), PREFIX + hash.digest("hex").slice(0, 16));
}

/** Removes every prepared database, those of other versions and unfinished ones included. */
export function removePreparedDatabases(): void {
  for (const name of readdirSync(folderOfAll())) {
    if (name.startsWith(PREFIX)) rmSync(path.join(folderOfAll(), name), { recursive: true });
  }
}

/** @param make  makes the files of a database in a folder */
export async function prepareDatabase(folder: string, make: (files: string) => Promise<void>): Promise<void> {
  const root = path.join(folder, FILES);
  mkdirSync(folder, { recursive: true });
  await make(root);
  const list: List = { folders: [], files: [], checksums: [] };
  for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
    const place = path.join(entry.parentPath, entry.name);
    // Who installs a package is not always who starts it.
    chmodSync(place, entry.isDirectory() ? 0o755 : 0o644);
    const name = path.relative(root, place).split(path.sep).join("/");
    (entry.isDirectory() ? list.folders : list.files).push(name);
    if (!entry.isDirectory()) list.checksums.push(crc32(readFileSync(place)));
  }
  writeFileSync(path.join(folder, LIST), JSON.stringify(list));
}

const CHUNK_BYTES = 1 << 18;

/** CRC-32 of a file. The process keeps memory that it has once used: files are read in small pieces. */
function checksumOf(file: string, chunk: Buffer): number {
  const descriptor = openSync(file, "r");
  try {
    let checksum = 0;
    for (let length = readSync(descriptor, chunk); length > 0; length = readSync(descriptor, chunk)) {
      checksum = crc32(chunk.subarray(0, length), checksum);
    }
    return checksum;
  } finally {
    closeSync(descriptor);
  }
}

/** @returns the list of a whole prepared database; undefined where a file is missing or damaged */
function readPrepared(folder: string): List | undefined {
  try {
    const list: List = JSON.parse(readFileSync(path.join(folder, LIST), "utf8"));
    const { files, checksums } = list;
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const isSame = (name: string, at: number) => checksumOf(path.join(folder, FILES, name), chunk) === checksums[at];
    return files.length > 0 && files.every(isSame) ? list : undefined;
  } catch {
    return undefined;
  }
}

/** @returns false if there is no complete one; then nothing was copied */
export function copyPreparedDatabase(target: string): boolean {
  const folder = preparedDatabase();
  const prepared = readPrepared(folder);
  if (!prepared) return false;
  for (const name of prepared.folders) mkdirSync(path.join(target, name), { recursive: true });
  // Synchronous copies take a quarter of the time, and nothing else runs meanwhile.
  for (const name of prepared.files) {
    copyFileSync(path.join(folder, FILES, name), path.join(target, name));
    // A copy has the mode of its source, which is read-only in an image, and PostgreSQL writes to these files.
    chmodSync(path.join(target, name), FILE_MODE);
  }
  return true;
}
