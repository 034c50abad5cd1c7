// Name of a data folder in the database, the same over restarts: which live sessions lie here, which jobs were taken here.
import path from "node:path";
import type { Logger } from "pino";
import type { Database } from "./db/database.ts";
import { beginGeneration, generationOf, knownMachines } from "./db/machines.ts";
import type { FolderLock } from "./directory-lock.ts";
import type { Disk } from "./disk/disk.ts";
import { readPlainFile } from "./plain-file.ts";
import type { Quarantine } from "./quarantine.ts";

/** UUIDs, and names that an operator gave. */
const NAME = /^[\w.-]{8,100}$/;

export interface MachineNameOptions {
  lock: FolderLock;
  database: Database;
  /** No other data folder can be on this database (the embedded one). */
  isOnlyProcess: boolean;
  quarantine: Quarantine;
  disk: Disk;
  newName(): string;
  logger: Pick<Logger, "warn">;
}

export interface EnteredMachine {
  machine: string;
  /** The name was not stored: live sessions in the data folder may have another owner in the database. */
  isNew: boolean;
  generation: number;
}

/** Names this process in the database, ahead of every one before it on the same data folder. */
export async function enterDatabase(options: MachineNameOptions): Promise<EnteredMachine> {
  const { lock, database } = options;
  const { name: found, isNew } = await machineName(options);
  const isCopy = await isUsedElsewhere(found, options);
  const machine = isCopy ? await renamed(found, options) : found;
  const before = isCopy ? 0 : (lock.before.generation ?? 0);
  // First in the folder: after a crash in between, the database must not be ahead of it.
  await lock.write({ machine, generation: before + 1 });
  const generation = await beginGeneration(database, machine, before);
  await lock.write({ generation });
  return { machine, isNew, generation };
}

/**
 * Whether another data folder was started under this name since this one was: one of them is a copy. If both kept the name, each start of
 * one would end the other. A copy of the embedded database has its own record of names.
 */
async function isUsedElsewhere(name: string, { lock, database, isOnlyProcess }: MachineNameOptions): Promise<boolean> {
  const { generation } = lock.before;
  if (isOnlyProcess || generation === undefined || lock.before.machine !== name) return false;
  return ((await generationOf(database, name)) ?? 0) > generation;
}

async function renamed(former: string, { lock, disk, newName, logger }: MachineNameOptions): Promise<string> {
  const name = newName();
  await disk.replace(path.join(lock.folder, "machine"), name);
  logger.warn(
    { folder: lock.folder, former, name },
    "another copy of this data folder has been started on the same database: this one has a new name from now on",
  );
  return name;
}

/**
 * Reads the name, or recovers one whose file is lost or damaged: from the lock file, or from the embedded database, which has
 * one machine only.
 * @returns `isNew` where the name was not stored: live sessions in the data folder may have another owner in the database
 */
async function machineName(options: MachineNameOptions): Promise<{ name: string; isNew: boolean }> {
  const { lock, database, isOnlyProcess, quarantine, disk, newName } = options;
  const file = path.join(lock.folder, "machine");
  const found = await readPlainFile(file).catch((error: NodeJS.ErrnoException) =>
    error.code === "ENOENT" ? undefined : "",
  );
  const known = found?.trim() ?? "";
  if (NAME.test(known)) return { name: known, isNew: false };
  if (found !== undefined) await quarantine.move(file, "the name of the machine could not be read");
  const noted = lock.before.machine ?? "";
  const others = isOnlyProcess ? await knownMachines(database) : [];
  const recovered = NAME.test(noted) ? noted : others.length === 1 ? others[0] : undefined;
  const name = recovered ?? newName();
  await disk.replace(file, name);
  return { name, isNew: recovered === undefined };
}
