// Opens the database and the object store.
import path from "node:path";
import { v7 as uuid } from "uuid";
import type { Settings } from "../platform/config/settings.ts";
import { packageVersion } from "../platform/process/package-version.ts";
import { weakCommitSettings } from "../platform/storage/db/commit-settings.ts";
import { type Database, openDatabase } from "../platform/storage/db/database.ts";
import { Duties } from "../platform/storage/db/duties.ts";
import { workerName, workerNamePrefix } from "../platform/storage/db/jobs/leases.ts";
import { Signals } from "../platform/storage/db/signals.ts";
import { diskOf } from "../platform/storage/disk/disk.ts";
import { Fence } from "../platform/storage/fence.ts";
import { FreeSpace } from "../platform/storage/free-space.ts";
import { enterDatabase } from "../platform/storage/machine-name.ts";
import { FileStore } from "../platform/storage/objects/file-store.ts";
import type { ObjectStore } from "../platform/storage/objects/object-store.ts";
import { prepareFolders } from "../platform/storage/prepare-folders.ts";
import { Quarantine } from "../platform/storage/quarantine.ts";
import { StoreReach } from "../platform/storage/store-identity.ts";
import { whenPossible } from "../platform/storage/when-possible.ts";
import { prepareAccounts } from "../service/accounts/first-account.ts";
import { FirstKey } from "../service/accounts/first-key.ts";
import type { BackupOptions } from "../service/operations/backup/backup.ts";
import type { Base } from "./base.ts";

/** Where recordings and results lie. @param space  of the data folder; without it, local copies do not check the disk */
export async function objectStore(
  settings: Settings,
  disk = diskOf(settings),
  space?: FreeSpace,
): Promise<ObjectStore> {
  const folder = path.join(settings.dataDirectory, "objects");
  if (settings.s3Bucket === "") return new FileStore(folder, disk);
  // The client's library is loaded by those who need it.
  const { S3Store } = await import("../platform/storage/objects/s3-store.ts");
  return new S3Store({
    endpoint: settings.s3Endpoint,
    region: settings.s3Region,
    bucket: settings.s3Bucket,
    prefix: settings.s3Prefix,
    pathStyle: settings.s3PathStyle,
    accessKeyId: settings.s3AccessKeyId,
    secretAccessKey: settings.s3SecretAccessKey,
    cache: folder,
    cacheBytes: settings.s3CacheBytes,
    disk,
    ...(space ? { space } : {}),
  });
}

export async function backupOptionsOf(settings: Settings, database: Database): Promise<BackupOptions> {
  const { dataDirectory, s3Bucket } = settings;
  const version = await packageVersion();
  return { database, dataDirectory, hasOwnObjects: s3Bucket === "", version, now: () => new Date() };
}

/** A database that is started together with the service is waited for. */
export const DATABASE_START_MILLISECONDS = 20_000;

/** Database, object store, and proof that this process may use them. */
export async function openStores({ settings, logger, started, undo, onTakenOver }: Base) {
  const { lock, roles } = started;
  const disk = diskOf(settings);
  const database = await whenPossible(
    () =>
      openDatabase(settings.databaseUrl, settings.dataDirectory, disk, { connections: settings.databaseConnections }),
    // Nothing else makes room for the embedded database while it starts.
    settings.databaseUrl === "" ? AbortSignal.abort() : AbortSignal.timeout(DATABASE_START_MILLISECONDS),
    (error) => logger.warn({ err: error }, "waiting for the database"),
  );
  undo.push(() => database.destroy(), "database");
  const weak = settings.databaseUrl === "" ? [] : await weakCommitSettings(database);
  if (weak.length > 0) logger.warn({ settings: weak }, "PostgreSQL may lose acknowledged work in a power cut");
  const isOnlyProcess = settings.databaseUrl === "";
  const quarantine = new Quarantine(settings.dataDirectory, logger);
  await prepareFolders(settings.dataDirectory, quarantine);
  const naming = { lock, database, isOnlyProcess, quarantine, disk, newName: uuid, logger };
  const { machine, isNew, generation } = await enterDatabase(naming);
  const fence = new Fence({ lock, database, machine, generation, onTakenOver });
  fence.start();
  undo.push(() => fence.stop(), "fence");
  const duties = new Duties(database, workerName({ machine, generation }), isOnlyProcess);
  await duties.releaseEarlier(workerNamePrefix(machine));
  undo.push(() => duties.release().catch(() => undefined), "duties");
  const signals = new Signals({ database, machine, logger });
  signals.on("machines", () => fence.recheck());
  signals.on("duties", () => duties.forget());
  signals.onPulse((pulse) => {
    if (pulse.generation !== null) fence.note(pulse.generation);
    duties.note(pulse.duties);
  });
  signals.start();
  undo.push(() => signals.stop(), "signals");
  const needsKey = settings.apiKey === "" && !settings.anonymous && roles.has("api");
  const firstKey = new FirstKey(settings.dataDirectory, disk);
  const { account } = await prepareAccounts(database, needsKey ? firstKey : false, uuid);
  const space = new FreeSpace(settings.dataDirectory, settings.reserveBytes);
  const objects = await objectStore(settings, disk, space);
  undo.push(() => objects.stop(), "objects");
  const identity = { database, objects, isOnlyProcess, newId: uuid };
  const reach = new StoreReach({ ...identity, logger, onOtherStore: onTakenOver });
  await reach.start();
  undo.push(() => reach.stop(), "check of the object store");

  return {
    disk,
    database,
    isOnlyProcess,
    quarantine,
    machine,
    isNew,
    generation,
    duties,
    signals,
    fence,
    firstKey,
    account,
    space,
    objects,
    reach,
  };
}

export type Stores = Awaited<ReturnType<typeof openStores>>;
