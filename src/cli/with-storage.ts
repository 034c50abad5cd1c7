// The database and the object store of the settings, for commands that use them while the service does not run.
import { objectStore } from "../compose/compose.ts";
import type { Settings } from "../platform/config/settings.ts";
import { withCleanup } from "../platform/process/with-cleanup.ts";
import { type Database, openDatabase } from "../platform/storage/db/database.ts";
import { lockDirectory } from "../platform/storage/directory-lock.ts";
import { diskOf } from "../platform/storage/disk/disk.ts";
import type { ObjectStore } from "../platform/storage/objects/object-store.ts";

interface Storage {
  database: Database;
  objects: ObjectStore;
}

/** @throws storage.folder_in_use if the service runs */
export async function withStorage<Result>(
  settings: Settings,
  work: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  return withCleanup(async (add) => {
    const lock = await lockDirectory(settings.dataDirectory);
    add(() => lock.release());
    const database = await openDatabase(settings.databaseUrl, settings.dataDirectory, diskOf(settings));
    add(() => database.destroy());
    const objects = await objectStore(settings);
    add(() => objects.stop());
    return work({ database, objects });
  });
}
