// Add-ons that a language model betters: where there is none, where it fails, or where an answer is wanted at once,
// what this machine finds by itself stands.
import { AddonFailed, type AddonInput } from "./addon.ts";
import type { LanguageModelSettings } from "./providers/providers.ts";

export async function modelOrLocal<T>(
  { providers, isWantedAtOnce }: AddonInput,
  byModel: (settings: LanguageModelSettings) => Promise<T>,
  local: () => T,
): Promise<T> {
  if (!providers.languageModel || isWantedAtOnce) return local();
  try {
    return await byModel(providers.languageModel);
  } catch (thrown) {
    if (thrown instanceof AddonFailed) return local();
    throw thrown;
  }
}
