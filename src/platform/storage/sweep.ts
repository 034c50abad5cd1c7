// Finds what processes that were killed left in the data folder. Temporary files are deleted; objects that no row of the database
// names are moved to the quarantine, and copies of objects in a bucket are deleted.
import { lstat, readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import type { Database } from "./db/database.ts";
import { plannedKeys } from "./db/files/object-removals.ts";
import { knownUploads } from "./db/files/uploads.ts";
import { isUuid } from "./db/ids.ts";
import { type KeptRows, keptRows } from "./db/upkeep/kept-rows.ts";
import { IDENTITY_KEY } from "./objects/keys.ts";
import { bytesBelow, type Quarantine } from "./quarantine.ts";

export interface Found {
  count: number;
  bytes: number;
}

export interface SweepReport {
  /** Temporary files and folders, and working files of jobs that have ended or are gone. */
  temporary: Found;
  /** Objects without a row. */
  unknown: Found;
  /** Files in the folders of objects that this program did not create; they are kept. */
  foreign: Found;
  /** Set if so many objects have no row that the database must be another one: nothing was moved. */
  isOtherDatabase: boolean;
}

export interface SweepOptions {
  database: Database;
  dataDirectory: string;
  modelsDirectory: string;
  /** Whether the objects are the files of the data folder; otherwise these are copies of objects in a bucket. */
  hasOwnObjects: boolean;
  quarantine: Quarantine;
  /** What changed after this moment may be in use. */
  before: Date;
  /** The same for files of the objects folder that only this machine writes: unfinished ones, and copies of objects in a bucket; by default `before`. */
  copiesBefore?: Date;
  /** Only looks. */
  isDryRun: boolean;
  signal?: AbortSignal;
  logger?: Logger;
}

const BATCH = 500;
/** So many unknown objects, and more than half of all, mean that the database is not the one of this data folder. */
const LEAST_FOR_OTHER_DATABASE = 20;

/** Longest time that adding a model takes. */
const SHARED_MODELS_AGE_MILLISECONDS = 24 * 3_600_000;

/** Number of an attempt at the end of a name, with the request for add-ons that it was made for. */
const ATTEMPT = /(?:\.[0-9a-f-]{36})?\.\d+$/;

/** @param named  key in the row; objects of other attempts of the same job are unused */
const isCurrent = (named: string | undefined, id: string, key: string) =>
  named !== undefined && (named === key || !named.includes(id));

const none = (): Found => ({ count: 0, bytes: 0 });

class Sweep {
  readonly report: SweepReport = {
    temporary: none(),
    unknown: none(),
    foreign: none(),
    isOtherDatabase: false,
  };
  private readonly objectsFolder: string;
  private readonly unknownFiles: { file: string; reason: string }[] = [];
  private known = 0;

  constructor(private readonly options: SweepOptions) {
    this.objectsFolder = path.join(options.dataDirectory, "objects");
  }

  async run(): Promise<SweepReport> {
    await this.temporaryFiles();
    await this.workFolders();
    await this.uploadFolders();
    if (!this.options.hasOwnObjects && (await this.wasStore())) return this.report;
    // The names of an attempt's recording and result end in its number.
    await this.objects(
      "audio",
      (name) => name.replace(ATTEMPT, ""),
      ({ files }, id, key) => isCurrent(files.get(id), id, key),
    );
    // Of a file, or a folder of those of its tracks.
    await this.objects(
      "peaks",
      (name) => name.replace(/\.json$/, ""),
      ({ files }, id) => files.has(id),
    );
    await this.objects(
      "results",
      (name) => name.replace(/\.json$/, "").replace(ATTEMPT, ""),
      ({ results }, id, key) => isCurrent(results.get(id), id, key),
    );
    if (this.options.hasOwnObjects) await this.quarantineUnknown();
    return this.report;
  }

  /** Whether the folder was itself a store before: its files may be the only ones, of another database. */
  private wasStore(): Promise<boolean> {
    return lstat(path.join(this.objectsFolder, IDENTITY_KEY)).then(
      () => true,
      () => false,
    );
  }

  private async temporaryFiles(): Promise<void> {
    const { dataDirectory, modelsDirectory } = this.options;
    await this.eachIn(path.join(dataDirectory, "tmp"), () => true);
    await this.eachIn(
      dataDirectory,
      (name) => name.endsWith(".part") || /^(database\.unfinished-|restore\.unfinished$)/.test(name),
    );
    // Other services and commands may be adding a model to a folder elsewhere.
    const isOwn = path.resolve(modelsDirectory).startsWith(path.resolve(dataDirectory) + path.sep);
    const age = isOwn ? 0 : SHARED_MODELS_AGE_MILLISECONDS;
    await this.eachIn(modelsDirectory, (name) => /^\.(making|removed)-/.test(name), age);
    const { before, copiesBefore = before, hasOwnObjects } = this.options;
    for (const folder of ["audio", "peaks", "results"]) {
      await this.eachIn(path.join(this.objectsFolder, folder), (name) => name.endsWith(".part"), 0, copiesBefore);
    }
    // A process that stores a model in a bucket removes its copy.
    if (!hasOwnObjects) await this.eachIn(path.join(this.objectsFolder, "models"), () => true, 0, copiesBefore);
    for (const folder of ["jobs", "live", "peaks", "uploads"]) {
      for (const id of (await namesIn(path.join(this.objectsFolder, folder))).filter(isUuid)) {
        const own = path.join(this.objectsFolder, folder, id);
        await this.eachIn(own, (name) => name.endsWith(".part"), 0, copiesBefore);
        for (const attempt of (await namesIn(own)).filter((name) => /^\d+$/.test(name)))
          await this.eachIn(path.join(own, attempt), (name) => name.endsWith(".part"), 0, copiesBefore);
      }
    }
  }

  private async eachIn(
    folder: string,
    isTemporary: (name: string) => boolean,
    leastAge = 0,
    before = this.options.before,
  ): Promise<void> {
    for (const name of (await namesIn(folder)).filter(isTemporary))
      await this.discard(path.join(folder, name), leastAge, before);
  }

  private async workFolders(): Promise<void> {
    const folder = path.join(this.objectsFolder, "jobs");
    const ids = (await namesIn(folder)).filter(isUuid);
    for (let at = 0; at < ids.length; at += BATCH) {
      const batch = ids.slice(at, at + BATCH);
      const { unfinished } = await keptRows(this.options.database, batch);
      for (const id of batch) if (!unfinished.has(id)) await this.discard(path.join(folder, id));
    }
  }

  /** Parts that a replaced or killed request stored after the upload was removed. */
  private async uploadFolders(): Promise<void> {
    const folder = path.join(this.objectsFolder, "uploads");
    const ids = (await namesIn(folder)).filter(isUuid);
    for (let at = 0; at < ids.length; at += BATCH) {
      const batch = ids.slice(at, at + BATCH);
      const known = await knownUploads(this.options.database, batch);
      for (const id of batch) if (!known.has(id)) await this.discard(path.join(folder, id));
    }
  }

  /** Deletes what is old enough. */
  private async discard(file: string, leastAge = 0, before = this.options.before): Promise<void> {
    this.options.signal?.throwIfAborted();
    if (!(await this.isOld(file, leastAge, before))) return;
    this.add(this.report.temporary, await bytesBelow(file));
    if (this.options.isDryRun) return;
    await rm(file, { recursive: true, force: true }).catch((error: unknown) =>
      this.options.logger?.warn({ err: error, file }, "a temporary file could not be deleted"),
    );
  }

  private async objects(
    folder: string,
    idOf: (name: string) => string,
    isKnown: (rows: KeptRows, id: string, key: string) => boolean,
  ): Promise<void> {
    const place = path.join(this.objectsFolder, folder);
    const names = (await namesIn(place)).filter((name) => !name.endsWith(".part"));
    for (let at = 0; at < names.length; at += BATCH) {
      const batch = names.slice(at, at + BATCH);
      const rows = await keptRows(this.options.database, batch.map(idOf).filter(isUuid));
      const planned = await plannedKeys(
        this.options.database,
        batch.map((name) => `${folder}/${name}`),
      );
      for (const name of batch) {
        this.options.signal?.throwIfAborted();
        const file = path.join(place, name);
        const id = idOf(name);
        if (!isUuid(id)) this.add(this.report.foreign, await bytesBelow(file));
        else if (isKnown(rows, id, `${folder}/${name}`)) this.known++;
        // Its row is deleted; the removal of the object is planned.
        else if (this.options.hasOwnObjects && planned.has(`${folder}/${name}`)) continue;
        // Its row was deleted while this machine was off, or was never stored.
        else if (!this.options.hasOwnObjects) await this.discardCopy(file);
        else if (await this.isOld(file)) {
          this.add(this.report.unknown, await bytesBelow(file));
          this.unknownFiles.push({ file, reason: `this object has no row in the database (${folder})` });
        }
      }
    }
  }

  private async discardCopy(file: string): Promise<void> {
    const { before, copiesBefore = before, isDryRun } = this.options;
    const found = await lstat(file).catch(() => undefined);
    if (!found || found.mtimeMs >= copiesBefore.getTime()) return;
    this.add(this.report.temporary, await bytesBelow(file));
    if (!isDryRun) await rm(file, { recursive: true, force: true });
  }

  private async quarantineUnknown(): Promise<void> {
    const { isDryRun, quarantine, logger } = this.options;
    const { length } = this.unknownFiles;
    if (length >= LEAST_FOR_OTHER_DATABASE && length > this.known) {
      this.report.isOtherDatabase = true;
      logger?.error(
        { unknown: length, known: this.known },
        "fewer than half of the objects in the data folder have a row in the database; is it the right database? Nothing was moved",
      );
      return;
    }
    if (!isDryRun) for (const { file, reason } of this.unknownFiles) await quarantine.move(file, reason);
  }

  /** @param leastAge  milliseconds */
  private async isOld(file: string, leastAge = 0, before = this.options.before): Promise<boolean> {
    const found = await lstat(file).catch(() => undefined);
    return found !== undefined && found.mtimeMs < before.getTime() - leastAge;
  }

  private add(found: Found, bytes: number): void {
    found.count++;
    found.bytes += bytes;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

export async function sweepDataFolder(options: SweepOptions): Promise<SweepReport> {
  return new Sweep(options).run();
}
