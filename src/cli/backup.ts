// parlance backup and restore: the embedded database with recordings and results, while the service runs.
import path from "node:path";
import type { Command } from "commander";
import { withCommands } from "../accounts/administration/connect.ts";
import { backUp } from "../backup/backup.ts";
import type { Manifest } from "../backup/manifest.ts";
import { restore } from "../backup/restore.ts";
import { backupOptionsOf } from "../compose.ts";
import { loadSettings } from "../config/load.ts";
import { errors } from "../errors.ts";
import { sleep } from "../process/sleep.ts";
import { lockDirectory } from "../storage/directory-lock.ts";

const POLL_MILLISECONDS = 250;

function contents({ jobs, recordings, missing, hasObjects }: Manifest): string {
  const objects = hasObjects ? "" : " The objects stay in their bucket; back it up by its own means.";
  const lost = missing > 0 ? ` ${missing} recordings or transcripts are missing in the service, too.` : "";
  return `${jobs} jobs, ${recordings} recordings.${objects}${lost}`;
}

async function runBackup(folder: string): Promise<void> {
  const settings = loadSettings();
  if (settings.databaseUrl !== "") throw errors.backupOfServer();
  await withCommands(
    settings,
    async (commands) => {
      await commands.beginBackup(path.resolve(folder));
      for (;;) {
        const state = await commands.listBackup();
        if (state.state === "failed") throw errors.backupFailed(state.message);
        if (state.state === "done") {
          process.stdout.write(`The backup is in ${folder}: ${contents(state.manifest)}\n`);
          return;
        }
        await sleep(POLL_MILLISECONDS);
      }
    },
    { backup: async (database, target) => backUp(await backupOptionsOf(settings, database), target) },
  );
}

async function runRestore(folder: string, options: { replace?: boolean; databaseOnly?: boolean }): Promise<void> {
  const settings = loadSettings();
  if (settings.databaseUrl !== "") throw errors.backupOfServer();
  const { dataDirectory } = settings;
  const lock = await lockDirectory(dataDirectory);
  try {
    const { manifest, jobs, replaced } = await restore(folder, {
      dataDirectory,
      replaces: options.replace ?? false,
      databaseOnly: options.databaseOnly ?? false,
      now: () => new Date(),
    });
    const moved = replaced === undefined ? "" : ` What was there is in ${replaced}.`;
    process.stdout.write(`Restored ${jobs} jobs of ${manifest.at} to ${dataDirectory}.${moved}\n`);
  } finally {
    await lock.release();
  }
}

export function addBackup(program: Command): void {
  program
    .command("backup")
    .description("Back up the embedded database with all recordings and transcripts, also while the service runs")
    .argument("<folder>", "a new one; a running service must be able to write there")
    .action(runBackup);
  program
    .command("restore")
    .description("Restore a backup into the data folder that PARLANCE_DATA_DIR names")
    .argument("<folder>", "that parlance backup has written")
    .option("--replace", "move aside what the data folder has")
    .option("--database-only", "restore the database alone, and keep the recordings and transcripts of the data folder")
    .addHelpText("after", "\nThe service must not run on that data folder meanwhile.")
    .action(runRestore);
}
