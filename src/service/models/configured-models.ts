// Whether the models that the settings name can be used: a name that means no model must not silently lead to another method.
import { PARLANCE } from "../../platform/command-prefix.ts";
import { catalogueEntry } from "./catalogue.ts";
import { couldBeLanguageModel } from "./language-model-catalogue.ts";
import { chosenLanguageModel, NO_LANGUAGE_MODEL } from "./language-model-choice.ts";
import type { ModelStore } from "./store.ts";

export interface ModelSettings {
  multilingualModel: string;
  speakerModel: string;
  turnModel: string;
  languageModel: string;
  languageModelUrl: string;
  fetchModels: boolean;
}

interface NamedModel {
  variable: string;
  name: string;
  /** Consequence while the model is missing, the end of a sentence. */
  without: string;
  isInstalled: boolean;
  /** Whether it can be fetched by this name. */
  isKnown: boolean;
  /** Whether it is the default of the setting: no warning, as a request that needs it fetches it or names it in its error. */
  isDefault: boolean;
}

const LIST = `${PARLANCE} models list`;
const HUB_NAME = /^hf:/;

function problemOf({ variable, name, without, isInstalled, isKnown, isDefault }: NamedModel, mayFetch: boolean) {
  if (isInstalled || (isKnown && (mayFetch || isDefault))) return undefined;
  const remedy = isKnown
    ? `which is not installed, and PARLANCE_FETCH_MODELS is false. Add it: ${PARLANCE} models add ${name}`
    : `which is neither installed nor a model that can be fetched for this. Set it to a name that ${LIST} shows`;
  return `${variable} is "${name}", ${remedy}. Until then, ${without}`;
}

/** @returns a sentence for each setting that names a model which is not there and will not be fetched */
export async function configuredModelProblems(
  store: ModelStore,
  settings: ModelSettings,
  defaults: Pick<ModelSettings, "multilingualModel" | "speakerModel" | "turnModel">,
): Promise<string[]> {
  const { multilingualModel, speakerModel, turnModel, languageModel, languageModelUrl, fetchModels } = settings;
  const speech = await store.list();
  const isSpeakers = catalogueEntry(speakerModel)?.id === defaults.speakerModel;
  const isTurns = catalogueEntry(turnModel)?.id === defaults.turnModel;
  const named: NamedModel[] = [
    {
      variable: "PARLANCE_MULTILINGUAL_MODEL",
      name: multilingualModel,
      without: "requests in languages that PARLANCE_MODEL does not support fail",
      isInstalled: speech.some(
        ({ id, manifest }) => id === multilingualModel || manifest?.source === multilingualModel,
      ),
      isKnown:
        multilingualModel !== defaults.speakerModel &&
        multilingualModel !== defaults.turnModel &&
        (catalogueEntry(multilingualModel) !== undefined || HUB_NAME.test(multilingualModel)),
      isDefault: multilingualModel === defaults.multilingualModel,
    },
    {
      variable: "PARLANCE_SPEAKER_MODEL",
      name: speakerModel,
      without: "diarization uses the less accurate method with the recogniser's encoder",
      isInstalled: (await store.findSpeakerModel(speakerModel)) !== undefined,
      isKnown: isSpeakers,
      isDefault: isSpeakers,
    },
    {
      variable: "PARLANCE_TURN_MODEL",
      name: turnModel,
      without: "silence ends the utterances of live sessions with smart turn detection",
      isInstalled: (await store.findTurnModel(turnModel)) !== undefined,
      isKnown: isTurns,
      isDefault: isTurns,
    },
  ];
  if (languageModelUrl === "" && languageModel !== NO_LANGUAGE_MODEL) {
    named.push({
      variable: "PARLANCE_LANGUAGE_MODEL",
      name: languageModel,
      without: "no language model is used",
      isInstalled: (await chosenLanguageModel(store, languageModel)) !== undefined,
      isKnown: couldBeLanguageModel(languageModel),
      isDefault: false,
    });
  }
  return named
    .filter(({ name }) => name !== "")
    .map((one) => problemOf(one, fetchModels))
    .filter((problem) => problem !== undefined);
}
