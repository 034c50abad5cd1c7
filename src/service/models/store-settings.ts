// The folder of installed models and the hub from which models are fetched, from the settings.
import { readdirSync } from "node:fs";
import path from "node:path";
import { SETTINGS, type Settings } from "../../platform/config/settings.ts";
import { type UserFolders, userFolders } from "../../platform/config/user-folders.ts";
import type { HubOptions } from "./hub.ts";
import { ModelStore } from "./store.ts";

const NAME = "models";

/** Names that begin with a dot are locks and unfinished downloads. */
function hasModels(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => !name.startsWith("."));
  } catch {
    return false;
  }
}

/**
 * PARLANCE_MODELS_DIR; else the folder `models` of the data folder that PARLANCE_DATA_DIR names; else the user's cache, so that
 * commands in several working folders share one copy. A data folder that has models, as those of earlier versions, keeps them.
 */
export function modelsFolder(
  { modelsDirectory, dataDirectory }: Pick<Settings, "modelsDirectory" | "dataDirectory">,
  { cache }: UserFolders = userFolders(),
): string {
  if (modelsDirectory !== "") return modelsDirectory;
  const own = path.join(dataDirectory, NAME);
  const isNamed = dataDirectory !== SETTINGS.dataDirectory.default;
  return isNamed || cache === "" || hasModels(own) ? own : path.join(cache, NAME);
}

export const modelStore = (settings: Settings): ModelStore => new ModelStore(modelsFolder(settings));

export function hubOf({ modelsUrl, modelsToken, translationModelsUrl }: Settings): HubOptions {
  return {
    base: modelsUrl,
    translationBase: translationModelsUrl,
    ...(modelsToken === "" ? {} : { token: modelsToken }),
  };
}
