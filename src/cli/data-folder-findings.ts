// Checks of `parlance doctor` on the data folder: which process uses it, whether the embedded database opens, entries of the quarantine,
// and leftovers of killed processes. Changes nothing.
import { constants, existsSync } from "node:fs";
import { access } from "node:fs/promises";
import path from "node:path";
import { v7 as uuid } from "uuid";
import { objectStore } from "../compose/compose.ts";
import { firstOf } from "../contract/first-of.ts";
import type { Settings } from "../platform/config/settings.ts";
import { errors, toParlanceError } from "../platform/errors.ts";
import { secretsState } from "../platform/storage/db/accounts/callback-secrets.ts";
import { weakCommitSettings } from "../platform/storage/db/commit-settings.ts";
import { type Database, openDatabase } from "../platform/storage/db/database.ts";
import { deploymentFact } from "../platform/storage/db/deployment.ts";
import { clusterState, databaseFolder } from "../platform/storage/db/embedded/cluster-files.ts";
import { dueRemovals } from "../platform/storage/db/files/object-removals.ts";
import { isMigrated, migrationState } from "../platform/storage/db/migrate.ts";
import { databaseBytes } from "../platform/storage/db/upkeep/upkeep.ts";
import { lockDirectory } from "../platform/storage/directory-lock.ts";
import { diskOf } from "../platform/storage/disk/disk.ts";
import { Quarantine } from "../platform/storage/quarantine.ts";
import { type StoreState, storeState } from "../platform/storage/store-identity.ts";
import { type Found, sweepDataFolder } from "../platform/storage/sweep.ts";
import { lockedJobs } from "../service/callbacks/job-secrets.ts";
import { lockedRequests, lockedSecrets } from "../service/callbacks/locked-secrets.ts";
import { SecretSealer } from "../service/callbacks/secret-sealer.ts";
import { modelStore } from "../service/models/store-settings.ts";
import { VoiceSeals } from "../service/voices/voice-seals.ts";
import { type Finding, reasonOf } from "./findings.ts";
import { fleetFindings } from "./fleet-findings.ts";

/** Entries of the quarantine that are shown one by one. */
const MOST_SHOWN = 20;
const MOST_COUNTED = 10_000;
const NOT_SYNCED: Readonly<Record<string, string>> = {
  never: "; PARLANCE_FSYNC=never: a power cut loses the last half minute",
};

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const amount = ({ count, bytes }: Found, one: string, many: string) =>
  `${count} ${count === 1 ? one : many} (${megabytes(bytes)})`;

async function quarantined({ dataDirectory }: Settings): Promise<Finding[]> {
  const what = "quarantine";
  const entries = await new Quarantine(dataDirectory).list();
  if (entries.length === 0) return [{ what, level: "good", detail: "empty" }];
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const found = amount({ count: entries.length, bytes }, "entry", "entries");
  const findings: Finding[] = [
    {
      what,
      level: "warning",
      detail: `${found} that could not be used. Inspect each; move back what you need while the service is stopped, delete the rest`,
    },
  ];
  const { first, rest } = firstOf(entries.toReversed(), MOST_SHOWN);
  for (const { folder, from, reason, at } of first.reverse()) {
    findings.push({ what, level: "warning", detail: `${at} ${from}: ${reason}. It is in ${folder}` });
  }
  if (rest > 0) {
    const where = path.dirname(entries[0]?.folder ?? dataDirectory);
    findings.push({ what, level: "warning", detail: `${rest} earlier ones are in ${where}` });
  }
  return findings;
}

async function leftovers(settings: Settings, database: Database): Promise<Finding> {
  const { length: deletions } = await dueRemovals(database, MOST_COUNTED);
  const { temporary, unknown, foreign, isOtherDatabase } = await sweepDataFolder({
    database,
    dataDirectory: settings.dataDirectory,
    modelsDirectory: modelStore(settings).folder,
    hasOwnObjects: settings.s3Bucket === "",
    quarantine: new Quarantine(settings.dataDirectory),
    before: new Date(),
    isDryRun: true,
  });
  const parts = [
    ...(temporary.count > 0
      ? [`${amount(temporary, "temporary file", "temporary files")}; the next start deletes them`]
      : []),
    ...(deletions > 0
      ? [
          `${deletions < MOST_COUNTED ? deletions : `at least ${deletions}`} objects of deleted jobs, which the service deletes when it runs`,
        ]
      : []),
    ...(unknown.count > 0
      ? [
          `${amount(unknown, "object", "objects")} without a row in the database; ${
            isOtherDatabase
              ? "these are more than half of all objects, so nothing is moved: check DATABASE_URL and PARLANCE_DATA_DIR"
              : "the next start moves them to the quarantine"
          }`,
        ]
      : []),
    ...(foreign.count > 0 ? [`${amount(foreign, "file", "files")} of other programs, which stay`] : []),
  ];
  const level = unknown.count + foreign.count > 0 ? "warning" : "good";
  return { what: "leftovers", level, detail: parts.length === 0 ? "none" : parts.join(". ") };
}

const STORE_STATES: Readonly<Record<StoreState["kind"], string>> = {
  known: "belongs to this database",
  new: "is not registered yet; the next start registers it",
  unmarked: "belongs to this database, but its identity is lost; the next start writes it again",
};

/** Whether the object store is the one of this database. @throws where the database has tables of an earlier version */
async function storeFinding(settings: Settings, database: Database): Promise<Finding> {
  const what = "object store";
  await deploymentFact(database, "object_store");
  const objects = await objectStore(settings);
  try {
    const isOnlyProcess = settings.databaseUrl === "";
    const { kind } = await storeState({ database, objects, isOnlyProcess, newId: uuid });
    return { what, level: kind === "unmarked" ? "warning" : "good", detail: `${objects.place} ${STORE_STATES[kind]}` };
  } catch (error) {
    return { what, level: "bad", detail: reasonOf(error) };
  } finally {
    await objects.stop();
  }
}

