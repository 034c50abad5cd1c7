// Numbers in their usual form in German, Dutch, French, Spanish, Portuguese and Italian: one grammar over what each language says.
import { addressesIn } from "./addresses.ts";
import { isCountedNoun } from "./european-nouns.ts";
import { type Found, RANGE, Reading } from "./european-reading.ts";
import { RULES, unitSymbol } from "./european-rules.ts";
import type { Edit, Piece } from "./pieces.ts";
import { spellingsOf } from "./spellings.ts";

const LEAST_LARGE = 10;
const LEAST_ROW = 5;

const BETWEEN = /^(?:entre|tra|fra|tussen|zwischen)$/;
/** "deux heures dix minutes" */
const MINUTES = /^(?:minut\p{L}*|min)$/u;
/** Units that are written out: "a las tres y cincuenta grados" is no time. */
const MEASURE =
  /^(?:grad|grados?|graus?|gradi|graden|degres?|liter|litros?|litri|litres?|gramm|gramos?|gramas?|grammi|gram|grammes?|milligramm|milligrammi|milligrammes?|miligram(?:os|as)|milligram|meter|metros?|metri|metres?|seiten|paginas?|pagine|pages?|prozent|procent|punkte|puntos?|pontos?|punti|points?|euros?|dolares|dollar[is]?|cent(?:s|imes|avos|imos|esimi)?|reais)$/;

const isCounted = (reading: Reading, at: number, language: string) => {
  const next = reading.next(at);
  if (next === "") return false;
  if (isCountedNoun(next, reading.next(at + 1), language)) return true;
  if (MINUTES.test(next) || MEASURE.test(next) || unitSymbol(next) !== undefined) return true;
  return reading.saysOneOf(at, reading.rules.percent) > 0 || reading.isGermanNoun(at);
};

const AND_WORD = /^(?:e|y|et|und|en)$/;
const AND: Readonly<Record<string, string>> = { de: "und", nl: "en", it: "e", es: "y" };

/** Whether two numbers make one with "and" between them: "hundert und zwanzig", "mille e cinquecento", "diez y seis". */
function mayBeOne(left: Found | undefined, right: Found | undefined, language: string): boolean {
  if (!left?.isWhole || !right?.isWhole || left.value === 0) return false;
  if (language === "es" && (left.value === 10 || left.value === 20))
    return right.value < 10 || (right.value >= 1000 && right.value < 10_000);
  if (left.value % 100 !== 0) return false;
  if (language === "nl") return left.value < 1000 && right.value >= 1000;
  return right.value < (language !== "de" && left.value % 1000 === 0 ? 1000 : 100);
}

/** Whether a number and the one that "and" ties to it may be one. Digits, ranges and times of day are two. */
function isJoinedByAnd(reading: Reading, at: number, found: Found, language: string): boolean {
  const and = AND[language];
  const isOne = (from: number, left: Found | undefined, right: Found | undefined) =>
    !/\d/.test(reading.at(from)) &&
    !BETWEEN.test(reading.at(from - 1)) &&
    !reading.rules.clockBefore?.includes(reading.at(from - 1)) &&
    mayBeOne(left, right, language);
  if (and === undefined || /\d/.test(reading.at(at))) return false;
  const isBefore = reading.next(found.to) === and && reading.next(found.to + 1) !== "";
  if (isBefore && isOne(at, found, reading.number(found.to + 1))) return true;
  if (reading.next(at) === "" || reading.next(at - 1) !== and) return false;
  const left = reading.number(at - 2);
  return left?.to === at - 1 && isOne(at - 2, left, found);
}

/** "un million deux cent mille", "ein tausend": one number that the grammar does not know. */
function isPartOfLarger(reading: Reading, at: number, found: Found, language: string): boolean {
  const { millions } = reading.rules;
  if (millions.includes(reading.next(at - 1) || reading.at(at - 1)) && reading.next(at) !== "") return true;
  if (millions.includes(reading.next(found.to)) && reading.next(found.to + 1) !== "") {
    const and = AND_WORD.test(reading.next(found.to + 1)) ? 1 : 0;
    if (reading.number(found.to + 1 + and)) return true;
  }
  // "um milhão e duzentos mil", "ein tausend zweihundert"
  const isBehindAnd = AND_WORD.test(reading.next(at - 1)) && reading.next(at) !== "";
  if (isBehindAnd && millions.includes(reading.at(at - 2))) return true;
  const isBehindOne =
    language === "de" && reading.at(at - 1) === "ein" && /^(?:hundert|tausend)/.test(reading.next(at));
  return isBehindOne || isJoinedByAnd(reading, at, found, language);
}

