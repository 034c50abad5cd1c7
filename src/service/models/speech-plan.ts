// Chooses the model and the languages for a request's speech. Each start of the work chooses again, because the installed
// models may have changed.

import { DEFAULT_ALIASES } from "../../contract/default-aliases.ts";
import type { AddonParameters } from "../../contract/job-parameters.ts";
import { codeKnownTo } from "../../contract/languages.ts";
import { PARLANCE } from "../../platform/command-prefix.ts";
import { errors } from "../../platform/errors.ts";
import { catalogueEntry } from "./catalogue.ts";
import { isNamed, ModelStore, type ServedModel } from "./store.ts";

export interface LanguageRequest {
  /** As the request names it. */
  model?: string;
  /** ISO 639 codes of the languages that may be spoken; none means any. */
  languages: readonly string[];
  /** Whether the language may change from one stretch of speech to the next. */
  codeSwitching: boolean;
}

export interface SpeechPlan {
  /** Recognises all speech except that of `englishModel`. */
  model: string;
  /** Transcribes English where `model` detects it. */
  englishModel?: string;
  /** Possible languages; a single one is not detected but used. */
  languages: readonly string[];
  isSwitching: boolean;
}

export interface PlanSettings {
  model: string;
  multilingualModel: string;
  keepsEnglish: boolean;
  fetchModels: boolean;
}

const ENGLISH = "en";

/** The language request in a body with defaults. */
export function languageRequestOf({
  model,
  language_config: { languages = [], code_switching = false } = {},
}: {
  model?: string;
  language_config?: AddonParameters["language_config"] | undefined;
}): LanguageRequest {
  return { languages, codeSwitching: code_switching, ...(model === undefined ? {} : { model }) };
}

const supports = ({ languages }: Pick<ServedModel, "languages">, wanted: readonly string[]) =>
  wanted.every((language) => languages.includes(language));

/** The installed model for languages that the default one does not support. */
function multilingual(
  installed: readonly ServedModel[],
  wanted: readonly string[],
  preferred: string,
): ServedModel | undefined {
  const isEnough = (model: ServedModel) =>
    model.languages.length > 1 &&
    supports(model, wanted) &&
    (wanted.length === 1 || model.capabilities.languageDetection);
  const fitting = installed.filter(isEnough);
  const most = [...fitting].sort((left, right) => right.languages.length - left.languages.length)[0];
  return fitting.find(({ id }) => id === preferred) ?? most;
}

function plan(
  { id, languages: known, capabilities }: ServedModel,
  { languages, codeSwitching }: LanguageRequest,
  english?: ServedModel,
): SpeechPlan {
  const spoken = known.length === 1 ? known : languages.filter((language) => known.includes(language));
  const needsDetection = spoken.length !== 1 && capabilities.languageDetection;
  const includesEnglish = spoken.length === 0 || spoken.includes(ENGLISH);
  return {
    model: id,
    ...(english && english.id !== id && needsDetection && includesEnglish ? { englishModel: english.id } : {}),
    languages: spoken,
    isSwitching: codeSwitching && needsDetection,
  };
}

/**
 * @param installed  every model that can be used
 * @returns a plan; where its model is not installed it has to be fetched first
 * @throws request.invalid, models.missing, recognition.language_unavailable
 */
export function planSpeech(
  given: LanguageRequest,
  installed: readonly ServedModel[],
  settings: PlanSettings,
): SpeechPlan {
  const { model: name } = given;
  if (name !== undefined && !ModelStore.isDefault(name)) return planNamed(name, given, installed);
  const request = withKnownLanguages(given, installed);
  const { languages } = request;
  const standard = installed.find(({ id }) => id === settings.model);
  if (!standard) throw errors.modelMissing(settings.model);
  const isStandardEnough = languages.length > 0 && supports(standard, languages);
  if (isStandardEnough) return plan(standard, request);
  const english = settings.keepsEnglish && standard.languages.includes(ENGLISH) ? standard : undefined;
  const other = multilingual(installed, languages, settings.multilingualModel);
  if (standard.languages.length === 1 && other) return plan(other, request, english);
  // The request names no language, and no installed model can detect it.
  if (languages.length === 0) return plan(standard, request);
  const entry = catalogueEntry(settings.multilingualModel);
  const isHopeless =
    entry !== undefined && Array.isArray(entry.languages) && !supports({ languages: entry.languages }, languages);
  if (!settings.fetchModels || isHopeless) {
    // It transcribes only its own languages.
    if (languages.some((language) => standard.languages.includes(language))) return plan(standard, request);
    const all = [...new Set(installed.flatMap((one) => one.languages))];
    const missing = languages.filter((language) => !all.includes(language));
    const remedy = `Add a model that does: ${PARLANCE} models add ${settings.multilingualModel}`;
    throw errors.languageUnavailable(missing.length > 0 ? missing : [...languages], all, remedy);
  }
  return { model: settings.multilingualModel, languages, isSwitching: false };
}

/** Engine whose confidences the language check was measured with. */
const CHECKED_ENGINE = "moonshine";

/**
 * The model that checks whether speech is English, where only an English model recognises it and the request leaves the
 * language open.
 * @returns undefined where nothing is to be checked
 */
export function secondEnglishModel(
  { model }: SpeechPlan,
  { languages }: LanguageRequest,
  installed: readonly ServedModel[],
): string | undefined {
  const first = installed.find(({ id }) => id === model);
  const isNamed = languages.length > 0 && languages.every((language) => language === ENGLISH);
  if (isNamed || first?.engine !== CHECKED_ENGINE) return undefined;
  return installed.find(({ id, engine }) => engine === CHECKED_ENGINE && id !== model)?.id;
}

/** The same request with the broader code if no model supports a language itself: Cantonese as Chinese. */
function withKnownLanguages(request: LanguageRequest, models: readonly Pick<ServedModel, "languages">[]) {
  const known = models.flatMap(({ languages }) => languages);
  return { ...request, languages: [...new Set(request.languages.map((code) => codeKnownTo(known, code)))] };
}

function planNamed(name: string, given: LanguageRequest, installed: readonly ServedModel[]): SpeechPlan {
  const named = installed.find((model) => isNamed(model, name));
  if (!named) {
    if (catalogueEntry(name) || name.startsWith("hf:")) throw errors.modelMissing(name);
    const names = [...installed.map(({ id }) => id), ...DEFAULT_ALIASES];
    throw errors.invalidParameters([`model must be one of the following values: ${names.join(", ")}; it is ${name}`]);
  }
  const request = withKnownLanguages(given, [named]);
  const unknown = request.languages.filter((language) => !named.languages.includes(language));
  if (unknown.length > 0 && unknown.length === request.languages.length) {
    throw errors.languageOfModel(named.id, unknown, named.languages);
  }
  return plan(named, request);
}

/**
 * The model that translates speech in the plan's languages into English.
 * @returns undefined where none can
 */
export function englishTranslatorOf(
  { model, languages }: SpeechPlan,
  installed: readonly ServedModel[],
): string | undefined {
  const able = installed.filter((one) => one.capabilities.translation && supports(one, languages));
  return (able.find(({ id }) => id === model) ?? able[0])?.id;
}
