// Where a command that recognises speech in this process keeps packed weights, so that the next one need not pack them again.
import { existsSync } from "node:fs";
import { sharedWeights } from "../compose/recognition-startup.ts";
import { SETTINGS, type Settings } from "../platform/config/settings.ts";
import { type UserFolders, userFolders } from "../platform/config/user-folders.ts";

/**
 * A folder named data may belong to another program: nothing is added to it unless a setting names it or a service has used it.
 * @returns the folder that the service uses; else one in the user's cache; undefined if there is none
 */
export function keptWeights(
  { dataDirectory }: Pick<Settings, "dataDirectory">,
  { cache }: UserFolders = userFolders(),
): string | undefined {
  const ofService = sharedWeights(dataDirectory);
  const isNamed = dataDirectory !== SETTINGS.dataDirectory.default;
  if (existsSync(isNamed ? dataDirectory : ofService)) return ofService;
  return cache === "" ? undefined : sharedWeights(cache);
}