/** "vingt-deuxième", "vingt et unième": French writes ordinals that are not known here. */
function isOrdinal(reading: Reading, to: number): boolean {
  const and = reading.next(to) === "et" ? 1 : 0;
  return /iemes?$/.test(reading.next(to + and));
}

/** "zes en twintig", "ein und zwanzig": tens that follow their ones. */
function isAfterOnes(reading: Reading, at: number, language: string): boolean {
  if ((language !== "nl" && language !== "de") || !/^(?:en|und)$/.test(reading.next(at - 1))) return false;
  const ones = reading.number(at - 2);
  const isOnes = (ones?.to === at - 1 && ones.value < 10) || reading.at(at - 2) === "ein";
  const tens = reading.number(at);
  return isOnes && reading.next(at - 1) !== "" && tens !== undefined && tens.value >= 20 && tens.value % 10 === 0;
}

/** "a las diez", "às dez", "a la una", "à uma": an hour without a word of its own. */
function isNamedHour(reading: Reading, from: number, { value }: Found): boolean {
  const { clockBefore, hourOne = [] } = reading.rules;
  // "às" is a time, "as dez meninas" are girls.
  const before = reading.pieces[from - 1]?.text ?? "";
  if (clockBefore?.includes(before)) return true;
  return value === 1 && (hourOne.includes(before) || hourOne.includes(`${reading.at(from - 2)} ${before}`));
}

function clockTime(reading: Reading, from: number, found: Found, language: string): Edit[] | undefined {
  const { clock, clockBefore } = reading.rules;
  if (!found.isWhole || found.value > 24) return undefined;
  if (clockBefore && !clock.said.includes(reading.next(found.to))) {
    if (!isNamedHour(reading, from, found) || reading.next(found.to) !== clock.and) return undefined;
    const minutes = reading.number(found.to + 1);
    if (!minutes?.isWhole || minutes.value < 5 || minutes.value > 59) return undefined;
    // "entre las diez y once", "las tres y treinta alumnos"
    if (BETWEEN.test(reading.at(from - 2)) || isCounted(reading, minutes.to, language)) return undefined;
    return [{ from, to: minutes.to, text: clock.write(found.value, String(minutes.value).padStart(2, "0")) }];
  }
  if (!clock.said.includes(reading.next(found.to))) return undefined;
  const and = clock.and !== undefined && reading.next(found.to + 1) === clock.and ? 1 : 0;
  const minutes = reading.next(found.to + 1 + and) === "" ? undefined : reading.number(found.to + 1 + and);
  if (
    minutes?.isWhole &&
    minutes.value > 0 &&
    minutes.value < 60 &&
    (and === 1 || clock.and === undefined || minutes.value >= 10) &&
    !isCounted(reading, minutes.to, language)
  ) {
    const text = clock.write(found.value, String(minutes.value).padStart(2, "0"));
    // German and Dutch keep their word for the hour behind the time.
    const word = reading.pieces[found.to]?.raw;
    return [{ from, to: minutes.to, text: clock.keepsWord ? `${text} ${word}` : text }];
  }
  // "een uur" is an hour.
  return clock.keepsWord && found.value !== 1 ? [{ from, to: found.to, text: found.text }] : undefined;
}

function money(reading: Reading, from: number, found: Found): Edit[] | undefined {
  const { currencies, cents, currencyPlace } = reading.rules;
  const [sign, joiner] = [currencies[reading.next(found.to)], reading.next(found.to + 1)];
  if (sign === undefined) return undefined;
  const at = found.to + (AND_WORD.test(joiner) || joiner === "con" ? 2 : 1);
  const rest = reading.next(at) === "" || !found.isWhole ? undefined : reading.number(at);
  const hasCents = rest?.isWhole === true && rest.value > 0 && rest.value < 100;
  const saysCents = hasCents && cents.includes(reading.next(rest.to));
  // "cinque euro e cinquanta", "doce euros con cincuenta"
  const mayFollow = at === found.to + 1 || /^(?:[ey]|con)$/.test(joiner);
  const isPart = hasCents && (saysCents || (mayFollow && rest.value >= 10 && reading.next(rest.to) === ""));
  const [text, to] = isPart
    ? [`${found.text},${String(rest.value).padStart(2, "0")}`, rest.to + (saysCents ? 1 : 0)]
    : [found.text, found.to + 1];
  if (currencyPlace === "before" || sign === "R$") return [{ from, to, text: `${sign} ${text}` }];
  if (isPart) return [{ from, to, text: `${text} ${sign}` }];
  return [
    { from, to: found.to, text },
    { from: found.to, to, text: sign },
  ];
}

