// Which language model of the store is used: the one of PARLANCE_LANGUAGE_MODEL, else the one that was added last.
import type { InstalledModel, ModelStore } from "./store.ts";

export const NO_LANGUAGE_MODEL = "off";

/** @param name  of the setting @returns undefined where none is installed, or none is wanted */
export async function chosenLanguageModel(store: ModelStore, name: string): Promise<InstalledModel | undefined> {
  if (name === NO_LANGUAGE_MODEL) return undefined;
  const installed = await store.listLanguageModels();
  return installed.find(({ id, manifest }) => id === name || manifest?.source === name) ?? installed[0];
}
