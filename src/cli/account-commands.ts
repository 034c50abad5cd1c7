// The operator's commands on accounts and keys. The modules of the database are imported only when a command runs.

import { loadSettings } from "../platform/config/load.ts";
import type { Commands } from "../service/accounts/administration/commands.ts";

interface AccountCommandsOptions {
  /** If PARLANCE_DATA_DIR is set and its folder has no database, creates one. Otherwise the command fails. */
  mayCreateDatabase?: boolean;
}

/** @throws storage.no_database if the folder of the settings has no database and none may be created */
export async function withAccountCommands<Result>(
  work: (commands: Commands) => Promise<Result>,
  { mayCreateDatabase = false }: AccountCommandsOptions = {},
): Promise<Result> {
  const [{ withCommands }, { noteMissingDatabase }] = await Promise.all([
    import("../service/accounts/administration/connect.ts"),
    import("../service/accounts/administration/missing-database.ts"),
  ]);
  return withCommands(loadSettings(), work, mayCreateDatabase ? { checkDatabase: noteMissingDatabase } : {});
}
