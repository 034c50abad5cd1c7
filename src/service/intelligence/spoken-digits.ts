// Long numbers that are said in pairs or by single digits, in any mix with written digits: "forty two forty two", "double five", "oh".
import { cardinalWords } from "../../speech/text/numerals/english-numbers.ts";
import { plainLetters, spellingsOf } from "../../speech/text/numerals/spellings.ts";

export interface SpokenDigits {
  /** Characters of the text. */
  from: number;
  to: number;
  digits: string;
  /** Groups as they were said. */
  groups: string[];
}

const MOST_PHRASE_WORDS = 4;
const TOKEN = /[\p{L}\p{N}]+/gu;
/** What may stand between two groups. */
const GAP = /^(?:\s|[,.;-]\s?|\s-\s)$/u;
const REPEATS: Readonly<Record<string, number>> = { double: 2, doppel: 2, doble: 2, triple: 3 };

function englishPhrases(): Map<string, string> {
  const phrases = new Map([
    ["oh", "0"],
    ["o", "0"],
  ]);
  for (let value = 0; value < 100; value++) phrases.set(cardinalWords(value).replace("-", " "), String(value));
  for (let value = 1; value < 10; value++) phrases.set(`${cardinalWords(value)} hundred`, `${value}00`);
  return phrases;
}

const known = new Map<string, ReadonlyMap<string, string>>();

/** Digits by the words that are said for them: numbers below a hundred, and whole hundreds. */
function phrasesOf(language: string): ReadonlyMap<string, string> | undefined {
  const found = known.get(language);
  if (found) return found;
  const spellings = [...(spellingsOf(language) ?? [])].filter(([, value]) => value < 100 || value % 100 === 0);
  const phrases =
    language === "en" ? englishPhrases() : new Map(spellings.map(([phrase, value]) => [phrase, String(value)]));
  if (phrases.size === 0) return undefined;
  known.set(language, phrases);
  return phrases;
}

/**
 * @returns runs of at least three groups of digits of which one is a word, in order; linear in the text
 * @param language  ISO 639 code; none in languages whose numbers are unknown
 */
export function spokenDigitsIn(text: string, language: string): SpokenDigits[] {
  const phrases = phrasesOf(language);
  if (!phrases) return [];
  const tokens = [...text.matchAll(TOKEN)].map(({ 0: word, index }) => ({ word, plain: plainLetters(word), index }));
  const isTied = (at: number) => {
    const [left, right] = [tokens[at], tokens[at + 1]];
    return left && right ? GAP.test(text.slice(left.index + left.word.length, right.index)) : false;
  };
  /** The longest phrase of digits from a token on. */
  const groupAt = (at: number): { to: number; digits: string } | undefined => {
    const plain = tokens[at]?.plain ?? "";
    if (/^\d+$/.test(plain)) return { to: at + 1, digits: plain };
    const times = REPEATS[plain];
    if (times !== undefined && isTied(at)) {
      const one = phrases.get(tokens[at + 1]?.plain ?? "") ?? "";
      return one.length === 1 ? { to: at + 2, digits: one.repeat(times) } : undefined;
    }
    let [phrase, found] = [plain, phrases.has(plain) ? { to: at + 1, digits: phrases.get(plain) ?? "" } : undefined];
    for (let to = at + 1; to < at + MOST_PHRASE_WORDS && isTied(to - 1); to++) {
      phrase += ` ${tokens[to]?.plain}`;
      const digits = phrases.get(phrase);
      if (digits !== undefined) found = { to: to + 1, digits };
    }
    return found;
  };
  const runs: SpokenDigits[] = [];
  for (let at = 0; at < tokens.length; ) {
    const groups: string[] = [];
    let [to, hasWord] = [at, false];
    for (let group = groupAt(at); group; group = isTied(to - 1) ? groupAt(to) : undefined) {
      groups.push(group.digits);
      hasWord ||= !/^\d/.test(tokens[to]?.word ?? "");
      to = group.to;
    }
    const [first, last] = [tokens[at], tokens[to - 1]];
    if (hasWord && groups.length >= 3 && first && last)
      runs.push({ from: first.index, to: last.index + last.word.length, digits: groups.join(""), groups });
    at = Math.max(to, at + 1);
  }
  return runs;
}

const LEAST_LONG_DIGITS = 13;

/** Whether the groups are a list of numbers ("ten, twenty, thirty") or years, not one number. */
export function isNumberList({ groups, digits }: SpokenDigits): boolean {
  const steps = groups.slice(1).map((group, at) => Number(group) - Number(groups[at]));
  const isSeries = groups.length < LEAST_LONG_DIGITS && steps.every((step) => step === steps[0] && step !== 0);
  return isSeries || /^(?:(?:1[89]|20)\d\d){1,2}$/.test(digits);
}

/** Whether digits in pairs are an identifier without a word before that says so. */
export const isLongNumber = ({ digits, groups }: SpokenDigits): boolean =>
  digits.length >= LEAST_LONG_DIGITS || (digits.length >= 9 && groups.every(({ length }) => length <= 2));
