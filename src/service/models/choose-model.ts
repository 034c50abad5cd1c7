import type { Settings } from "../../platform/config/settings.ts";
import { type LanguageRequest, planSpeech, type SpeechPlan } from "./speech-plan.ts";
import type { ServedModels } from "./store.ts";

/**
 * Which model a request is for; it may not be installed yet.
 * @param models  of the processes that can do its work
 * @throws request.invalid for an unknown name, models.missing, recognition.language_unavailable
 */
export async function chooseModel(
  request: LanguageRequest,
  { models, settings }: { models: Pick<ServedModels, "list">; settings: Settings },
): Promise<SpeechPlan & { isInstalled: boolean }> {
  const installed = await models.list();
  const plan = planSpeech(request, installed, settings);
  return { ...plan, isInstalled: installed.some(({ id }) => id === plan.model) };
}
