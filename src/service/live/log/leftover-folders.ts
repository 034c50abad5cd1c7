// Checks the session folders at a start: folders of active sessions stay, those of completed sessions are removed, and
// those with the only copy of some audio are moved to the quarantine.
import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import type { Database } from "../../../platform/storage/db/database.ts";
import { plannedKeys } from "../../../platform/storage/db/files/object-removals.ts";
import { isUuid } from "../../../platform/storage/db/ids.ts";
import {
  addLostRow,
  adoptSessions,
  deletedSessions,
  type SessionState,
  sessionStates,
} from "../../../platform/storage/db/jobs/live-sessions.ts";
import { liveFolder } from "../../../platform/storage/objects/keys.ts";
import type { Quarantine } from "../../../platform/storage/quarantine.ts";
import { AUDIO_FILE } from "./inbox.ts";

export interface LeftoverFoldersOptions {
  database: Database;
  machine: string;
  /** Contains one folder per session. */
  folder: string;
  /** Sessions with a folder here belong to this machine, even if its name was different before. */
  adoptsAll: boolean;
  quarantine: Quarantine;
  logger: Logger;
}

type FolderAction = "stays" | "removed" | { quarantined: string };

async function hasAudio(folder: string): Promise<boolean> {
  return stat(path.join(folder, AUDIO_FILE)).then(
    ({ size }) => size > 0,
    () => false,
  );
}

async function actionFor(folder: string, state: SessionState | undefined, isDeleted: boolean): Promise<FolderAction> {
  if (!state) return isDeleted ? "removed" : { quarantined: "this live session has no row in the database" };
  if (state.status === "queued" || state.status === "processing") return "stays";
  // Its audio was stored as an object.
  if (state.status === "done" || state.file_id !== null || !(await hasAudio(folder))) return "removed";
  return { quarantined: "this live session ended in an error, and its audio is nowhere else" };
}

/** An error with one folder is logged and does not stop the others. */
export async function cleanLeftoverFolders(options: LeftoverFoldersOptions): Promise<void> {
  const { database, machine, folder, adoptsAll, quarantine, logger } = options;
  const ids = (await readdir(folder).catch(() => [])).filter(isUuid);
  if (ids.length === 0) return;
  const states = await sessionStates(database, ids);
  const planned = await plannedKeys(
    database,
    ids.map((id) => liveFolder(id)),
  );
  // Another machine may have finished the removal while this one was off.
  const deleted = await deletedSessions(database, ids);
  for (const id of ids) {
    const place = path.join(folder, id);
    try {
      const action = await actionFor(place, states.get(id), planned.has(liveFolder(id)) || deleted.has(id));
      if (action === "removed") await rm(place, { recursive: true, force: true });
      else if (action !== "stays") await quarantine.move(place, action.quarantined);
      else if (states.get(id)?.hasRow === false && (await addLostRow(database, id, machine))) {
        logger.warn({ session: id }, "the database row of a live session is missing; restored from its folder");
      }
    } catch (error) {
      logger.warn({ err: error, session: id }, "the folder of a live session could not be checked");
    }
  }
  if (adoptsAll) {
    const others = ids.filter((id) => (states.get(id)?.owner ?? machine) !== machine);
    if (others.length > 0) await adoptSessions(database, others, machine);
  }
}
