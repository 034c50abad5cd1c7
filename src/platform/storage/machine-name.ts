// Name of a data folder in the database, the same over restarts: which live sessions lie here, which jobs were taken here.
import path from "node:path";
import type { Database } from "./db/database.ts";
import { knownMachines } from "./db/machines.ts";
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
}

/**
 * Reads the name, or recovers one whose file is lost or damaged: from the lock file, or from the embedded database, which has
 * one machine only.
 * @returns `isNew` where the name was not stored: live sessions in the data folder may have another owner in the database
 */
export async function machineName(options: MachineNameOptions): Promise<{ name: string; isNew: boolean }> {
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
