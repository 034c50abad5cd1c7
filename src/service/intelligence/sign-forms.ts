// Terms with signs: how they are compared, and how English speech writes them when the recogniser writes the signs as words: "dot net".
import { normalized } from "../../contract/normalized.ts";

/** Signs that are part of a word: "C" is not "C++", and "5" is not "5%". */
const WORD_SIGNS = "+#%&@°$€£¥";
const OTHER_MARKS = new RegExp(`[^\\p{L}\\p{M}\\p{N}${WORD_SIGNS}]+`, "gu");

/** Signs of a word before its first and behind its last letter. */
export const SIGNS_BEFORE = new RegExp(`(?<![${WORD_SIGNS}])[${WORD_SIGNS}]+$`, "u");
export const SIGNS_BEHIND = new RegExp(`^[${WORD_SIGNS}]+`, "u");

/** A text as pronunciations are compared: letters, digits and the signs of words, without spaces. */
export const foldedLetters = (text: string) => normalized(text, "NFC").toLowerCase().replace(OTHER_MARKS, "");

/** Endings of names that are no English words: "node js" is a name, and "about me" is not. */
const NAME_WITH_DOT = /^[\p{L}\p{N}]{2,}\.(?:js|ts)$/iu;

/** A sign, and how it is spoken. "@" is missing: "at home" is rarely a name. */
const SPOKEN_SIGNS: readonly (readonly [RegExp, string])[] = [
  [/\.(?=[\p{L}\p{N}])/gu, " dot "],
  [/&/gu, " and "],
  [/\+\+/gu, " plus plus "],
  // "A+" is a grade, and "that's a plus" is none.
  [/(?<=\p{L}{3})\+(?!\+)/gu, " plus "],
  [/(?<=^\p{L})#$/gu, " sharp "],
  [/^#(?=\p{L})/gu, " hashtag "],
];

/** In "Disney plus two others" and "a C sharp minor chord", the signs are words. */
const NOT_PLUS_BEFORE =
  /^(?:\p{N}.*|an?|the|some|other|more|two|three|four|five|six|seven|eight|nine|ten|twenty|hundreds?|thousands?)$/iu;
const NOT_SHARP_BEFORE = /^(?:minor|major|chords?|scales?|keys?|notes?)$/iu;

export interface SignForm {
  /** As `foldedLetters` makes it. */
  letters: string;
  /** Words that it has in a text: "bands" is not "B and S". Undefined if any division is the term. */
  spoken?: readonly string[];
}

/** Words of a text. */
export interface Said {
  words: readonly string[];
  /** The word behind them in the same clause; empty without one. */
  next: string;
}

/** Whether the words stand for the spoken form of a term, whose letters they have. */
export function standFor(spoken: readonly string[], { words, next }: Said): boolean {
  if (words.length !== spoken.length) return false;
  const last = spoken.at(-1);
  const isPlus = last === "plus" && spoken.at(-2) !== "plus";
  if ((isPlus && NOT_PLUS_BEFORE.test(next)) || (last === "sharp" && NOT_SHARP_BEFORE.test(next))) return false;
  if (!isPlus && !spoken.includes("and")) return true;
  // Names and letters have capitals: "the canal plus the river" and "vitamin C and a banana" are none.
  return spoken.every((word, at) => {
    const isName = /^\p{Lu}/u.test(word) || (word.length === 1 && /\p{L}/u.test(word));
    return !isName || /^[^\p{L}]*\p{Lu}/u.test(words[at] ?? "");
  });
}

/** @returns how a term with signs may stand in an English text that has other signs or none; none for other terms */
export function signForms(term: string): SignForm[] {
  const forms: SignForm[] = [];
  const spoken = SPOKEN_SIGNS.reduce((text, [sign, word]) => text.replace(sign, word), term)
    .trim()
    .split(/\s+/);
  const letters = foldedLetters(spoken.join(""));
  if (letters !== foldedLetters(term)) forms.push({ letters, spoken });
  // "AT & T", "Node js".
  if (term.includes("&") || NAME_WITH_DOT.test(term)) forms.push({ letters: foldedLetters(term) });
  return forms;
}
