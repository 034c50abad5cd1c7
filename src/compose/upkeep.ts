// Retention, deletions, sweeps, administration.

import { vacuumWhenDue } from "../platform/storage/db/upkeep/upkeep.ts";
import { startSweeps } from "../platform/storage/sweep-loop.ts";
import { commandsOn } from "../service/accounts/administration/commands.ts";
import { serveAdministration } from "../service/accounts/administration/server.ts";
import { AccountRemoval } from "../service/jobs/account-removal.ts";
import { DeletedCopies } from "../service/jobs/deleted-copies.ts";
import { startOrphanRemoval } from "../service/jobs/orphans.ts";
import { startRetention } from "../service/jobs/retention.ts";
import { backUp } from "../service/operations/backup/backup.ts";
import type { Base } from "./base.ts";
import type { Jobs } from "./jobs.ts";
import type { Live } from "./live.ts";
import type { Shared } from "./shared.ts";
import { backupOptionsOf, type Stores } from "./stores.ts";

/** What is removed in time, and administration through the running service. */
export async function composeUpkeep(
  { settings, logger, started, undo }: Base,
  { database, objects, quarantine, isOnlyProcess, duties, signals }: Stores,
  { worker }: Jobs,
  { live }: Live,
  { keys }: Shared,
): Promise<void> {
  const { models, roles } = started;
  const removals = { database, objects, quarantine, worker, live, isOnlyProcess };
  const retention = {
    audioDays: settings.audioRetentionDays,
    resultDays: settings.resultRetentionDays,
    unusedUploadDays: settings.unusedUploadRetentionDays,
    callbackRetrySeconds: settings.callbackRetrySeconds,
  };
  if (roles.has("worker")) {
    const tidyDatabase = isOnlyProcess ? vacuumWhenDue(database) : undefined;
    undo.push(startRetention({ ...removals, duties }, retention, logger, tidyDatabase), "retention");
  }
  const removal = new AccountRemoval({ ...removals, duties }, logger);
  signals.on("removal", () => removal.wake());
  if (roles.has("worker")) removal.start();
  undo.push(() => removal.stop(), "removal of accounts");
  if (objects.kind === "bucket") {
    const copies = new DeletedCopies({ database, objects, quarantine, signals, logger });
    copies.start();
    undo.push(() => copies.stop(), "copies of deleted objects");
    if (roles.has("worker"))
      undo.push(startOrphanRemoval({ database, objects, duties, logger }), "objects without a row");
  }
  undo.push(
    startSweeps({
      database,
      dataDirectory: settings.dataDirectory,
      modelsDirectory: models.folder,
      hasOwnObjects: settings.s3Bucket === "",
      isShared: !isOnlyProcess,
      quarantine,
      logger,
    }),
    "sweeps",
  );
  if (isOnlyProcess) {
    const backupOptions = await backupOptionsOf(settings, database);
    const onRevoked = () => {
      keys.forget();
      removal.wake();
      live
        .endWithoutAccess()
        .catch((error: unknown) => logger.warn({ err: error }, "live sessions are checked again soon"));
    };
    const administration = commandsOn(database, {
      onRevoked,
      onLimited: () => keys.forget(),
      backUp: (folder) => backUp(backupOptions, folder),
    });
    undo.push(await serveAdministration(administration, settings.dataDirectory, logger), "administration");
  }
}
