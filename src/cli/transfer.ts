// parlance export and import: from one kind of database and store to another.
import type { Command } from "commander";
import { refuseMissingDatabase } from "../accounts/administration/missing-database.ts";
import { objectStore } from "../compose.ts";
import { loadSettings } from "../config/load.ts";
import type { Settings } from "../config/settings.ts";
import { type Database, openDatabase } from "../storage/db/database.ts";
import { sessionsWithout } from "../storage/db/live-sessions.ts";
import { lockDirectory } from "../storage/directory-lock.ts";
import { diskOf } from "../storage/disk/disk.ts";
import { exportAll, importAll, mayExportInto, type TransferParts } from "../transfer/transfer.ts";
import { UsageError } from "./usage-error.ts";

/** Where sessions do not lie among the objects, those that are not over would be lost. */
async function refuseOpenSessions({ natsUrl, s3Bucket }: Settings, database: Database): Promise<void> {
  if (natsUrl === "" && s3Bucket === "") return;
  const open = await sessionsWithout(database, []);
  if (open.length === 0) return;
  throw new UsageError(
    `${open.length} live ${open.length === 1 ? "session is" : "sessions are"} not over, and cannot be carried. Start the service again until they are: a session whose client stays away ends after PARLANCE_LIVE_GRACE_SECONDS`,
  );
}

async function withParts(isExport: boolean, work: (parts: TransferParts) => Promise<void>): Promise<void> {
  const settings = loadSettings();
  if (isExport) await refuseMissingDatabase(settings);
  const lock = await lockDirectory(settings.dataDirectory);
  try {
    const database = await openDatabase(settings.databaseUrl, settings.dataDirectory, diskOf(settings));
    const objects = await objectStore(settings);
    try {
      if (isExport) await refuseOpenSessions(settings, database);
      const isSeen = process.stderr.isTTY;
      const progress = (what: string, count: number) => {
        if (isSeen) process.stderr.write(`\r\x1b[K${what}: ${count}`);
      };
      await work({ database, objects, progress });
      if (isSeen) process.stderr.write("\r\x1b[K");
    } finally {
      await objects.stop();
      await database.destroy();
    }
  } finally {
    await lock.release();
  }
}

const NOTE =
  "\nThe service must not run meanwhile. Interrupted, the same command goes on where it was. What is meant is what the settings\nname: PARLANCE_DATA_DIR, DATABASE_URL, PARLANCE_S3_BUCKET.";

export function addTransfer(program: Command): void {
  program
    .command("export")
    .description("Write everything that the service keeps into a folder")
    .argument("<folder>", "a new one, or one of an export that was interrupted")
    .addHelpText("after", NOTE)
    .action(async (folder: string) => {
      if (!(await mayExportInto(folder))) throw new UsageError(`${folder} has other things in it; name a new folder`);
      await withParts(true, (parts) => exportAll(parts, folder));
      process.stdout.write(`Everything is in ${folder}. Take it up elsewhere with: parlance import ${folder}\n`);
    });
  program
    .command("import")
    .description("Take up what export wrote, into an empty database")
    .argument("<folder>")
    .addHelpText("after", NOTE)
    .action(async (folder: string) => {
      await withParts(false, (parts) => importAll(parts, folder));
      process.stdout.write("Everything is there. Keys are those of before.\n");
    });
}
