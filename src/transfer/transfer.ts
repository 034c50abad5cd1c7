// Everything that a service keeps, carried out of one kind of database and store and into another. Both ways can be
// interrupted: the same command goes on, and what is there already is not carried again.
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { errors } from "../errors.ts";
import type { Database } from "../storage/db/database.ts";
import { FileStore } from "../storage/objects/file-store.ts";
import type { ObjectStore } from "../storage/objects/object-store.ts";
import { insertRows, type Row, rowsOf, TABLES } from "./tables.ts";

export interface TransferParts {
  database: Database;
  objects: ObjectStore;
  /** Told what is carried just now. */
  progress(what: string, count: number): void;
}

const FORMAT = 1;
const MANIFEST = "export.json";
const BATCH = 500;

/** The embedded database gives large numbers as such; JSON has them as text. */
const asJson = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);

/** Copies what `to` does not have in the same size. @returns how many were copied */
async function copyObjects(from: ObjectStore, to: ObjectStore, progress: (count: number) => void): Promise<number> {
  let copied = 0;
  for await (const key of from.keys()) {
    const size = await from.size(key);
    if (size === undefined || (await to.size(key)) === size) continue;
    await to.write(key, await from.read(key));
    progress(++copied);
  }
  return copied;
}

/** @param folder  made where it is not there; what it has of an earlier export is kept up */
export async function exportAll({ database, objects, progress }: TransferParts, folder: string): Promise<void> {
  const tables = path.join(folder, "tables");
  await mkdir(tables, { recursive: true });
  await copyObjects(objects, new FileStore(path.join(folder, "objects")), (count) => progress("objects", count));
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
    await pipeline(Readable.from(lines()), createWriteStream(`${file}.part`));
    await rename(`${file}.part`, file);
    progress(table.name, count);
  }
  // Written last: without it there is no whole export.
  await writeFile(
    path.join(folder, MANIFEST),
    JSON.stringify({ format: FORMAT, tables: TABLES.map(({ name }) => name) }),
  );
}

/** An account that a first start made and nobody used is no reason to refuse. */
async function prepareTarget(database: Database, folder: string): Promise<void> {
  const text = await readFile(path.join(folder, "tables", "accounts.jsonl"), "utf8");
  const coming = new Set(
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => (JSON.parse(line) as { id: string }).id),
  );
  const there = await database.selectFrom("accounts").select(["id", "name"]).execute();
  for (const { id, name } of there) {
    if (coming.has(id)) continue;
    const used = await database.selectFrom("jobs").select("id").where("account_id", "=", id).limit(1).execute();
    if (used.length > 0) throw errors.importIntoUsed(name);
    await database.deleteFrom("api_keys").where("account_id", "=", id).execute();
    await database.deleteFrom("accounts").where("id", "=", id).execute();
  }
}

/** @throws transfer.not_whole, transfer.used */
export async function importAll({ database, objects, progress }: TransferParts, folder: string): Promise<void> {
  const manifest = await readFile(path.join(folder, MANIFEST), "utf8").catch(() => undefined);
  if (manifest === undefined || (JSON.parse(manifest) as { format: number }).format !== FORMAT) {
    throw errors.exportNotWhole(folder);
  }
  await prepareTarget(database, folder);
  await copyObjects(new FileStore(path.join(folder, "objects")), objects, (count) => progress("objects", count));
  for (const table of TABLES) {
    let count = 0;
    let batch: Row[] = [];
    const flush = async () => {
      if (batch.length > 0) await insertRows(database, table, batch);
      count += batch.length;
      batch = [];
      progress(table.name, count);
    };
    const input = createReadStream(path.join(folder, "tables", `${table.name}.jsonl`));
    for await (const line of createInterface({ input })) {
      batch.push(JSON.parse(line) as Row);
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
  await rm(path.join(folder, MANIFEST), { force: true });
  return names.every((name) => ["tables", "objects", MANIFEST].includes(name));
}
