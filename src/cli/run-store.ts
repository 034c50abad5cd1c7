// Runs `parlance store adopt`. Imported only by its action, because it imports the database.
import { v7 as uuid } from "uuid";
import { loadSettings } from "../platform/config/load.ts";
import { adoptStore } from "../platform/storage/store-identity.ts";
import { refuseMissingDatabase } from "../service/accounts/administration/missing-database.ts";
import { withStorage } from "./with-storage.ts";

export async function adopt(): Promise<void> {
  const settings = loadSettings();
  await refuseMissingDatabase(settings);
  await withStorage(settings, async ({ database, objects }) => {
    await adoptStore({ database, objects, newId: uuid });
    process.stdout.write(`The database now belongs to ${objects.place}.\n`);
  });
}
