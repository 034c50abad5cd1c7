// Brings the tables of a database up to date, whichever engine it runs on.
import { type Migration, Migrator, sql } from "kysely";
import { retry } from "../../process/retry.ts";
import { deploymentFact, setDeploymentFact } from "./deployment.ts";
import * as foundation from "./migrations/0001-foundation.ts";
import * as live from "./migrations/0002-live.ts";
import * as accountsAndCallbacks from "./migrations/0003-accounts-and-callbacks.ts";
import * as transcripts from "./migrations/0004-transcripts.ts";
import * as manyMachines from "./migrations/0005-many-machines.ts";
import * as traces from "./migrations/0006-traces.ts";
import * as wantedJobs from "./migrations/0007-wanted-jobs.ts";
import * as tenantsApart from "./migrations/0008-tenants-apart.ts";
import * as access from "./migrations/0009-access.ts";
import * as safeStarts from "./migrations/0010-safe-starts.ts";
import * as deployment from "./migrations/0011-deployment.ts";
import * as plainSearch from "./migrations/0012-plain-search.ts";
import * as voices from "./migrations/0013-voices.ts";
import * as attempts from "./migrations/0014-attempts.ts";
import * as countedWork from "./migrations/0015-counted-work.ts";
import * as signals from "./migrations/0016-signals.ts";
import * as tombstones from "./migrations/0017-tombstones.ts";
import * as requestTokens from "./migrations/0018-request-tokens.ts";
import * as recordings from "./migrations/0019-recordings.ts";
import * as changes from "./migrations/0020-changes.ts";
import * as processReports from "./migrations/0021-process-reports.ts";
import * as liveSources from "./migrations/0022-live-sources.ts";
import * as viewers from "./migrations/0026-viewers.ts";
import * as uploads from "./migrations/0027-uploads.ts";
import * as teaching from "./migrations/0028-teaching.ts";
import * as notes from "./migrations/0029-notes.ts";
import * as fleetModels from "./migrations/0030-fleet-models.ts";
import * as vocabularyLists from "./migrations/0031-vocabulary-lists.ts";
import * as dotlessI from "./migrations/0032-dotless-i.ts";
import * as vocabularyListVersions from "./migrations/0033-vocabulary-list-versions.ts";
import * as additions from "./migrations/0034-additions.ts";
import * as shares from "./migrations/0035-shares.ts";
import * as laterAddOns from "./migrations/0036-later-add-ons.ts";
import * as tags from "./migrations/0037-tags.ts";
import * as expectedEnd from "./migrations/0038-expected-end.ts";
import * as cheapLists from "./migrations/0040-cheap-lists.ts";
import * as deferredLengths from "./migrations/0041-deferred-lengths.ts";
import * as divisions from "./migrations/0042-divisions.ts";
import * as servedSessions from "./migrations/0043-served-sessions.ts";
import type { Database } from "./schema.ts";
import { isConflict } from "./transaction.ts";

const MIGRATIONS = {
  "0001-foundation": foundation,
  "0002-live": live,
  "0003-accounts-and-callbacks": accountsAndCallbacks,
  "0004-transcripts": transcripts,
  "0005-many-machines": manyMachines,
  "0006-traces": traces,
  "0007-wanted-jobs": wantedJobs,
  "0008-tenants-apart": tenantsApart,
  "0009-access": access,
  "0010-safe-starts": safeStarts,
  "0011-deployment": deployment,
  "0012-plain-search": plainSearch,
  "0013-voices": voices,
  "0014-attempts": attempts,
  "0015-counted-work": countedWork,
  "0016-signals": signals,
  "0017-tombstones": tombstones,
  "0018-request-tokens": requestTokens,
  "0019-recordings": recordings,
  "0020-changes": changes,
  "0021-process-reports": processReports,
  "0022-live-sources": liveSources,
  "0026-viewers": viewers,
  "0027-uploads": uploads,
  "0028-teaching": teaching,
  "0029-notes": notes,
  "0030-fleet-models": fleetModels,
  "0031-vocabulary-lists": vocabularyLists,
  "0032-dotless-i": dotlessI,
  "0033-vocabulary-list-versions": vocabularyListVersions,
  "0034-additions": additions,
  "0035-shares": shares,
  "0036-later-add-ons": laterAddOns,
  "0037-tags": tags,
  "0038-expected-end": expectedEnd,
  "0040-cheap-lists": cheapLists,
  "0041-deferred-lengths": deferredLengths,
  "0042-divisions": divisions,
  "0043-served-sessions": servedSessions,
};

/**
 * Last migration of the oldest version that can use the tables as they are now (expand and contract). A migration that only adds does not
 * change this value. A migration that removes or renames something sets it to the last migration of the first version that does not use it.
 */
