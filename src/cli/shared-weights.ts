// Where a command that recognises speech in this process keeps packed weights, so that the next one need not pack them again.
import { accessSync, constants, statSync } from "node:fs";
import { sharedWeights } from "../compose/recognition-startup.ts";
import { SETTINGS, type Settings } from "../platform/config/settings.ts";
import { type UserFolders, userFolders } from "../platform/config/user-folders.ts";

/** Whether this user owns the folder and may write to it: files of another user (root) would stop the service that uses it. */
function isOwn(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return process.getuid === undefined || statSync(folder).uid === process.getuid();
  } catch {
    return false;
  }
}

/**
 * A folder named data may belong to another program: nothing is added to it unless a setting names it or a service has used it.
 * @param unnamed  the data folder if no setting names one
 * @returns the folder that the service uses; else one in the user's cache; undefined if there is none
 */
export function keptWeights(
  { dataDirectory }: Pick<Settings, "dataDirectory">,
  { cache }: UserFolders = userFolders(),
  unnamed: string = SETTINGS.dataDirectory.default,
): string | undefined {
  const ofService = sharedWeights(dataDirectory);
  if (isOwn(dataDirectory === unnamed ? ofService : dataDirectory)) return ofService;
  return cache === "" ? undefined : sharedWeights(cache);
}
