const FIRST_MARKS = /^[^\p{L}\p{N}]+/u;
/**
 * Marks and spaces behind the last letter or digit of a word. A combining mark belongs to the letter before it: the last vowel of many
 * words in Hindi and Tamil is one.
 */
export const LAST_MARKS = /(?<![^\p{L}\p{M}\p{N}])[^\p{L}\p{M}\p{N}]+$/u;

/** A word without the marks and spaces at its ends. */
export const bareWord = (word: string): string => word.replace(FIRST_MARKS, "").replace(LAST_MARKS, "");

const POSSESSIVE = /['’]s$/;

export interface WordParts {
  before: string;
  core: string;
  /** With an English possessive. */
  behind: string;
}

/** A word, and the marks and spaces at its ends. */
export function wordParts(word: string): WordParts {
  const before = FIRST_MARKS.exec(word)?.[0] ?? "";
  const rest = word.slice(before.length);
  const stem = rest.replace(LAST_MARKS, "");
  const core = stem.replace(POSSESSIVE, "");
  return { before, core, behind: rest.slice(core.length) };
}

const MASK = /^\*+/;
/** Signs that are spoken: $5, 50%, 20°, C++, C#. */
const SIGN_BEFORE_NUMBER = /\p{Sc}$/u;
const SIGN_BEHIND_NUMBER = /^[%‰°\p{Sc}]/u;
const SIGNS_BEHIND_NAME = /^[+#]+/;

/**
 * A bare word with the asterisks of a masked one, such as s***, and with signs that are spoken. Asterisks on both sides are marks:
 * *laughs*.
 */
export function bareMaskedWord(word: string): string {
  const bare = bareWord(word);
  const start = word.indexOf(bare);
  const [before, behind] = [word.slice(0, start), word.slice(start + bare.length)];
  if (bare === "" || before.includes("*")) return bare;
  const sign = /^\p{N}/u.test(bare) ? (SIGN_BEFORE_NUMBER.exec(before)?.[0] ?? "") : "";
  const signs = /\p{N}$/u.test(bare) ? SIGN_BEHIND_NUMBER : SIGNS_BEHIND_NAME;
  return sign + bare + ((MASK.exec(behind) ?? signs.exec(behind))?.[0] ?? "");
}

const bareWords = (text: string) =>
  text
    .trim()
    .split(/\s+/u)
    .map((word) => bareWord(word).toLowerCase())
    .filter((word) => word !== "")
    .join(" ");

/** Whether two texts differ only in marks, spaces and capitals. */
export const sameWords = (left: string, right: string): boolean => bareWords(left) === bareWords(right);
