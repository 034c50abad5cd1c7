// What parameters of Deepgram's interface mean, of recordings and of live audio.
import { MOST_VOCABULARY_ENTRIES } from "../../contract/bounds.ts";
import { maskingProblem, namedLanguages } from "../../speech/text/language-choice.ts";
import { numberIn, type Parameters, shown } from "../wire/parameters.ts";

export const DEFAULT_MODEL_NAME = "nova-3";
const DEFAULT_LANGUAGE = "en";
const SEVERAL_LANGUAGES = "multi";
/** Values of extra, and of tag. */
export const MOST_EXTRAS = 50;
export const MOST_CHANNELS = 8;

/** Languages of language_hint, where several may be spoken. @param isUsed  whether several may be spoken, and the address does not list them */
function hintsIn(parameters: Parameters, isUsed: boolean): string[] {
  const given = parameters.all("language_hint");
  if (!isUsed) {
    if (given.length > 0)
      parameters.warn("language_hint", "it is used only with language=multi or detect_language=true");
    return [];
  }
  const { languages, problems } = namedLanguages(given, "language_hint");
  parameters.problems.push(...problems);
  return languages;
}

export function languagesIn(parameters: Parameters) {
  const given = parameters.one("language");
  const detected = parameters.all("detect_language").flatMap((value) => value.split(","));
  const isFlag = detected.length === 1 && /^(true|false)$/i.test(detected[0] as string);
  const detectsLanguage = detected.length > 0 && detected[0]?.toLowerCase() !== "false";
  const codeSwitching = given?.toLowerCase() === SEVERAL_LANGUAGES && !detectsLanguage;
  const hints = hintsIn(parameters, codeSwitching || (detectsLanguage && isFlag));
  const common = { detectsLanguage, codeSwitching, languagesHinted: codeSwitching ? hints : [] };
  if (codeSwitching) return { ...common, languages: hints };
  if (detectsLanguage && given !== undefined) parameters.warn("language", "detect_language is set");
  if (detectsLanguage && isFlag) return { ...common, languages: hints };
  const wanted = detectsLanguage ? detected : [given ?? DEFAULT_LANGUAGE];
  const { languages, problems } = namedLanguages(wanted, detectsLanguage ? "detect_language" : "language");
  parameters.problems.push(...problems);
  return { ...common, languages };
}

/** keyterm takes phrases; keywords takes words with a weight behind a colon. */
export function vocabularyIn(parameters: Parameters): string[] {
  const terms = parameters.phrases("keyterm", MOST_VOCABULARY_ENTRIES);
  const keywords: string[] = [];
  for (const keyword of parameters.phrases("keywords", MOST_VOCABULARY_ENTRIES)) {
    const colon = keyword.lastIndexOf(":");
    const weight = colon < 0 ? undefined : numberIn(keyword.slice(colon + 1));
    const word = weight === undefined ? keyword : keyword.slice(0, colon);
    if (weight !== undefined && weight <= 0)
      parameters.note("keywords", `keywords: ${shown(keyword)} cannot be suppressed and was ignored`);
    else if (word.trim() !== "") keywords.push(word.trim());
    if (weight !== undefined && weight > 0)
      parameters.note("keywords", `keywords: the weight of ${shown(keyword)} is ignored`);
  }
  const all = [...new Set([...terms, ...keywords])];
  if (all.length > MOST_VOCABULARY_ENTRIES) {
    parameters.problems.push(`keyterm and keywords must not have more than ${MOST_VOCABULARY_ENTRIES} terms together`);
  }
  return all;
}

export function replacementsIn(parameters: Parameters): Record<string, string[]> {
  const forms = new Map<string, string[]>();
  for (const given of parameters.phrases("replace", MOST_VOCABULARY_ENTRIES)) {
    const colon = given.indexOf(":");
    const found = given.slice(0, colon < 0 ? given.length : colon).trim();
    const replacement = colon < 0 ? "" : given.slice(colon + 1).trim();
    if (found === "") parameters.problems.push(`replace must be find:replacement; it is ${shown(given)}`);
    forms.set(replacement, [...(forms.get(replacement) ?? []), found]);
  }
  return Object.fromEntries(forms);
}

export function extraIn(parameters: Parameters): Record<string, string> {
  return Object.fromEntries(
    parameters.phrases("extra", MOST_EXTRAS).map((given) => {
      const colon = given.indexOf(":");
      if (colon <= 0) parameters.problems.push(`extra must be key:value; it is ${shown(given)}`);
      return [given.slice(0, colon), given.slice(colon + 1)];
    }),
  );
}

interface SpokenStyle {
  filler_words?: "keep" | "drop";
  profanity_filter?: true;
}

/** Without the parameters, words are written as the model recognises them. @param languages  that may be spoken; none for any */
export function spokenStyleIn(parameters: Parameters, languages: readonly string[]): SpokenStyle {
  const masksProfanity = parameters.flag("profanity_filter");
  const problem = masksProfanity ? maskingProblem(languages) : undefined;
  if (problem !== undefined) parameters.warn("profanity_filter", problem);
  const hasChoice = parameters.one("filler_words") !== undefined;
  const filler_words = parameters.flag("filler_words") ? ("keep" as const) : ("drop" as const);
  return {
    ...(hasChoice ? { filler_words } : {}),
    ...(masksProfanity ? { profanity_filter: true as const } : {}),
  };
}

/** Parameters that are accepted and change nothing. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  measurements: "measurements are written with numerals",
  dictation: "spoken punctuation commands are written as words",
};

export function warnOfOthers(parameters: Parameters): void {
  for (const [name, reason] of Object.entries(WITHOUT_EFFECT)) if (parameters.flag(name)) parameters.warn(name, reason);
  if ((parameters.number("alternatives", 1, 100) ?? 1) > 1)
    parameters.warn("alternatives", "only one alternative is returned");
  if (parameters.one("tier") !== undefined) parameters.warn("tier", "the parameter model selects the model");
  const version = parameters.one("version") ?? "latest";
  if (version !== "latest") parameters.warn("version", "models have no versions here");
}
