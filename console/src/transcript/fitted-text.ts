// A text that takes the place of a word: the recogniser writes an alternative as if it were alone. Pure.
import { bareWord, LAST_MARKS } from "../../../src/speech/text/bare-word.ts";

const ABBREVIATION = /\p{L}\.\p{L}/u;
const FIRST_LETTER = /\p{L}/u;

/**
 * @param text      alternative of a word
 * @param word      the word as it stands, with its marks
 * @param isFirst   whether the word begins a sentence
 * @returns the alternative with the word's marks at its end, and with a capital letter where the word begins a sentence with one
 */
export function fitted(text: string, word: string, isFirst: boolean): string {
  if (text === "") return "";
  const marks = LAST_MARKS.exec(word)?.[0] ?? "";
  const plain = ABBREVIATION.test(text) ? text : text.replace(LAST_MARKS, "");
  const letter = FIRST_LETTER.exec(bareWord(word))?.[0];
  const isCapital = letter !== undefined && letter !== letter.toLowerCase();
  const begun = isFirst && isCapital ? plain.charAt(0).toUpperCase() + plain.slice(1) : plain;
  return begun.endsWith(marks) ? begun : `${begun}${marks}`;
}
