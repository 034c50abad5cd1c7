// Runs `parlance export` and `parlance import`. Imported only by their actions, because it imports the database.

import { PARLANCE } from "../platform/command-prefix.ts";
import { loadSettings } from "../platform/config/load.ts";
import type { Settings } from "../platform/config/settings.ts";
import type { Database } from "../platform/storage/db/database.ts";
import { sessionsWithout } from "../platform/storage/db/jobs/live-sessions.ts";
import { refuseMissingDatabase } from "../service/accounts/administration/missing-database.ts";
import { exportAll, importAll, mayExportInto, type TransferParts } from "../service/operations/transfer/transfer.ts";
import { CLEAR, writeControl } from "./terminal-text.ts";
import { UsageError } from "./usage-error.ts";
import { withStorage } from "./with-storage.ts";

/** Refuses to export unfinished live sessions whose logs are not in the object store: they would be lost. */
async function refuseOpenSessions({ natsUrl, s3Bucket }: Settings, database: Database): Promise<void> {
  if (natsUrl === "" && s3Bucket === "") return;
  const open = await sessionsWithout(database, []);
  if (open.length === 0) return;
  throw new UsageError(
    `${open.length} live ${open.length === 1 ? "session is" : "sessions are"} unfinished and cannot be exported. Start the service again until they have ended: without a client, a session ends after PARLANCE_LIVE_GRACE_SECONDS`,
  );
}

async function withParts(isExport: boolean, work: (parts: TransferParts) => Promise<void>): Promise<void> {
  const settings = loadSettings();
  if (isExport) await refuseMissingDatabase(settings);
  await withStorage(settings, async ({ database, objects }) => {
    if (isExport) await refuseOpenSessions(settings, database);
    const isSeen = process.stderr.isTTY;
    const progress = (what: string, count: number) => {
      if (!isSeen) return;
      writeControl(process.stderr, CLEAR);
      process.stderr.write(`${what}: ${count}`);
    };
    await work({ database, objects, progress });
    if (isSeen) writeControl(process.stderr, CLEAR);
  });
}

export async function runExport(folder: string): Promise<void> {
  if (!(await mayExportInto(folder))) throw new UsageError(`${folder} contains other files; name a new folder`);
  await withParts(true, (parts) => exportAll(parts, folder));
  process.stdout.write(`The export is in ${folder}. Import it elsewhere with: ${PARLANCE} import ${folder}\n`);
}

export async function runImport(folder: string): Promise<void> {
  await withParts(false, (parts) => importAll(parts, folder));
  process.stdout.write("The import is complete. Keys are unchanged.\n");
}
