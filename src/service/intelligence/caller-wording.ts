// Phrases from the caller's vocabulary and spellings. Numbers in them are not converted.
import type { AddonParameters } from "../../contract/job-parameters.ts";
import { vocabularyOf } from "../../speech/recognition/vocabulary.ts";
import { phrasesOf, spellingOf } from "./spelling.ts";

/** @returns phrases in lower case */
export function callerWording(switches: AddonParameters): string[] {
  const terms = vocabularyOf(switches).flatMap(({ value, pronunciations }) => [value, ...pronunciations]);
  return [...terms, ...phrasesOf(spellingOf(switches))].map((phrase) => phrase.toLowerCase());
}
