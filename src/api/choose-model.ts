import { errors } from "../errors.ts";
import { findEngine, installedLanguages, modelNames } from "../recognition/registry.ts";

/**
 * The engine for a request.
 * @param languages  languages asked for; none means any
 * @throws request.invalid for an unknown name, recognition.language_unavailable when the model speaks none of them
 */
export function chooseModel(name: string | undefined, languages: string[], defaultId: string): string {
  const engine = findEngine(name, defaultId);
  if (!engine) {
    throw errors.invalidParameters([`model must be one of the following values: ${modelNames().join(", ")}`]);
  }
  if (languages.length > 0 && !languages.some((language) => engine.languages.includes(language))) {
    throw errors.languageUnavailable(languages, [...installedLanguages()]);
  }
  return engine.id;
}
