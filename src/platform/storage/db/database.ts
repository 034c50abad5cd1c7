// Opens the database, embedded or on a server: the same dialect, the same queries, migrations at the start.
import { constants } from "node:fs";
import { access, mkdtemp, readdir, realpath, rename, rm, rmdir, statfs } from "node:fs/promises";
import path from "node:path";
import { HandleEmptyInListsPlugin, Kysely, PostgresDialect, replaceWithNoncontingentExpression, sql } from "kysely";
import { type PostgresAddress, parsePostgresAddress, placeOf } from "../../addresses/postgres-address.ts";
import { childEnvironment } from "../../config/load.ts";
import { errors, ParlanceError, shortageError } from "../../errors.ts";
import { entryFile } from "../../process/entry.ts";
import { runModule } from "../../process/run-module.ts";
import { Disk } from "../disk/disk.ts";
import { isFull } from "../free-space.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { followClock } from "./database-time.ts";
import { clusterState, databaseFolder, removeDamagedProcessId } from "./embedded/cluster-files.ts";
import { type EmbeddedDialect, pgliteDialect } from "./embedded/pglite-driver.ts";
import { copyPreparedDatabase } from "./embedded/prepared-database.ts";
import { migrate } from "./migrate.ts";
import { notifiesFromServer, notifiesFromThread } from "./notifications.ts";
import type { Database, DatabaseSchema } from "./schema.ts";
import { asPostgresProblem } from "./server/postgres-problems.ts";
import { asNewerDatabase, noteVersion } from "./version-note.ts";

export type { Database } from "./schema.ts";

const embedded = new WeakMap<Database, EmbeddedDialect>();

/**
 * Copies the files of an open embedded database to a new folder, as they are at one moment. Statements run meanwhile. PostgreSQL's
 * recovery completes the copy when it is opened.
 */
export async function backUpDatabase(database: Database, folder: string): Promise<void> {
  const dialect = embedded.get(database);
  if (!dialect) throw new Error("only the embedded database is backed up by its files");
  await dialect.backUp(folder);
}

/** The driver of PostgreSQL servers is read by processes that use one. */
const poolMaker = async () => (await import("./server/postgres-pool.ts")).postgresPool;

async function chooseDialect(
  databaseUrl: string,
  dataDirectory: string,
  disk: Disk,
  connections: number | undefined,
): Promise<PostgresDialect | EmbeddedDialect> {
  if (databaseUrl !== "") {
    const address = addressOf(databaseUrl);
    const postgresPool = await poolMaker();
    return new PostgresDialect({ pool: postgresPool({ address, ...(connections ? { connections } : {}) }) });
  }
  const named = databaseFolder(dataDirectory);
  // PGlite cannot mount a link: an operator may have put the database on another disk.
  const folder = await realpath(named).catch(() => named);
  const state = await clusterState(folder);
  if (typeof state === "object") throw errors.databaseDamaged(folder, state.damage);
  await removeDamagedProcessId(folder);
  await disk.makeFolder(folder);
  await removeUnfinished(folder);
  if (state === "new") await makeDatabase(folder, disk);
  else await checkAccess(folder);
  return pgliteDialect({ folder, isDurable: disk.isDurable });
}

/** The file that PostgreSQL writes first when it starts. */
const CONTROL_FILE = path.join("global", "pg_control");

/** PostgreSQL says of files that it cannot write only that it cannot start. @throws storage.folder_unusable */
async function checkAccess(folder: string): Promise<void> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    await access(path.join(folder, CONTROL_FILE), constants.R_OK | constants.W_OK);
  } catch (error) {
    throw errors.folderUnusable(folder, error);
  }
}

/** With less, PostgreSQL cannot start: it writes a segment of its write-ahead log (16 MB) and a checkpoint. */
const LEAST_START_BYTES = 1_000_000;

/** Translates an error of opening the embedded database to one whose message names the remedy. */
async function asOpenProblem(thrown: unknown, dataDirectory: string): Promise<unknown> {
  const problem = asDatabaseDamage(thrown, dataDirectory);
  if (isFull(thrown)) return shortageError(thrown) ?? thrown;
  if (!(problem instanceof ParlanceError) || problem.code !== "database.damaged") return problem;
  // PostgreSQL that cannot write ends in the same way as PostgreSQL that finds damage.
  const { bavail, bsize, ffree, files } = await statfs(dataDirectory);
  const isFullDisk = bavail * bsize < LEAST_START_BYTES || (files > 0 && ffree === 0);
  return isFullDisk ? errors.storageFull(bavail * bsize, 0, dataDirectory) : problem;
}