/** The sign before a number that only the last number of a range has: "dez ou vinte reais". */
function sharedSign(reading: Reading, from: number, found: Found): string | undefined {
  const joiner = reading.next(found.to);
  const right = RANGE.test(joiner) && reading.next(found.to + 1) !== "" ? reading.number(found.to + 1) : undefined;
  const sign = right && reading.rules.currencies[reading.next(right.to)];
  if (sign === undefined || (reading.rules.currencyPlace !== "before" && sign !== "R$")) return undefined;
  return !reading.rules.and.includes(joiner) || BETWEEN.test(reading.at(from - 1)) ? sign : undefined;
}

/** What a small number is written in digits with. */
function hasUnit(reading: Reading, to: number): boolean {
  const { percent, millions, currencies, clock } = reading.rules;
  const next = reading.next(to);
  if (reading.saysOneOf(to, percent) > 0 || millions.includes(next) || unitSymbol(next) !== undefined) return true;
  return currencies[next] !== undefined || (clock.keepsWord && clock.said.includes(next));
}

/** A number below ten has the form of the last one of its range: "fünf bis zehn", "de deux à trois kilomètres". */
function isBesideDigits(reading: Reading, from: number, found: Found): boolean {
  const joiner = reading.next(found.to);
  if (!found.isWhole || !RANGE.test(joiner) || reading.next(found.to + 1) === "") return false;
  if (AND_WORD.test(joiner) && !BETWEEN.test(reading.at(from - 1))) return false;
  const last = reading.number(found.to + 1);
  if (!last || last.isBare || last.value <= found.value) return false;
  // "tous les deux à vingt heures", "il y en a un à cinq euros"
  const isBegun = /^(?:de|da|entre|tra|fra)$/.test(reading.at(from - 1));
  const isRange = found.value > 1 && (isBegun || reading.saysOneOf(last.to, reading.rules.percent) > 0);
  if (joiner === "a" && !isRange) return false;
  return hasUnit(reading, last.to) || (found.value > 1 && last.value >= LEAST_LARGE);
}

/** "ein bis zwei Prozent": "ein" alone is an article. */
function germanOne(reading: Reading, at: number, language: string): Edit | undefined {
  if (language !== "de" || !/^ein(?:e[mnr]?|s)?$/.test(reading.at(at)) || !/^(?:bis|oder)$/.test(reading.next(at + 1)))
    return undefined;
  const last = reading.next(at + 2) === "" ? undefined : reading.number(at + 2);
  return last && last.value > 1 && hasUnit(reading, last.to) ? { from: at, to: at + 1, text: "1" } : undefined;
}

function calendarDay(reading: Reading, from: number, found: Found): Edit[] | undefined {
  const { months, ofMonth } = reading.rules;
  if (!found.isWhole || found.value < 1 || found.value > 31) return undefined;
  const of = ofMonth.includes(reading.next(found.to)) ? 1 : 0;
  return months.includes(reading.next(found.to + of)) ? [{ from, to: found.to, text: found.text }] : undefined;
}

/** Rows of digits, one word each; French telephone numbers in pairs. */
function row(reading: Reading, from: number, language: string): Edit | undefined {
  let [text, to, count] = ["", from, 0];
  let hasPairs = false;
  for (;;) {
    const next = to === from || reading.next(to) !== "" ? reading.number(to) : undefined;
    if (!next?.isWhole || next.value > 99) break;
    hasPairs ||= next.value > 9;
    text += next.text;
    to = next.to;
    count++;
  }
  if (hasPairs) {
    const isPhone = language === "fr" && text.length === 10 && text.startsWith("0");
    return isPhone ? { from, to, text: text.replace(/(\d\d)(?=\d)/g, "$1 ") } : undefined;
  }
  const steps = [...text].slice(1).map((digit, at) => Number(digit) - Number(text[at]));
  const isCounting = steps.every((step) => step === steps[0]);
  return count >= LEAST_ROW && !isCounting ? { from, to, text } : undefined;
}