const USABLE_FROM = "0015-counted-work";
const LAST = Object.keys(MIGRATIONS).sort().at(-1) ?? "";

/**
 * Longest wait of a migration for a lock. Statements of other processes on the table wait behind it meanwhile. After this time, the migration
 * fails and is repeated.
 */
const LOCK_TIMEOUT = "4s";
/** SQLSTATE of a lock that was not granted in this time. */
const LOCK_NOT_AVAILABLE = "55P03";
/** The tries of a migration take about ten minutes together. */
const MOST_TRIES = 100;
const MOST_PAUSE_MILLISECONDS = 4_000;

/** Where the migrator looks for its table when it is not given a schema. */
const DEFAULT_SCHEMA = "public";

export interface MigrationState {
  last: string;
  /** Migrations of this version that the database lacks. */
  pending: string[];
  /** Those that it has of a newer version. */
  newer: string[];
  /** Whether this version can work with the tables of the newer one. */
  isUsable: boolean;
}

/** @returns undefined where there are no tables yet */
export async function migrationState(database: Database): Promise<MigrationState | undefined> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(database);
  if (!found[0]?.exists) return undefined;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database);
  const executed = rows.map(({ name }) => name).sort();
  const own = Object.keys(MIGRATIONS);
  const newer = executed.filter((name) => !own.includes(name));
  return {
    last: executed.at(-1) ?? "",
    pending: own.filter((name) => !executed.includes(name)),
    newer,
    isUsable: newer.length === 0 || (await isUsableNewer(database)),
  };
}

/** Whether the database has every table and column of this version. */
export const isMigrated = (state: MigrationState | undefined): boolean =>
  state !== undefined && state.pending.length === 0;

/** Whether a newer version made the tables, and this one can work with them: they have everything that this one made, and its rows. */
async function isUsableNewer(database: Database): Promise<boolean> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null and to_regclass('deployment') is not null as exists`.execute(
    database,
  );
  if (!found[0]?.exists) return false;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database);
  const executed = new Set(rows.map(({ name }) => name));
  const isNewer = rows.some(({ name }) => name > LAST);
  if (!isNewer || !Object.keys(MIGRATIONS).every((name) => executed.has(name))) return false;
  const usableFrom = await deploymentFact(database, "schema_usable_from");
  return usableFrom !== undefined && usableFrom <= LAST;
}

const withLockTimeout = (migration: Migration): Migration => ({
  up: async (db) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(db);
    await migration.up(db);
  },
});

/**
 * Runs pending migrations while other processes may use the tables. Each migration has its own transaction, which releases its locks early. A
 * migration that conflicts with other transactions is repeated. Another process may run some of the migrations meanwhile.
 */
async function migrateBesideOthers(migrator: Migrator, pending: number): Promise<void> {
  const mayRepeat = (error: unknown) => isConflict(error) || (error as { code?: string }).code === LOCK_NOT_AVAILABLE;
  const next = async () => {
    const { error } = await migrator.migrateUp();
    if (error !== undefined) throw error;
  };
  for (let number = 0; number < pending; number++) {
    await retry(next, {
      pauseAfter: (error, tries) =>
        tries < MOST_TRIES && mayRepeat(error) ? Math.random() * MOST_PAUSE_MILLISECONDS : undefined,
    });
  }
}

/** @returns what went wrong, if anything did */
async function runPending(migrator: Migrator): Promise<unknown> {
  try {
    const migrations = await migrator.getMigrations();
    const pending = migrations.filter(({ executedAt }) => executedAt === undefined).length;
    // Nothing uses a database without tables: one transaction makes all of them.
    if (pending < migrations.length) await migrateBesideOthers(migrator, pending);
  } catch (error) {
    return error;
  }
  return (await migrator.migrateToLatest()).error;
}

/**
 * Brings the tables up to date. Those of a newer version that this one can work with stay as they are.
 * @param schema  of the tables; the search_path of the connections names it first
 * @returns what went wrong, if anything did
 */
export async function migrate(
  database: Database,
  schema = DEFAULT_SCHEMA,
): Promise<{ error?: unknown; isNewer: boolean }> {
  if (await isUsableNewer(database)) return { isNewer: true };
  const migrations = Object.entries(MIGRATIONS).map(([name, migration]) => [name, withLockTimeout(migration)]);
  const migrator = new Migrator({
    db: database,
    ...(schema === DEFAULT_SCHEMA ? {} : { migrationTableSchema: schema }),
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
  });
  const error = await runPending(migrator);
  if (error !== undefined) return { error, isNewer: false };
  if ((await deploymentFact(database, "schema_usable_from")) !== USABLE_FROM)
    await setDeploymentFact(database, "schema_usable_from", USABLE_FROM);
  return { isNewer: false };
}
