// Folders of the user of this process, by the conventions of the platform: XDG Base Directory Specification 0.8 on Linux, ~/Library
// on macOS, LOCALAPPDATA and APPDATA on Windows.
import path from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

export interface UserFolders {
  /** What can be fetched again. Empty if the environment names no home directory, as that of many services. */
  cache: string;
  /** What the user has chosen. Empty in the same case. */
  config: string;
  /** What a later run of a command continues. Empty in the same case. */
  state: string;
}

const NAME = "parlance";

/** The XDG specification has relative paths ignored. */
const absolute = (value: string | undefined) => (value !== undefined && path.isAbsolute(value) ? value : undefined);

const below = (folder: string | undefined, ...names: string[]) =>
  folder === undefined ? undefined : path.join(folder, ...names);

/** @param environment  usually process.env */
export function userFolders(
  environment: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): UserFolders {
  const home = absolute(environment["HOME"]) ?? absolute(environment["USERPROFILE"]);
  const isWindows = platform === "win32";
  const caches = isWindows
    ? (absolute(environment["LOCALAPPDATA"]) ?? below(home, "AppData", "Local"))
    : below(home, ...(platform === "darwin" ? ["Library", "Caches"] : [".cache"]));
  const configs = isWindows
    ? (absolute(environment["APPDATA"]) ?? below(home, "AppData", "Roaming"))
    : below(home, ".config");
  const states = isWindows || platform === "darwin" ? caches : below(home, ".local", "state");
  return {
    cache: below(absolute(environment["XDG_CACHE_HOME"]) ?? caches, NAME) ?? "",
    config: below(absolute(environment["XDG_CONFIG_HOME"]) ?? configs, NAME) ?? "",
    state: below(absolute(environment["XDG_STATE_HOME"]) ?? states, NAME) ?? "",
  };
}
