// Runs add-ons that a language model improves. Without a model, if it fails, or in live sessions, the rules of this machine are used.
import type { Utterance } from "../../contract/transcript/transcript.ts";
import { type Addon, type AddonInput, inLanguages } from "./addon.ts";
import { AddonFailed } from "./addon-error.ts";
import { isLocal, type LanguageModelSettings } from "./providers/providers.ts";

/** @param local  applies the rules; receives the utterances in the languages that they support */
export async function modelOrLocal<T>(
  addon: Pick<Addon, "name" | "languages" | "isImprovedByModel">,
  { providers, isRealtime, transcription }: AddonInput,
  byModel: (settings: LanguageModelSettings) => Promise<T>,
  local: (utterances: Utterance[]) => T,
): Promise<T> {
  const byRules = () => local(inLanguages(transcription.utterances, addon));
  const { languageModel } = providers;
  if (!languageModel || isRealtime) return byRules();
  // In the languages that the rules support, they find more than a small model.
  const { languages } = addon;
  const areRulesFit = languages && transcription.utterances.some(({ language }) => languages.includes(language));
  if (isLocal(languageModel) && areRulesFit) return byRules();
  try {
    return await byModel(languageModel);
  } catch (thrown) {
    if (thrown instanceof AddonFailed) return byRules();
    throw thrown;
  }
}
