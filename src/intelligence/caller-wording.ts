// What a caller has written himself: terms of a vocabulary, and spellings. Numbers in them stay as they are.
import type { AddonParameters } from "../contract/job-parameters.ts";
import { vocabularyOf } from "../recognition/vocabulary.ts";
import { phrasesOf, spellingOf } from "./spelling.ts";

/** @returns phrases in small letters */
export function callerWording(switches: AddonParameters): string[] {
  const terms = vocabularyOf(switches).flatMap(({ value, pronunciations }) => [value, ...pronunciations]);
  return [...terms, ...phrasesOf(spellingOf(switches))].map((phrase) => phrase.toLowerCase());
}
