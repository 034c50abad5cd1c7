// Phrases from the caller's vocabulary and spellings. Numbers in them are not converted.
import type { AddonParameters } from "../../contract/job-parameters.ts";
import { type VocabularyTerm, vocabularyOf } from "../../speech/recognition/vocabulary.ts";
import { phrasesOf, spellingOf, type Variants } from "./spelling.ts";

/** @returns phrases in lower case */
export function wordingOf(vocabulary: readonly VocabularyTerm[], spelling: Variants): string[] {
  const terms = vocabulary.flatMap(({ value, pronunciations }) => [value, ...pronunciations]);
  return [...terms, ...phrasesOf(spelling)].map((phrase) => phrase.toLowerCase());
}

export const callerWording = (switches: AddonParameters): string[] =>
  wordingOf(vocabularyOf(switches), spellingOf(switches));

/** Texts that the caller's options write: values of the vocabulary and wanted spellings, with their capitals. */
export function callerSpellings(switches: AddonParameters): string[] {
  const { custom_spelling, custom_spelling_config: config } = switches;
  const wanted = custom_spelling === true ? Object.keys(config?.spelling_dictionary ?? {}) : [];
  return [...vocabularyOf(switches).map(({ value }) => value), ...wanted]
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== "");
}
