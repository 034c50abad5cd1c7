// Where a command that recognises speech in this process keeps packed weights, so that the next one need not pack them again.
import { accessSync, constants, lstatSync, mkdirSync } from "node:fs";
import { sharedWeights } from "../compose/recognition-startup.ts";
import { SETTINGS, type Settings } from "../platform/config/settings.ts";

/** Whether it is a folder that this user owns and may write to: files of another user (root) would hinder the service that uses it. */
function isOwn(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const stats = lstatSync(folder);
    return stats.isDirectory() && (process.getuid === undefined || stats.uid === process.getuid());
  } catch {
    return false;
  }
}

function made(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return undefined;
  }
  return isOwn(folder) ? folder : undefined;
}

/**
 * Commands do not use a folder with the default name, data, because it may belong to another program. If no setting names the data folder,
 * a command leaves no files behind.
 * @returns the folder of the service whose data folder a setting names; undefined if it cannot be used
 */
export function keptWeights({ dataDirectory }: Pick<Settings, "dataDirectory">): string | undefined {
  const isNamed = dataDirectory !== SETTINGS.dataDirectory.default;
  return isNamed && isOwn(dataDirectory) ? made(sharedWeights(dataDirectory)) : undefined;
}
