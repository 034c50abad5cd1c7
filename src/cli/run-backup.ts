// Runs `parlance backup` and `parlance restore`. Imported only by their actions, because it imports the database.
import path from "node:path";
import { backupOptionsOf } from "../compose/compose.ts";
import { loadSettings } from "../platform/config/load.ts";
import { errors } from "../platform/errors.ts";
import { sleep } from "../platform/process/sleep.ts";
import { lockDirectory } from "../platform/storage/directory-lock.ts";
import { withCommands } from "../service/accounts/administration/connect.ts";
import { backUp } from "../service/operations/backup/backup.ts";
import type { Manifest } from "../service/operations/backup/manifest.ts";
import { restore } from "../service/operations/backup/restore.ts";

export interface RestoreOptions {
  replace?: boolean;
  databaseOnly?: boolean;
}

const POLL_MILLISECONDS = 250;

function contents({ jobs, recordings, missing, hasObjects }: Manifest): string {
  const objects = hasObjects ? "" : " The objects stay in their bucket; back it up by its own means.";
  const lost = missing > 0 ? ` ${missing} recordings or transcripts are missing in the service, too.` : "";
  return `${jobs} jobs, ${recordings} recordings.${objects}${lost}`;
}

export async function runBackup(folder: string): Promise<void> {
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

export async function runRestore(folder: string, options: RestoreOptions): Promise<void> {
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
