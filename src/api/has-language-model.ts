// Whether add-ons have a language model: of a server, installed, or fetched when it is first needed.
import { chosenLanguageModel } from "../service/models/language-model-choice.ts";
import type { ApiContext } from "./context.ts";

export async function hasLanguageModel({
  addonRunner,
  models,
  settings,
}: Pick<ApiContext, "addonRunner" | "models" | "settings">): Promise<boolean> {
  const own = addonRunner.ownLanguageModel;
  if (own === undefined) return addonRunner.hasLanguageModelServer;
  return settings.fetchModels || (await chosenLanguageModel(models, own)) !== undefined;
}
