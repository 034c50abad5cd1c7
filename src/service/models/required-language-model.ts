// The language model that an answer needs at once: installed, being fetched, or fetched only if the request allows it.
import type { Settings } from "../../platform/config/settings.ts";
import { errors } from "../../platform/errors.ts";
import { beginFetch } from "./begin-fetch.ts";
import { couldBeLanguageModel, languageModelEntry } from "./language-model-catalogue.ts";
import { chosenLanguageModel, fetchedLanguageModel } from "./language-model-choice.ts";
import type { ModelStore } from "./store.ts";
import type { ModelSupply } from "./supply.ts";

type FetchServices = Parameters<typeof beginFetch>[1] & {
  models: Pick<ModelStore, "listLanguageModels">;
  supply: Pick<ModelSupply, "ensure" | "failureOf" | "request" | "retrySeconds" | "shareOf">;
  settings: Pick<Settings, "fetchModels">;
};

/**
 * @param setting   name of the model of this machine; empty: any; undefined if this machine runs none
 * @param mayFetch  whether the request allows a download
 * @throws language_model.not_installed with the size, if the request does not allow it; language_model.on_its_way during a
 *   download; models.missing after one that failed
 */
export async function requireLanguageModel(
  setting: string | undefined,
  mayFetch: boolean,
  services: FetchServices,
): Promise<void> {
  const { models, settings, supply } = services;
  if (setting === undefined || !settings.fetchModels || (await chosenLanguageModel(models, setting))) return;
  const name = fetchedLanguageModel(setting);
  if (!couldBeLanguageModel(name)) return;
  if (mayFetch) {
    await beginFetch(name, services, "here");
    if (await chosenLanguageModel(models, setting)) return;
  } else if (supply.shareOf(name) === undefined) {
    const failure = supply.failureOf(name);
    if (failure !== undefined) throw errors.modelNotFetched(name, new Error(failure));
    throw errors.languageModelNotInstalled(name, languageModelEntry(name)?.downloadBytes);
  }
  const share = Math.floor((supply.shareOf(name) ?? 0) * 100);
  throw errors.languageModelOnItsWay(name, `${share} %`, supply.retrySeconds(name));
}
