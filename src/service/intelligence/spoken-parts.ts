// Parts of addresses and dates that stand outside of what their expressions match: words before the "@" of an address, a short year.
import { plainLetters } from "../../speech/text/numerals/spellings.ts";
import { numberWordsOf } from "./spoken-digits.ts";

/** No name before an "@" has more words; the bound makes the search linear in the text. */
const MOST_LOCAL_WORDS = 24;
/** Of a word with its marks. */
const MOST_CHARACTERS = 40;
const AND = /^(?:and|und|et|y|e|en)$/;
const SIGN =
  /^(?:dot|punkt|point|punto|ponto|punt|underscore|dash|hyphen|minus|unterstrich|bindestrich|tiret|guion|trattino|plus)$/;
/** No names: what may stand before a name that consists of numbers or letters. */
const NOT_A_NAME =
  /^(?:is|it|its|that|thats|was|are|address|adresse|email|emails|mail|mails|to|at|the|and|or|my|your|his|her|our|their|write|send|so|um|uh|yes|no|okay|with|ist|an|meine|die|est|mon|votre|es|mi|su|seu|meu|e|con|de|correo|courriel|for|from|in|on|by|of|then|number|zero|have|has|had|got|get|gets|price|accounts?|one|five|i|we|you|they|he|she)$/;
const LETTER = /^\p{L}$/u;

const wordBefore = (text: string, end: number) => {
  const found = /(?<![\p{L}\p{N}])([\p{L}\p{N}]+)([,.]?)[ -]$/u.exec(
    text.slice(Math.max(0, end - MOST_CHARACTERS), end),
  );
  if (!found) return undefined;
  const word = plainLetters(found[1] ?? "");
  // Marks stand between spelled letters alone: "J, O, H, N at".
  return found[2] === "" || LETTER.test(word) ? { word, from: end - found[0].length } : undefined;
};

/**
 * Where a spoken e-mail address begins whose match begins at a number or letter: "john dot doe eighty five at", "J O H N at".
 * @param from  where the match begins
 * @returns a place at or before `from`
 */
export function startOfEmail(text: string, from: number, languages: readonly string[]): number {
  const numbers = languages.map(numberWordsOf);
  const isNumber = (word: string) => /^\d+$/.test(word) || numbers.some((words) => words.has(word));
  const first = plainLetters(/^[\p{L}\p{N}]+/u.exec(text.slice(from, from + MOST_CHARACTERS))?.[0] ?? "");
  if (!isNumber(first) && !LETTER.test(first)) return from;
  let [start, hasName, isBehindNumber] = [from, false, isNumber(first)];
  for (let count = 0; count < MOST_LOCAL_WORDS; count++) {
    const before = wordBefore(text, start);
    if (!before) return start;
    const { word } = before;
    const second = wordBefore(text, before.from);
    const isJoiner = isBehindNumber && AND.test(word) && second !== undefined && isNumber(second.word);
    const isSign = SIGN.test(word) && second !== undefined && !NOT_A_NAME.test(second.word);
    const isPart = isNumber(word) || isJoiner || (LETTER.test(word) && !/^[aei]$/.test(word));
    if (isSign && second) {
      [start, hasName, isBehindNumber] = [second.from, !isNumber(second.word), isNumber(second.word)];
    } else if (isPart) {
      [start, isBehindNumber] = [before.from, isNumber(word)];
    } else if (!hasName && isBehindNumber && !NOT_A_NAME.test(word)) {
      [start, hasName, isBehindNumber] = [before.from, true, false];
    } else return start;
  }
  return start;
}

/** Smaller numbers may count what follows: "on March third, eleven". */
const TENS = "(?:forty|fifty|sixty|seventy|eighty|ninety)";
const ONES = "one|two|three|four|five|six|seven|eight|nine";
const SHORT_YEAR = new RegExp(
  `^,? (?:${TENS}(?:[ -](?:${ONES}))?|oh? (?:${ONES})|['’]\\d\\d|[4-9]\\d)(?=\\s*(?:[.;!?]|$))`,
  "iu",
);

/**
 * Where a date ends that a year of two digits follows at the end of a clause: "the twelfth of March, eighty five".
 * @param to  where the match of the date ends
 */
export function endOfDate(text: string, from: number, to: number): number {
  if (/\d{4}$|\d[./-]\d/.test(text.slice(from, to))) return to;
  return to + (SHORT_YEAR.exec(text.slice(to, to + MOST_CHARACTERS))?.[0].length ?? 0);
}
