// Makes the files of an embedded database and ends: in a process of its own, because this takes 500 MB of memory that a
// process which goes on would keep. Without a folder it prepares a new database beside the compiled code, as the build does.
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { prepareDatabase, preparedDatabase } from "./prepared-database.ts";

async function make(folder: string): Promise<void> {
  const { PGlite } = await import("@electric-sql/pglite");
  const database = await PGlite.create(folder);
  await database.close();
}

async function prepare(): Promise<void> {
  const prepared = preparedDatabase();
  if (existsSync(prepared)) return;
  const unfinished = `${prepared}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await prepareDatabase(unfinished, make);
  await rename(unfinished, prepared);
}

const [folder] = process.argv.slice(2);
await (folder === undefined ? prepare() : make(folder));
