// What a caller has written himself: terms of a vocabulary, and spellings. Numbers in them stay as they are.
import { vocabularyOf } from "../recognition/vocabulary.ts";
import { phrasesOf, spellingOf } from "./spelling.ts";

/** @returns phrases in small letters */
export function callerWording(switches: Record<string, unknown>): string[] {
  const terms = vocabularyOf(switches).flatMap(({ value, pronunciations }) => [value, ...pronunciations]);
  return [...terms, ...phrasesOf(spellingOf(switches))].map((phrase) => phrase.toLowerCase());
}
