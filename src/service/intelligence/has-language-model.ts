// Whether add-ons of recordings have a language model: of a server, installed, or fetched when it is first needed.

import type { Settings } from "../../platform/config/settings.ts";
import { isChosenLanguageModel } from "../models/language-model-choice.ts";
import type { ModelsOfRole } from "../models/served-models.ts";
import type { ResultProcesses } from "./process/result-processes.ts";

export async function hasLanguageModel({
  resultProcesses,
  recordingModels,
  settings,
}: {
  resultProcesses: Pick<ResultProcesses, "hasLanguageModelServer" | "ownLanguageModel">;
  recordingModels: Pick<ModelsOfRole, "all">;
  settings: Pick<Settings, "fetchModels">;
}): Promise<boolean> {
  const own = resultProcesses.ownLanguageModel;
  if (own === undefined) return resultProcesses.hasLanguageModelServer;
  return settings.fetchModels || (await recordingModels.all()).some((model) => isChosenLanguageModel(model, own));
}