/** "am dritten Januar": the days of a month as German says them. */
const GERMAN_DAYS = new Map(
  Array.from({ length: 31 }, (_, index) => index + 1).flatMap((day): [string, number][] => {
    const irregular: Readonly<Record<number, string>> = { 1: "erst", 3: "dritt", 7: "siebt", 8: "acht" };
    const cardinal = [...(spellingsOf("de") ?? [])].find(([, value]) => value === day)?.[0] ?? "";
    const stem = irregular[day] ?? cardinal + (day < 20 ? "t" : "st");
    return ["e", "er", "en"].map((ending) => [stem + ending, day]);
  }),
);

function namedDay(reading: Reading, at: number, language: string): Edit | undefined {
  const { months, firstDay, ofMonth } = reading.rules;
  const of = ofMonth.includes(reading.next(at + 1)) ? 1 : 0;
  if (!months.includes(reading.next(at + 1 + of))) return undefined;
  const first = firstDay[reading.at(at)];
  if (first !== undefined) return { from: at, to: at + 1, text: first };
  const day = language === "de" ? GERMAN_DAYS.get(reading.at(at)) : undefined;
  return day === undefined ? undefined : { from: at, to: at + 1, text: `${day}.` };
}

function quantity(reading: Reading, from: number, found: Found): Edit[] | undefined {
  const { percent, spacesPercent, millions } = reading.rules;
  const { to, text } = found;
  const percentWords = reading.saysOneOf(to, percent);
  if (percentWords > 0) {
    if (!spacesPercent) return [{ from, to: to + percentWords, text: `${text}%` }];
    return [
      { from, to, text },
      { from: to, to: to + percentWords, text: "%" },
    ];
  }
  const sum = money(reading, from, found);
  if (sum) return sum;
  const day = calendarDay(reading, from, found);
  if (day) return day;
  const sign = sharedSign(reading, from, found);
  if (sign !== undefined) return [{ from, to, text: `${sign} ${text}` }];
  const symbol = unitSymbol(reading.next(to));
  const isOne = found.isWhole && found.value === 1;
  if (symbol !== undefined && !isOne) {
    return [
      { from, to, text },
      { from: to, to: to + 1, text: symbol },
    ];
  }
  if (millions.includes(reading.next(to)) && !isOne) return [{ from, to, text }];
  if (isBesideDigits(reading, from, found)) return [{ from, to, text }];
  if (found.isBare || (found.isWhole && found.value < LEAST_LARGE)) return undefined;
  return [{ from, to, text }];
}

/** @returns edits in order, none over another; none in languages without rules */
export function europeanEdits(pieces: readonly Piece[], language: string): Edit[] {
  const [rules, spellings] = [RULES[language], spellingsOf(language)];
  if (!rules || !spellings) return [];
  const reading = new Reading(pieces, rules, spellings);
  const edits = addressesIn(pieces, language);
  const isTaken = (from: number, to: number) => edits.some((one) => one.from < to && from < one.to);
  for (let at = 0; at < pieces.length; ) {
    const one = namedDay(reading, at, language) ?? germanOne(reading, at, language) ?? row(reading, at, language);
    const found = one ? undefined : reading.number(at);
    if (one && !isTaken(one.from, one.to)) edits.push(one);
    if (!found) {
      at = one?.to ?? reading.endOfUnread(at) ?? at + 1;
      continue;
    }
    const rangeEnd = reading.sharedMultiple(found);
    if (rangeEnd !== undefined) {
      at = rangeEnd;
      continue;
    }
    const time = clockTime(reading, at, found, language);
    const quantities = time ?? quantity(reading, at, found);
    const end = Math.max(found.to, quantities?.at(-1)?.to ?? 0);
    // Two numbers in a row may be one that the grammar does not know.
    const follows = reading.next(end) === "" ? undefined : reading.number(end);
    const isRow =
      (follows !== undefined && end === found.to) ||
      (language === "fr" && isOrdinal(reading, found.to)) ||
      isAfterOnes(reading, at, language) ||
      isPartOfLarger(reading, at, found, language);
    if (quantities && !isRow && !isTaken(at, end)) edits.push(...quantities);
    at = isRow && follows !== undefined ? reading.endOfRow(follows.to) : end;
  }
  return edits.sort((left, right) => left.from - right.from);
}
