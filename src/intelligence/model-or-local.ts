// Add-ons that a language model betters: where there is none, where it fails, or where an answer is wanted at once,
// what this machine finds by itself stands.
import type { Utterance } from "../transcript/transcript.ts";
import { type Addon, AddonFailed, type AddonInput, inLanguages } from "./addon.ts";
import { isLocal, type LanguageModelSettings } from "./providers/providers.ts";

/** @param local  given the utterances that this machine's own rules are fit for */
export async function modelOrLocal<T>(
  addon: Pick<Addon, "name" | "languages" | "isBetteredByModel">,
  { providers, isWantedAtOnce, transcription }: AddonInput,
  byModel: (settings: LanguageModelSettings) => Promise<T>,
  local: (utterances: Utterance[]) => T,
): Promise<T> {
  const byRules = () => local(inLanguages(transcription.utterances, addon));
  const { languageModel } = providers;
  if (!languageModel || isWantedAtOnce) return byRules();
  // A small model finds less than the rules do in the languages that they are made for.
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
