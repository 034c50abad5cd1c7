// The language models in `parlance models list`.
import { PARLANCE } from "../platform/command-prefix.ts";
import { LANGUAGE_MODELS } from "../service/models/language-model-catalogue.ts";
import {
  chosenLanguageModel,
  fetchedLanguageModel,
  NO_LANGUAGE_MODEL,
} from "../service/models/language-model-choice.ts";
import type { InstalledModel, ModelStore } from "../service/models/store.ts";
import { LANGUAGE_MODEL_ENGINE } from "../speech/engines/gguf/engine.ts";
import { printTable } from "./table.ts";

export const isLanguageModel = ({ engine }: InstalledModel): boolean => engine === LANGUAGE_MODEL_ENGINE;

interface LanguageModelSetting {
  languageModel: string;
  languageModelUrl: string;
}

/** What an installed language model is used for. */
export async function useOfLanguageModel(
  { id }: InstalledModel,
  store: ModelStore,
  { languageModel, languageModelUrl }: LanguageModelSetting,
): Promise<string> {
  if (languageModelUrl !== "") return "nothing: PARLANCE_LLM_URL is set";
  if (languageModel === NO_LANGUAGE_MODEL) return "nothing: PARLANCE_LANGUAGE_MODEL is off";
  const chosen = await chosenLanguageModel(store, languageModel);
  if (chosen?.id === id) return "language model";
  return languageModel === ""
    ? "nothing: another language model is in use"
    : `nothing: PARLANCE_LANGUAGE_MODEL is ${languageModel}`;
}

const shown = (languages: readonly string[]) =>
  languages.length > 6 ? `${languages.length} languages` : languages.join(", ");

export function printLanguageModels(
  installed: readonly InstalledModel[],
  { languageModel }: LanguageModelSetting,
): void {
  const others = LANGUAGE_MODELS.filter(({ id }) => !installed.some((model) => model.id === id));
  process.stdout.write(
    `\nLanguage models (${PARLANCE} models add ID; any other: hf:OWNER/NAME:FILE.gguf, or FILE.gguf):\n`,
  );
  printTable(
    ["model", "languages", "to fetch", "memory", "context", "licence", "what"],
    others.map(({ id, languages, downloadBytes, memoryBytes, contextTokens, licence, note }) => [
      id,
      shown(languages),
      `${Math.round(downloadBytes / 1e6)} MB`,
      `${(memoryBytes / 1e9).toFixed(1)} GB`,
      `${contextTokens} tokens`,
      licence,
      id === fetchedLanguageModel(languageModel) ? `${note} (automatically, when it is first needed)` : note,
    ]),
  );
}
