// What `parlance store adopt` does.
import { v7 as uuid } from "uuid";
import { refuseMissingDatabase } from "../accounts/administration/missing-database.ts";
import { objectStore } from "../compose.ts";
import { loadSettings } from "../config/load.ts";
import { openDatabase } from "../storage/db/database.ts";
import { lockDirectory } from "../storage/directory-lock.ts";
import { diskOf } from "../storage/disk/disk.ts";
import { adoptStore } from "../storage/store-identity.ts";

export async function adopt(): Promise<void> {
  const settings = loadSettings();
  await refuseMissingDatabase(settings);
  const lock = await lockDirectory(settings.dataDirectory);
  try {
    const database = await openDatabase(settings.databaseUrl, settings.dataDirectory, diskOf(settings));
    const objects = await objectStore(settings);
    try {
      await adoptStore({ database, objects, newId: uuid });
      process.stdout.write(`The database now belongs to ${objects.place}.\n`);
    } finally {
      await objects.stop();
      await database.destroy();
    }
  } finally {
    await lock.release();
  }
}
