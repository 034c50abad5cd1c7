// Which language model of the store is used.
import { LANGUAGE_MODEL_ENGINE } from "../../speech/engines/gguf/engine.ts";
import { DEFAULT_LANGUAGE_MODEL } from "./language-model-catalogue.ts";
import { type InstalledModel, isNamed, type ModelStore, type ServedModel } from "./store.ts";

export const NO_LANGUAGE_MODEL = "off";

/** The model that is fetched where none fits. @param name  of the setting; empty: any */
export const fetchedLanguageModel = (name: string): string => (name === "" ? DEFAULT_LANGUAGE_MODEL : name);

/** Whether a model can be the one of the setting. @param name  of the setting; empty: any */
export const isChosenLanguageModel = (model: ServedModel, name: string): boolean =>
  model.engine === LANGUAGE_MODEL_ENGINE && (name === "" || isNamed(model, name));

/**
 * @param name  of the setting; empty: the default model, else the one that was added last
 * @returns undefined if it is not installed, or if the setting turns language models off; another model never replaces a named one
 */
export async function chosenLanguageModel(
  store: Pick<ModelStore, "listLanguageModels">,
  name: string,
): Promise<InstalledModel | undefined> {
  if (name === NO_LANGUAGE_MODEL) return undefined;
  const installed = await store.listLanguageModels();
  const wanted = fetchedLanguageModel(name);
  const found = installed.find((model) => isNamed(model, wanted));
  return name === "" ? (found ?? installed[0]) : found;
}
