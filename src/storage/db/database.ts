// One door to the database, embedded or server: the same dialect, the same queries, migrations at start.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { type Dialect, Kysely, PostgresDialect } from "kysely";
import { childEnvironment } from "../../config/load.ts";
import { errors } from "../../errors.ts";
import { entryFile } from "../../process/entry.ts";
import { migrate } from "./migrate.ts";
import { pgliteDialect } from "./pglite-driver.ts";
import { postgresPool } from "./postgres-pool.ts";
import { copyPreparedDatabase } from "./prepared-database.ts";
import type { Database, DatabaseSchema } from "./schema.ts";

export type { Database } from "./schema.ts";

async function chooseDialect(databaseUrl: string, dataDirectory: string): Promise<Dialect> {
  if (databaseUrl !== "") return new PostgresDialect({ pool: postgresPool({ url: databaseUrl }) });
  const folder = path.join(dataDirectory, "database");
  await mkdir(folder, { recursive: true });
  await removeUnfinished(folder);
  // Where it does not get that far, the database is made when it is opened, and says what is wrong.
  if (!existsSync(path.join(folder, "PG_VERSION"))) await makeDatabase(folder).catch(() => undefined);
  return pgliteDialect(folder);
}

const unfinishedOf = (folder: string) => `${folder}.unfinished-`;

/** What starts left that were ended while they made the database. */
async function removeUnfinished(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  const left = (await readdir(parent)).map((name) => path.join(parent, name));
  await Promise.all(
    left
      .filter((one) => one.startsWith(unfinishedOf(folder)))
      // One that is still written to goes at the next start.
      .map((one) => rm(one, { recursive: true, force: true }).catch(() => undefined)),
  );
}

/** It is there as a whole or not at all, whatever ends this process meanwhile. */
async function makeDatabase(folder: string): Promise<void> {
  const unfinished = await mkdtemp(unfinishedOf(folder));
  if (!copyPreparedDatabase(unfinished)) {
    const file = entryFile("./make-database.js", import.meta.url);
    await promisify(execFile)(process.execPath, [file, unfinished], { env: childEnvironment() });
  }
  await rmdir(folder);
  await rename(unfinished, folder);
}

/**
 * Connects and brings the tables up to date. Safe to call again on the same database.
 * @param databaseUrl  PostgreSQL address, or "" for the embedded database below `dataDirectory`
 * @throws database.unavailable when the server does not answer; Error when a migration fails
 */
export async function openDatabase(databaseUrl: string, dataDirectory: string): Promise<Database> {
  const database = new Kysely<DatabaseSchema>({ dialect: await chooseDialect(databaseUrl, dataDirectory) });
  // A change of large tables takes its time.
  const patient =
    databaseUrl === ""
      ? database
      : new Kysely<DatabaseSchema>({
          dialect: new PostgresDialect({ pool: postgresPool({ url: databaseUrl, queryMilliseconds: 0 }) }),
        });
  const error = await migrate(patient);
  if (patient !== database) await patient.destroy();
  if (error) {
    await database.destroy();
    const { code, cause } = error as { code?: string; cause?: unknown };
    throw code === "database.unavailable" ? errors.databaseNotFound(new URL(databaseUrl).host, cause) : error;
  }
  return database;
}
