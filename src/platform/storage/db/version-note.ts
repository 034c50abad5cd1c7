// Which version of Parlance the tables of a database belong to, so that an older one can name the version that is needed.
import { type Kysely, sql } from "kysely";
import { errors } from "../../errors.ts";
import { packageVersion } from "../../process/package-version.ts";
import { deploymentFact, setDeploymentFact } from "./deployment.ts";
import type { Database, DatabaseSchema } from "./schema.ts";

/** The migrator's words for a database that has migrations which this version does not. */
const UNKNOWN_MIGRATION = /^corrupted migrations: previously executed migration (\S+) is missing/;

/** Call it when the tables are up to date. */
export async function noteVersion(database: Database): Promise<void> {
  const own = await packageVersion();
  if ((await deploymentFact(database, "version")) !== own) await setDeploymentFact(database, "version", own);
}

/**
 * @param thrown  by a migration of `database`
 * @returns database.newer where a newer version made the tables and left its name; otherwise what was thrown
 */
export async function asNewerDatabase(thrown: unknown, database: Kysely<DatabaseSchema>): Promise<unknown> {
  const [, migration] = UNKNOWN_MIGRATION.exec((thrown as Error)?.message ?? "") ?? [];
  if (migration === undefined) return thrown;
  // The table is missing in a database of another program.
  const found = await sql<{ value: string }>`select value from deployment where name = 'version'`
    .execute(database)
    .catch(() => undefined);
  const version = found?.rows[0]?.value;
  return version === undefined ? thrown : errors.databaseNewer(version, await packageVersion(), migration);
}
