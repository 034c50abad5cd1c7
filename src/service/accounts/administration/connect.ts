// The command line's way to the accounts: the database itself where nobody else holds it, the running service where
// it does.

import type { Settings } from "../../../platform/config/settings.ts";
import { errors, toParlanceError } from "../../../platform/errors.ts";
import { postLocally } from "../../../platform/net/local-post.ts";
import { withCleanup } from "../../../platform/process/with-cleanup.ts";
import { type Database, openDatabase } from "../../../platform/storage/db/database.ts";
import { lockDirectory } from "../../../platform/storage/directory-lock.ts";
import { diskOf } from "../../../platform/storage/disk/disk.ts";
import { readPlainFile } from "../../../platform/storage/plain-file.ts";
import type { Manifest } from "../../operations/backup/manifest.ts";
import { COMMAND_NAMES, type Commands, commandsOn } from "./commands.ts";
import { type Place, refuseMissingDatabase } from "./missing-database.ts";
import { type AdministrationFile, administrationFile, type CommandCall } from "./server.ts";

function remoteCommands({ port, token }: AdministrationFile): Commands {
  const call = async (body: CommandCall): Promise<unknown> => {
    const { status, text } = await postLocally(port, token, JSON.stringify(body));
    const answer = JSON.parse(text) as { result?: unknown; message?: string };
    if (status !== 200) {
      throw errors.administrationFailed(answer.message ?? `the service answered ${status}`, status);
    }
    return answer.result;
  };
  return Object.fromEntries(
    COMMAND_NAMES.map((command) => [command, (...parameters: unknown[]) => call({ command, parameters })]),
  ) as unknown as Commands;
}

/** @returns undefined where the file is not there or cannot be read */
async function runningService(dataDirectory: string): Promise<AdministrationFile | undefined> {
  try {
    const { port, token } = JSON.parse(await readPlainFile(administrationFile(dataDirectory))) as AdministrationFile;
    return Number.isInteger(port) && typeof token === "string" ? { port, token } : undefined;
  } catch {
    return undefined;
  }
}

interface WayOptions {
  /** Backs up the database that this call opens. */
  backup?: (database: Database, folder: string) => Promise<Manifest>;
  checkDatabase?: (place: Place) => Promise<void>;
}

/**
 * Runs `work` with the commands of the service that the settings name, whether it runs or not.
 * @throws storage.no_database
 */
export async function withCommands<Result>(
  { databaseUrl, dataDirectory, fsync }: Pick<Settings, "databaseUrl" | "dataDirectory" | "fsync">,
  work: (commands: Commands) => Promise<Result>,
  { backup, checkDatabase = refuseMissingDatabase }: WayOptions = {},
): Promise<Result> {
  // A service that is being started creates the database itself.
  if (!(await runningService(dataDirectory))) await checkDatabase({ databaseUrl, dataDirectory });
  return withCleanup(async (add) => {
    if (databaseUrl === "") {
      try {
        const lock = await lockDirectory(dataDirectory);
        add(() => lock.release());
      } catch (error) {
        const service = await runningService(dataDirectory);
        if (!service || toParlanceError(error).code !== "storage.folder_in_use") throw error;
        return work(remoteCommands(service));
      }
    }
    const database = await openDatabase(databaseUrl, dataDirectory, diskOf({ fsync }));
    add(() => database.destroy());
    return work(commandsOn(database, backup ? { backUp: (folder) => backup(database, folder) } : {}));
  });
}
