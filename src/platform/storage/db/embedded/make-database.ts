// Makes the files of an embedded database and ends: in a process of its own, because this takes 500 MB of memory that a
// longer process would keep. Without a folder it prepares a new database beside the compiled code, as the build does,
// with all tables in it.
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { Kysely } from "kysely";
import { migrate } from "../migrate.ts";
import type { DatabaseSchema } from "../schema.ts";
import { pgliteDialect } from "./pglite-driver.ts";
import { prepareDatabase, preparedDatabase, removePreparedDatabases } from "./prepared-database.ts";

/** Databases that others are made from. Nothing makes one here, and they are half of the files that a first start copies and syncs. */
const TEMPLATES = ["template0", "template1"];

async function make(folder: string): Promise<void> {
  const { PGlite } = await import("@electric-sql/pglite");
  const database = await PGlite.create(folder);
  await database.exec("update pg_database set datistemplate = false");
  for (const name of TEMPLATES) await database.exec(`drop database ${name}`);
  await database.close();
}

async function makeWithTables(folder: string): Promise<void> {
  await make(folder);
  const database = new Kysely<DatabaseSchema>({ dialect: pgliteDialect({ folder, isDurable: false }) });
  const { error } = await migrate(database);
  await database.destroy();
  if (error) throw error;
}

async function prepare(): Promise<void> {
  const prepared = preparedDatabase();
  if (existsSync(prepared)) return;
  removePreparedDatabases();
  const unfinished = `${prepared}.unfinished`;
  await prepareDatabase(unfinished, makeWithTables);
  await rename(unfinished, prepared);
}

const [folder] = process.argv.slice(2);
await (folder === undefined ? prepare() : make(folder));
