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
const GAP = /^(?:\s|(?:[,.;-]|…|\.\.\.)\s?|\s-\s)$/u;
/** Marks around what people say between two groups of a number, such as "um", and around the answers of the other person. */
const PAUSE = /^(?:\s|(?:[,.;!?-]|…|\.\.\.)\s?|\s-\s)$/u;
const LEAST_GROUPS = 2;
const MOST_FILLERS = 3;
const FILLERS = new Set(
  (
    "um uh uhm er erm ah eh hm hmm mhm mm huh and then next so okay ok yes yeah yep right sure got it go ahead " +
    "ah ahm und dann ja gut genau euh et puis oui ben este y luego si vale e poi allora bene depois sim en dan oke"
  ).split(" "),
);
/** Names of the mark between two groups: "four one five dash five five five". */
const SEPARATORS = new Set(
  "dash hyphen space strich bindestrich tiret espace guion traco hifen trattino streepje koppelteken".split(" "),
);
const REPEATS: Readonly<Record<string, number>> = { double: 2, doppel: 2, doble: 2, triple: 3, treble: 3 };

function englishPhrases(): Map<string, string> {
  const phrases = new Map([
    ["oh", "0"],
    ["o", "0"],
  ]);
  for (let value = 0; value < 100; value++) phrases.set(cardinalWords(value).replace("-", " "), String(value));
  for (let value = 1; value < 10; value++) {
    phrases.set(`${cardinalWords(value)} thousand`, `${value}000`);
  }
  // "forty one hundred"
  for (let value = 1; value < 100; value++)
    if (value % 10 !== 0) phrases.set(`${cardinalWords(value).replace("-", " ")} hundred`, `${value}00`);
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

const numberWords = new Map<string, ReadonlySet<string>>();

/** Words of which numbers below a hundred consist, but for "and". */
export function numberWordsOf(language: string): ReadonlySet<string> {
  let words = numberWords.get(language);
  if (!words) {
    const all = [...(phrasesOf(language)?.keys() ?? [])].flatMap((phrase) => phrase.split(" "));
    words = new Set(all.filter((word) => !/^(?:and|und|et|y|e|en|o)$/.test(word)));
    numberWords.set(language, words);
  }
  return words;
}

/**
 * @returns runs of at least two groups of digits of which one is a word, in order; linear in the text
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
      const next = tokens[at + 1]?.plain ?? "";
      const one = /^\d$/.test(next) ? next : (phrases.get(next) ?? "");
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
  const isPause = (at: number) => {
    const [left, right] = [tokens[at], tokens[at + 1]];
    return left && right ? PAUSE.test(text.slice(left.index + left.word.length, right.index)) : false;
  };
  /** The group that continues a run at a token. At most MOST_FILLERS fillers may precede it. */
  const nextGroup = (at: number) => {
    const tied = isTied(at - 1) ? groupAt(at) : undefined;
    if (tied) return { ...tied, from: at };
    const isSeparated = isPause(at - 1) && isPause(at) && SEPARATORS.has(tokens[at]?.plain ?? "");
    const separated = isSeparated ? groupAt(at + 1) : undefined;
    if (separated) return { ...separated, from: at + 1 };
    let from = at;
    while (from < at + MOST_FILLERS && isPause(from - 1) && FILLERS.has(tokens[from]?.plain ?? "")) from++;
    const group = from > at && isPause(from - 1) ? groupAt(from) : undefined;
    return group && { ...group, from };
  };
  const runs: SpokenDigits[] = [];
  for (let at = 0; at < tokens.length; ) {
    const groups: string[] = [];
    let [to, hasWord] = [at, false];
    const first = groupAt(at);
    for (let group = first && { ...first, from: at }; group; group = nextGroup(to)) {
      groups.push(group.digits);
      hasWord ||= group.from > to || !/^\d/.test(tokens[group.from]?.word ?? "");
      to = group.to;
    }
    const [start, last] = [tokens[at], tokens[to - 1]];
    if (hasWord && groups.length >= LEAST_GROUPS && start && last)
      runs.push({ from: start.index, to: last.index + last.word.length, digits: groups.join(""), groups });
    at = Math.max(to, at + 1);
  }
  return runs;
}

const LEAST_LONG_DIGITS = 13;

/** Differences between the numbers of a counted series. */
const COUNTED = new Set([1, 2, 3, 4, 5, 10, 20, 25, 50, 100]);

export const isYears = (digits: string): boolean => /^(?:(?:1[89]|20)\d\d)+$/.test(digits);

/** Whether the groups are a list of numbers ("ten, twenty, thirty") or years, not one number. */
export function isNumberList({ groups, digits }: SpokenDigits): boolean {
  const steps = groups.slice(1).map((group, at) => Number(group) - Number(groups[at]));
  const isSeries =
    groups.length < LEAST_LONG_DIGITS &&
    steps.every((step) => step === steps[0]) &&
    COUNTED.has(Math.abs(steps[0] ?? 0));
  return isSeries || isYears(digits);
}

/** Numbers that are free of charge in North America: "one eight hundred". */
const FREE_PHONE = /^1?8(?:00|33|44|55|66|77|88)\d{7}$/;

const LEAST_ZERO_DIGITS = 7;

/** Whether digits in pairs are an identifier without a word before that says so. */
export const isLongNumber = ({ digits, groups }: SpokenDigits): boolean =>
  digits.length >= LEAST_LONG_DIGITS ||
  (digits.length >= 9 && groups.every(({ length }) => length <= 2)) ||
  (groups.length > 2 && FREE_PHONE.test(digits)) ||
  // No amount begins with zero: "0800 double one double one".
  (digits.length >= LEAST_ZERO_DIGITS && /^0\d/.test(groups[0] ?? ""));

const MONTH_DAY = /^(?:(?:0-)?[1-9]|1[0-2])-(?:(?:0-)?[1-9]|[12]\d|3[01])-/;
const DAY_MONTH = /^(?:(?:0-)?[1-9]|[12]\d|3[01])-(?:(?:0-)?[1-9]|1[0-2])-/;
const YEAR = /-(?:(?:19-|20-)?(?:\d\d|0-\d)|(?:19|20)\d\d)$/;

/** Whether the groups may be day, month and year: "oh three fourteen eighty five". */
export function isSpokenDate({ groups }: SpokenDigits): boolean {
  const said = groups.join("-");
  const year = YEAR.exec(said);
  const day = year && `${said.slice(0, year.index)}-`;
  return day !== null && [MONTH_DAY, DAY_MONTH].some((pattern) => pattern.exec(day)?.[0] === day);
}
