// Whether add-ons have a language model: of a server, installed, or fetched when it is first needed.

import type { Settings } from "../../platform/config/settings.ts";
import { chosenLanguageModel } from "../models/language-model-choice.ts";
import type { ModelStore } from "../models/store.ts";
import type { ResultProcesses } from "./process/result-processes.ts";

export async function hasLanguageModel({
  resultProcesses,
  models,
  settings,
}: {
  resultProcesses: Pick<ResultProcesses, "hasLanguageModelServer" | "ownLanguageModel">;
  models: ModelStore;
  settings: Pick<Settings, "fetchModels">;
}): Promise<boolean> {
  const own = resultProcesses.ownLanguageModel;
  if (own === undefined) return resultProcesses.hasLanguageModelServer;
  return settings.fetchModels || (await chosenLanguageModel(models, own)) !== undefined;
}