/** Opening takes about 5 s; without a bound, a start could wait for it forever. */
const MAKE_TIMEOUT_MILLISECONDS = 120_000;

const unfinishedOf = (folder: string) => `${folder}.unfinished-`;

/** Removes what interrupted starts left of a database that they were creating. */
async function removeUnfinished(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  const left = (await readdir(parent)).map((name) => path.join(parent, name));
  await Promise.all(
    left
      .filter((one) => one.startsWith(unfinishedOf(folder)))
      // A folder that is still written to is removed at the next start.
      .map((one) => rm(one, { recursive: true, force: true }).catch(() => undefined)),
  );
}

/** Of the embedded database. */

/** SQLSTATE classes of damage: XX internal error and data corrupted, 58 system error. */
const DAMAGE_STATES = /^(XX|58)/;
/** PGlite says no more of a database that PostgreSQL refuses. */
const REFUSALS = /Aborted\(\)|failed to initialize|unreachable|memory access out of bounds|RuntimeError/i;

/**
 * Translates an error of opening or first reading the embedded database. An error that means damage gets a message with the remedy.
 * @param dataDirectory  in which the database lies
 */
export function asDatabaseDamage(thrown: unknown, dataDirectory: string): unknown {
  if (thrown instanceof ParlanceError || isFull(thrown)) return thrown;
  const { code, message } = thrown as { code?: unknown; message?: string };
  const isDamage = DAMAGE_STATES.test(String(code ?? "")) || REFUSALS.test(message ?? "");
  if (!isDamage) return thrown;
  const reason = REFUSALS.test(message ?? "") ? "PostgreSQL cannot start on its files" : (message ?? "").split("\n")[0];
  return errors.databaseDamaged(databaseFolder(dataDirectory), reason ?? "", thrown);
}

/** A new database takes 24 MB, and another segment of its write-ahead log when it is used. */
const NEW_DATABASE_BYTES = 40_000_000;

/** It is there as a whole or not at all, whatever ends this process or the machine meanwhile. */
async function makeDatabase(folder: string, disk: Disk): Promise<void> {
  let unfinished: string | undefined;
  try {
    unfinished = await mkdtemp(unfinishedOf(folder));
    if (!copyPreparedDatabase(unfinished)) {
      const file = entryFile("./embedded/make-database.js", import.meta.url);
      await runModule(file, {
        arguments: [unfinished],
        environment: childEnvironment(temporaryFolder(path.dirname(folder))),
        timeoutMilliseconds: MAKE_TIMEOUT_MILLISECONDS,
      });
    }
    await disk.syncTree(unfinished);
    await rmdir(folder);
    await rename(unfinished, folder);
    await disk.syncFolder(path.dirname(folder));
  } catch (error) {
    if (unfinished) await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
    const { bavail, bsize } = await statfs(path.dirname(folder));
    // The process that makes a database ends with a message of PostgreSQL's when the disk is full.
    if (!isFull(error) && bavail * bsize < NEW_DATABASE_BYTES) {
      throw errors.storageFull(bavail * bsize, NEW_DATABASE_BYTES, path.dirname(folder));
    }
    throw shortageError(error) ?? errors.folderUnusable(folder, error);
  }
}

/** @throws database.unavailable, database.encoding */
async function checkEncoding(database: Database, databaseUrl: string): Promise<void> {
  try {
    const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(database);
    const encoding = rows[0]?.server_encoding ?? "";
    if (encoding !== "UTF8") throw errors.databaseEncoding(encoding);
  } catch (error) {
    await database.destroy().catch(() => undefined);
    throw asPostgresProblem(error, addressOf(databaseUrl));
  }
}

/** @throws settings.invalid */
function addressOf(databaseUrl: string): PostgresAddress {
  const address = parsePostgresAddress(databaseUrl);
  if ("problem" in address) throw errors.invalidSettings([`DATABASE_URL ${address.problem}`]);
  return address;
}

/** Tables that both an unused database and one of this service lack. */
const OWN_TABLES = ["accounts", "api_keys", "files", "jobs", "deliveries", "live_sessions", "machines", "deployment"];
const MIGRATIONS_TABLE = "kysely_migration";

/**
 * Makes the schema that the address names, where it is missing.
 * @returns the schema of the tables
 * @throws database.refused where the tables of another program are there
 */
