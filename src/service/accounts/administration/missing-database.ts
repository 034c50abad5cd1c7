// Whether the data folder has an embedded database. A command that opens the database in the wrong folder would create an empty one.
import path from "node:path";
import { SETTINGS, type Settings } from "../../../platform/config/settings.ts";
import { errors } from "../../../platform/errors.ts";
import { clusterState, databaseFolder } from "../../../platform/storage/db/embedded/cluster-files.ts";

export type Place = Pick<Settings, "databaseUrl" | "dataDirectory">;

export const isMissingDatabase = async ({ databaseUrl, dataDirectory }: Place) =>
  databaseUrl === "" && (await clusterState(databaseFolder(dataDirectory))) === "new";

/** @throws storage.no_database if the data folder has no embedded database */
export async function refuseMissingDatabase(place: Place): Promise<void> {
  if (await isMissingDatabase(place)) throw errors.noDatabase(path.resolve(place.dataDirectory));
}

/** For commands that prepare a service before its first start: creates the database in a folder that PARLANCE_DATA_DIR names. */
export async function noteMissingDatabase(place: Place): Promise<void> {
  if (!(await isMissingDatabase(place))) return;
  if (place.dataDirectory === SETTINGS.dataDirectory.default) await refuseMissingDatabase(place);
  process.stderr.write(`parlance: a new database is created in ${path.resolve(place.dataDirectory)}\n`);
}