/** Whether callback secrets can be opened. @throws where the database has tables of an earlier version */
async function secretsFinding({ secretsKey, previousSecretsKey }: Settings, database: Database): Promise<Finding> {
  const what = "secrets";
  const secrets = new SecretSealer(secretsKey, previousSecretsKey);
  const { locked, isKeyKnown } = await secretsState(database, secrets);
  if (locked.length > 0) return { what, level: "bad", detail: lockedSecrets(locked, secretsKey !== "") };
  const jobs = await lockedJobs(database, { secrets, voices: new VoiceSeals(secretsKey, previousSecretsKey) });
  if (jobs > 0) return { what, level: "bad", detail: lockedRequests(jobs, secretsKey !== "") };
  return isKeyKnown
    ? { what, level: "good", detail: "callback secrets can be opened" }
    : {
        what,
        level: "warning",
        detail: "PARLANCE_SECRETS_KEY was changed; no stored secret needs the former key",
      };
}

/** Opens the embedded database and finds leftovers. */
async function embedded(settings: Settings): Promise<Finding[]> {
  const { dataDirectory } = settings;
  const state = await clusterState(databaseFolder(dataDirectory));
  if (state === "new") return [{ what: "database", level: "good", detail: "embedded; the first start makes it" }];
  let database: Database | undefined;
  try {
    database = await openDatabase("", dataDirectory, diskOf(settings), { migrates: false });
    const { jobs } = await database
      .selectFrom("jobs")
      .select((select) => select.fn.countAll<string>().as("jobs"))
      .executeTakeFirstOrThrow();
    const findings: Finding[] = [
      {
        what: "database",
        level: "good",
        detail: `embedded, in ${dataDirectory}; it opens and has ${jobs} jobs in ${megabytes(await databaseBytes(database))}${NOT_SYNCED[settings.fsync] ?? ""}`,
      },
    ];
    // Tables of an earlier version are brought up to date by the next start.
    const more = [storeFinding, secretsFinding, leftovers].map((find) =>
      find(settings, database as Database).catch(() => undefined),
    );
    findings.push(...(await Promise.all(more)).filter((found) => found !== undefined));
    return findings;
  } catch (error) {
    return [{ what: "database", level: "bad", detail: reasonOf(error) }];
  } finally {
    await database?.destroy().catch(() => undefined);
  }
}

/** @param hasFolder  no other process uses the data folder, so that its leftovers can be found */
async function server(settings: Settings, hasFolder: boolean): Promise<Finding[]> {
  try {
    const open = { migrates: false };
    const database = await openDatabase(settings.databaseUrl, settings.dataDirectory, diskOf(settings), open);
    try {
      const weak = await weakCommitSettings(database);
      const isDurable = weak.length === 0;
      const migrations = await migrationState(database);
      const loss = isDurable ? "" : `, and may lose acknowledged work in a power cut: ${weak.join(", ")}`;
      const findings: Finding[] = [
        {
          what: "database",
          level: isDurable ? "good" : "warning",
          detail: `PostgreSQL answers; the database has ${megabytes(await databaseBytes(database))}${loss}`,
        },
        ...(await fleetFindings(settings, database, migrations)),
      ];
      // Tables of an earlier version are brought up to date by the next start.
      if (!isMigrated(migrations)) return findings;
      const checks = { "object store": storeFinding, secrets: secretsFinding, ...(hasFolder ? { leftovers } : {}) };
      const more = Object.entries(checks).map(([what, find]) =>
        find(settings, database).catch(
          (error: unknown): Finding => ({ what, level: "warning", detail: `could not be checked: ${reasonOf(error)}` }),
        ),
      );
      return [...findings, ...(await Promise.all(more))];
    } finally {
      await database.destroy();
    }
  } catch (error) {
    return [{ what: "database", level: "bad", detail: reasonOf(error) }];
  }
}

/** @returns why the folder cannot be created; undefined if it can */
async function creationProblem(folder: string): Promise<unknown> {
  let above = path.resolve(folder);
  while (!existsSync(above) && above !== path.dirname(above)) above = path.dirname(above);
  try {
    // With a trailing separator, the call fails for a file.
    await access(above + path.sep, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return error;
  }
}

export async function dataFolderFindings(settings: Settings): Promise<Finding[]> {
  const { dataDirectory, databaseUrl } = settings;
  const what = "data folder";
  if (!existsSync(dataDirectory)) {
    const problem = await creationProblem(dataDirectory);
    if (problem !== undefined)
      return [{ what, level: "bad", detail: reasonOf(errors.folderUnusable(dataDirectory, problem)) }];
    return [
      { what, level: "good", detail: `${dataDirectory}; the first start makes it` },
      ...(databaseUrl === "" ? [] : await server(settings, false)),
    ];
  }
  try {
    const lock = await lockDirectory(dataDirectory);
    try {
      return [
        { what, level: "good", detail: `${dataDirectory} is free` },
        ...(databaseUrl === "" ? await embedded(settings) : await server(settings, true)),
        ...(await quarantined(settings)),
      ];
    } finally {
      await lock.release();
    }
  } catch (error) {
    const isRunning = toParlanceError(error).code === "storage.folder_in_use";
    return [
      {
        what,
        level: isRunning ? "good" : "bad",
        detail: isRunning ? (reasonOf(error).split(". ")[0] ?? "") : reasonOf(error),
      },
      // A server has room for one more client, other than the embedded database.
      ...(isRunning && databaseUrl !== "" ? await server(settings, false) : []),
      ...(isRunning ? await quarantined(settings) : []),
    ];
  }
}