async function prepareSchema(database: Database, address: PostgresAddress): Promise<string> {
  if (address.schema !== undefined) {
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${address.schema}`.execute(database);
    if (rows.length === 0) await sql`create schema if not exists ${sql.id(address.schema)}`.execute(database);
  }
  const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(database);
  const schema = rows[0]?.schema;
  if (!schema)
    throw errors.databaseRefused(
      `PostgreSQL at ${placeOf(address)}: the role's search_path names no schema that exists. Make one, or name one in DATABASE_URL: ?schema=NAME`,
    );
  const found = await sql<{ name: string }>`
    select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'v', 'p') and nspname = ${schema} and relname in (${sql.join([...OWN_TABLES, MIGRATIONS_TABLE])})`.execute(
    database,
  );
  const names = found.rows.map(({ name }) => name);
  if (names.length > 0 && !names.includes(MIGRATIONS_TABLE)) {
    throw errors.databaseRefused(
      `PostgreSQL at ${placeOf(address)}: the schema ${schema} has tables of another program (${names.join(", ")}). Use a database of its own, or another schema: ?schema=NAME`,
    );
  }
  return schema;
}

/** @throws database.unavailable */
async function withClock(database: Database): Promise<Database> {
  const destroy = database.destroy.bind(database);
  try {
    const unfollow = await followClock(database, embedded.has(database));
    database.destroy = async () => {
      unfollow();
      await destroy();
    };
    return database;
  } catch (error) {
    await destroy().catch(() => undefined);
    throw error;
  }
}

/** Ends statements of the embedded database that never finish. */
const limitStatements = (database: Database) => embedded.get(database)?.limitStatements();

/** A condition `in` with an empty list matches no row, and `not in` each one. PostgreSQL refuses `in ()`. */
const emptyLists = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });

/**
 * Connects and, unless `migrates` is false, brings the tables up to date. Safe to call again on the same database.
 * @param databaseUrl  PostgreSQL address, or "" for the embedded database below `dataDirectory`
 * @param disk         whether the embedded database syncs its commits; a server has settings of its own for that
 * @throws database.unavailable when the server does not answer; database.damaged when the embedded database cannot be read;
 *         database.newer when a newer version made the tables; Error when a migration fails
 */
export async function openDatabase(
  databaseUrl: string,
  dataDirectory: string,
  disk = new Disk(true),
  { migrates = true, connections }: { migrates?: boolean; connections?: number } = {},
): Promise<Database> {
  const dialect = await chooseDialect(databaseUrl, dataDirectory, disk, connections);
  const database = new Kysely<DatabaseSchema>({ dialect, plugins: [emptyLists] });
  if ("backUp" in dialect) {
    embedded.set(database, dialect);
    notifiesFromThread(database, dialect);
  } else notifiesFromServer(database, addressOf(databaseUrl), await poolMaker());
  if (databaseUrl !== "") await checkEncoding(database, databaseUrl);
  if (!migrates) {
    if (databaseUrl !== "") return withClock(database);
    // The first statement opens the embedded database and fails if it is damaged.
    await sql`select 1`.execute(database).catch(async (error: unknown) => {
      await database.destroy().catch(() => undefined);
      throw await asOpenProblem(error, dataDirectory);
    });
    limitStatements(database);
    return withClock(database);
  }
  // A change of large tables takes its time.
  const patient =
    databaseUrl === ""
      ? database
      : new Kysely<DatabaseSchema>({
          plugins: [emptyLists],
          dialect: new PostgresDialect({
            pool: (await poolMaker())({ address: addressOf(databaseUrl), connections: 1, queryMilliseconds: 0 }),
          }),
        });
  const migrated = await (databaseUrl === ""
    ? migrate(patient)
    : prepareSchema(database, addressOf(databaseUrl)).then((schema) => migrate(patient, schema))
  ).catch((error: unknown) => ({ error, isNewer: false }));
  if (patient !== database) await patient.destroy();
  if (migrated.error !== undefined) {
    const error = await asNewerDatabase(migrated.error, database);
    await database.destroy().catch(() => undefined);
    if (databaseUrl === "") throw await asOpenProblem(error, dataDirectory);
    throw asPostgresProblem(error, addressOf(databaseUrl));
  }
  try {
    if (!migrated.isNewer) await noteVersion(database);
  } catch (error) {
    await database.destroy().catch(() => undefined);
    throw error;
  }
  limitStatements(database);
  return withClock(database);
}
