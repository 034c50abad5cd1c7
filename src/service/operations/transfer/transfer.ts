// Everything that a service keeps, carried out of one kind of database and store and into another. Both ways can be
// interrupted: the same command resumes, and entries that were transferred before are skipped.
import { createReadStream } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { errors } from "../../../platform/errors.ts";
import type { Database } from "../../../platform/storage/db/database.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { streamToFile } from "../../../platform/storage/disk/stream-to-file.ts";
import { FileStore } from "../../../platform/storage/objects/file-store.ts";
import { isModelKey } from "../../../platform/storage/objects/keys.ts";
import type { ObjectStore } from "../../../platform/storage/objects/object-store.ts";
import { mustWait } from "../../../platform/storage/when-possible.ts";
import { insertRows, type Row, rowsOf, TABLES } from "./tables.ts";

export interface TransferParts {
  database: Database;
  objects: ObjectStore;
  /** Receives the name of what is being transferred. */
  progress(what: string, count: number): void;
}

/** When an export is done its source may be removed. */
const disk = new Disk(true);
const FORMAT = 1;
const MANIFEST = "export.json";
const BATCH = 500;
/** An export has the data of all accounts. */
const PRIVATE_FOLDER = 0o700;
const fileOf = (folder: string, table: string) => path.join(folder, "tables", `${table}.jsonl`);

/** The embedded database gives large numbers as such; JSON has them as text. */
const asJson = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);

/** Copies what `to` does not have in the same size. @returns how many were copied */
async function copyObjects(from: ObjectStore, to: ObjectStore, progress: (count: number) => void): Promise<number> {
  let copied = 0;
  for await (const key of from.keys()) {
    if (isModelKey(key)) continue;
    const size = await from.size(key);
    if (size === undefined || (await to.size(key)) === size) continue;
    await to.write(key, await from.read(key));
    // All objects together may not fit on this disk.
    await to.dropCopy(key);
    progress(++copied);
  }
  return copied;
}

/** Removes from an earlier export what the source has deleted since, so that an import does not bring it back. */
async function removeDeleted(source: ObjectStore, exported: ObjectStore): Promise<void> {
  for await (const key of exported.keys()) {
    if ((await source.size(key)) === undefined) await exported.remove(key);
  }
}

/** @param folder  made where it is not there; what it has of an earlier export is kept up */
export async function exportAll({ database, objects, progress }: TransferParts, folder: string): Promise<void> {
  const tables = path.join(folder, "tables");
  const objectFolder = path.join(folder, "objects");
  for (const place of [folder, tables, objectFolder]) await mkdir(place, { recursive: true, mode: PRIVATE_FOLDER });
  // Earlier versions made them readable for all users.
  for (const place of [tables, objectFolder]) await chmod(place, PRIVATE_FOLDER);
  // The first write makes an earlier export in this folder incomplete.
  await rm(path.join(folder, MANIFEST), { force: true });
  await disk.syncFolder(folder);
  const exported = new FileStore(objectFolder, disk);
  await copyObjects(objects, exported, (count) => progress("objects", count));
  // Rows after the objects that they name.
  for (const table of TABLES) {
    let count = 0;
    const file = path.join(tables, `${table.name}.jsonl`);
    const lines = async function* () {
      for await (const row of rowsOf(database, table)) {
        yield `${JSON.stringify(row, asJson)}\n`;
        if (++count % BATCH === 0) progress(table.name, count);
      }
    };
    await disk.replaceWith(file, (temporary) => streamToFile(temporary, Readable.from(lines())));
    progress(table.name, count);
  }
  await removeDeleted(objects, exported);
  // Written last: without it there is no whole export.
  await disk.replace(
    path.join(folder, MANIFEST),
    JSON.stringify({ format: FORMAT, tables: TABLES.map(({ name }) => name) }),
  );
}

const firstLine = (thrown: unknown) => String((thrown as Error).message ?? thrown).split("\n")[0] ?? "";

/** @throws transfer.not_whole where the file is missing; transfer.damaged naming the line */
async function* linesOf(folder: string, table: string): AsyncGenerator<{ row: Row; line: number }> {
  const file = fileOf(folder, table);
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw errors.exportNotWhole(folder);
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(file) })) {
    line++;
    if (text === "") continue;
    let row: unknown;
    try {
      row = JSON.parse(text);
    } catch (thrown) {
      throw errors.exportDamaged(file, line, firstLine(thrown));
    }
    if (typeof row !== "object" || row === null || Array.isArray(row)) {
      throw errors.exportDamaged(file, line, "it is no row");
    }
    yield { row: row as Row, line };
  }
}

/** An account that a first start made and nobody used is no reason to refuse. */
async function prepareTarget(database: Database, folder: string): Promise<void> {
  const coming = new Set<unknown>();
  for await (const { row } of linesOf(folder, "accounts")) coming.add(row["id"]);
  const there = await database.selectFrom("accounts").select(["id", "name"]).execute();
  for (const { id, name } of there) {
    if (coming.has(id)) continue;
    const used = await database.selectFrom("jobs").select("id").where("account_id", "=", id).limit(1).execute();
    if (used.length > 0) throw errors.importIntoUsed(name);
    await database.deleteFrom("api_keys").where("account_id", "=", id).execute();
    await database.deleteFrom("accounts").where("id", "=", id).execute();
  }
}

/** @returns nothing of it where the manifest is missing or damaged */
async function manifestOf(folder: string): Promise<{ format?: number; tables?: string[] }> {
  try {
    return (JSON.parse(await readFile(path.join(folder, MANIFEST), "utf8")) as object | null) ?? {};
  } catch {
    return {};
  }
}

/** @throws transfer.not_whole, transfer.used */
export async function importAll({ database, objects, progress }: TransferParts, folder: string): Promise<void> {
  const { format, tables: exported = [] } = await manifestOf(folder);
  const isWhole = format === FORMAT && Array.isArray(exported) && exported.every((name) => typeof name === "string");
  if (!isWhole) throw errors.exportNotWhole(folder);
  await prepareTarget(database, folder);
  await copyObjects(new FileStore(path.join(folder, "objects"), disk), objects, (count) => progress("objects", count));
  // An earlier version's export lacks tables that came later.
  for (const table of TABLES.filter(({ name }) => exported.includes(name))) {
    let count = 0;
    let last = 0;
    let batch: Row[] = [];
    const flush = async () => {
      try {
        if (batch.length > 0) await insertRows(database, table, batch);
      } catch (thrown) {
        if (mustWait(thrown)) throw thrown;
        throw errors.exportDamaged(fileOf(folder, table.name), last, firstLine(thrown));
      }
      count += batch.length;
      batch = [];
      progress(table.name, count);
    };
    for await (const { row, line } of linesOf(folder, table.name)) {
      batch.push(row);
      last = line;
      if (batch.length === BATCH) await flush();
    }
    await flush();
  }
}

/** Whether a folder may be exported into: a new one, or one of an earlier export. */
export async function mayExportInto(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined);
  if (!found) return true;
  if (!found.isDirectory()) return false;
  const names = await readdir(folder);
  return names.every((name) => ["tables", "objects", MANIFEST].includes(name));
}
