// parlance store: which object store the database belongs to.
import type { Command } from "commander";
import { v7 as uuid } from "uuid";
import { refuseMissingDatabase } from "../accounts/administration/missing-database.ts";
import { objectStore } from "../compose.ts";
import { loadSettings } from "../config/load.ts";
import { openDatabase } from "../storage/db/database.ts";
import { lockDirectory } from "../storage/directory-lock.ts";
import { diskOf } from "../storage/disk/disk.ts";
import { adoptStore } from "../storage/store-identity.ts";

export function addStore(program: Command): void {
  const store = program.command("store").description("The object store of recordings and transcripts");
  store
    .command("adopt")
    .description("Use the object store that the settings name with this database from now on")
    .addHelpText(
      "after",
      "\nFor objects that were moved to another folder or bucket. The service must not run meanwhile. Objects that are not in the new\nstore are missing from then on.",
    )
    .action(async () => {
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
    });
}
