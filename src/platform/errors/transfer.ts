// Backup and restore, export and import.
import { PARLANCE } from "../command-prefix.ts";
import { ParlanceError } from "./parlance-error.ts";

export const transferErrors = {
  backupOfServer: () =>
    new ParlanceError(
      "parlance backup is for the embedded database. Back up PostgreSQL with pg_dump, and then copy the folder objects or the bucket.",
      { code: "backup.of_server", status: 400 },
    ),
  backupRunning: () =>
    new ParlanceError("A backup is being written already; wait until it is complete", {
      code: "backup.running",
      status: 409,
    }),
  backupFailed: (message: string) =>
    new ParlanceError(`The backup was not written. ${message}`, { code: "backup.failed", status: 500 }),
  badBackupTarget: (folder: string, reason: string) =>
    new ParlanceError(
      `The backup cannot be written to ${folder}: it ${reason}. Name a new folder outside of the data folder.`,
      {
        code: "backup.bad_target",
        status: 400,
      },
    ),
  notABackup: (folder: string, reason: string) =>
    new ParlanceError(
      `${folder} is not a complete backup: ${reason}. Name a folder that parlance backup has written.`,
      {
        code: "restore.not_a_backup",
        status: 400,
      },
    ),
  restoreOccupied: (folder: string, names: readonly string[]) =>
    new ParlanceError(
      `The data folder ${folder} already has ${names.join(" and ")}. Set PARLANCE_DATA_DIR to a new folder, or add --replace, which moves them aside.`,
      { code: "restore.occupied", status: 400 },
    ),
  /** @param line  or the last one of a batch of up to 500 */
  exportDamaged: (file: string, line: number, reason: string) =>
    new ParlanceError(
      `${file} cannot be imported at or shortly before line ${line}: ${reason}. Run the export again, then the import; lines imported before are kept`,
      { code: "transfer.damaged", status: 400 },
    ),
  exportNotWhole: (folder: string) =>
    new ParlanceError(`${folder} is not a complete export; run ${PARLANCE} export ${folder} again to resume it`, {
      code: "transfer.not_whole",
      status: 400,
    }),
  importIntoUsed: (account: string) =>
    new ParlanceError(
      `The database already contains jobs (account ${account}); import needs an empty database, or one in which it was interrupted`,
      { code: "transfer.used", status: 409 },
    ),
};
