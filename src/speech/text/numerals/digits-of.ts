// The digits that a recognised word stands for, however it is written: recognisers write one number in digits or in words.
import { bareWord } from "../bare-word.ts";
import { digitRow, wholeNumber } from "./english-numbers.ts";
import { spellingsOf } from "./spellings.ts";

const WRITTEN_DIGITS = /^\d[\d.,:/' -]*$/;

/**
 * @param word      a word of a transcript with its punctuation
 * @param language  ISO 639 code
 * @returns "555123" for "555-123", "5" for "Five,", "55" for "fifty-five"; undefined for other words
 */
export function digitsOf(word: string, language: string): string | undefined {
  const plain = bareWord(word.toLowerCase());
  if (WRITTEN_DIGITS.test(plain)) return plain.replace(/\D/g, "");
  if (language !== "en") return spellingsOf(language)?.get(plain)?.toString();
  const parts = plain.split("-");
  return digitRow(parts) ?? wholeNumber(parts)?.toString();
}
