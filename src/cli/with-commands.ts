// The operator's commands on accounts and keys. The modules of the database are imported only when a command runs.
import type { Commands } from "../accounts/administration/commands.ts";
import { loadSettings } from "../config/load.ts";

interface WithCommandsOptions {
  /** Creates the database where the data folder that PARLANCE_DATA_DIR names has none. */
  mayCreate?: boolean;
}

/** @throws storage.no_database */
export async function withCommands<Result>(
  work: (commands: Commands) => Promise<Result>,
  { mayCreate = false }: WithCommandsOptions = {},
): Promise<Result> {
  const [{ withCommands: connect }, { noteMissingDatabase }] = await Promise.all([
    import("../accounts/administration/connect.ts"),
    import("../accounts/administration/missing-database.ts"),
  ]);
  return connect(loadSettings(), work, mayCreate ? { checkDatabase: noteMissingDatabase } : {});
}
