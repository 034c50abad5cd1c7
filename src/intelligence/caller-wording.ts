// What a caller has written himself: terms of a vocabulary, and spellings. Numbers in them stay as they are.
import { vocabularyOf } from "../recognition/vocabulary.ts";
import { spellingOf } from "./spelling.ts";

/** @returns phrases in small letters */
export function callerWording(switches: Record<string, unknown>): string[] {
  const terms = vocabularyOf(switches).flatMap(({ value, pronunciations }) => [value, ...pronunciations]);
  const spellings = spellingOf(switches).map(({ words }) => words.join(" "));
  return [...terms, ...spellings].map((phrase) => phrase.toLowerCase());
}
