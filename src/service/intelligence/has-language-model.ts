// Whether add-ons have a language model: of a server, installed, or fetched when it is first needed.

import type { Settings } from "../../platform/config/settings.ts";
import { chosenLanguageModel } from "../models/language-model-choice.ts";
import type { ModelStore } from "../models/store.ts";
import type { AddonRunner } from "./process/addon-runner.ts";

export async function hasLanguageModel({
  addonRunner,
  models,
  settings,
}: {
  addonRunner: Pick<AddonRunner, "hasLanguageModelServer" | "ownLanguageModel">;
  models: ModelStore;
  settings: Pick<Settings, "fetchModels">;
}): Promise<boolean> {
  const own = addonRunner.ownLanguageModel;
  if (own === undefined) return addonRunner.hasLanguageModelServer;
  return settings.fetchModels || (await chosenLanguageModel(models, own)) !== undefined;
}
