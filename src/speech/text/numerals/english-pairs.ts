// Two numbers in a row that are one: street numbers, rooms and flights, doses and degrees, blood pressure, the shape of a picture.
import {
  isOrdinalWord,
  isPartlyDigits,
  ordinalNumber,
  ordinalText,
  pairOf,
  twoDigits,
  wholeNumber,
} from "./english-numbers.ts";
import type { Reading } from "./english-reading.ts";
import type { Run } from "./english-runs.ts";
import { isMeasure, LABEL, NOT_A_NOUN, NUMBER_WORD, NUMBERED, STREET } from "./english-units.ts";
import type { Edit } from "./pieces.ts";

const MOST_HUNDREDS = 9;
const MOST_STREET_WORDS = 3;

/** "one twenty five" as 125, "twelve thirty" as 1230. */
function pairValue(words: readonly string[]): number | undefined {
  const [first, rest] = pairOf(words) ?? [];
  return first === undefined || rest === undefined || first === 0 ? undefined : Number(`${first}${twoDigits(rest)}`);
}

/** "one twenty five" as 125: what has two digits before the last two is said with "hundred", or is two numbers. */
function hundredsValue(words: readonly string[]): number | undefined {
  const [first = 0] = pairOf(words) ?? [];
  return first > MOST_HUNDREDS ? undefined : pairValue(words);
}

const isCapital = (raw: string | undefined) => /^\p{Lu}/u.test(raw ?? "");

/** Whether the number of a run is a name: "flight one eighty", "room number four twelve", "Windows two thousand". */
export function isLabelled(reading: Reading, from: number): boolean {
  const at = NUMBER_WORD.test(reading.before(from)) ? from - 1 : from;
  const label = reading.before(at);
  if (NUMBERED.test(label)) return true;
  // "at the gate three fifteen" may be a place and a time; a name in capitals is one of a model.
  if (isCapital(reading.pieces[at - 1]?.raw) && !reading.isFirst(at - 1)) return LABEL.test(label);
  return LABEL.test(label) && !/^(?:a|an|the|my|your|his|her|our|their|this|that)$/.test(reading.before(at - 1));
}

const STANDARD = /^(?:(?:ISO|DIN|EN|IEC|IEEE|ANSI|ASTM|RFC|NIST)(?:\/(?:IEC|IEEE|EN))?|[Ii]so)$/;

/** Whether a number is that of a standard, which is written without a comma: "ISO 27001". */
export const isStandard = (reading: Reading, from: number) =>
  reading.before(from) !== "" && STANDARD.test(reading.pieces[from - 1]?.raw ?? "");

const LEAST_MODEL = 1000;
const MOST_MODEL = 9999;

/** "our Fiat two thousand": behind a name, a number that counts nothing is a model. */
export function isModel(reading: Reading, { from, to, words }: Run): boolean {
  const value = wholeNumber(words) ?? 0;
  const name = reading.before(from);
  if (value < LEAST_MODEL || value > MOST_MODEL || name === "" || name === "i" || reading.isFirst(from - 1))
    return false;
  const next = reading.next(to);
  // "the Canon five thousand D"
  const behind = reading.next(to + 1);
  const isLetter =
    /^[b-hj-z]$/.test(next) && isCapital(reading.pieces[to]?.raw) && (behind === "" || NOT_A_NOUN.test(behind));
  return isCapital(reading.pieces[from - 1]?.raw) && (next === "" || isLetter || NOT_A_NOUN.test(next));
}

/** @param isSmall  the name before it has small letters, so that "way" and the like may be no street */
function isStreetWord(reading: Reading, at: number, isSmall: boolean): boolean {
  const word = reading.next(at);
  if (isSmall) return /^(?:street|avenue|road|boulevard|lane|drive)$/.test(word);
  // "Anna St. John", "Dr. Smith".
  return STREET.test(word) && (word.length > 2 || reading.next(at + 1) === "");
}

/** Whether a street follows: "Main Street", "Martin Luther King Boulevard", in small letters of one word alone. */
function isStreet(reading: Reading, to: number): boolean {
  for (let count = 1; count <= MOST_STREET_WORDS; count++) {
    const name = reading.next(to + count - 1);
    if (name === "" || NOT_A_NOUN.test(name) || STREET.test(name)) return false;
    const isName = count === 1 || isCapital(reading.pieces[to + count - 1]?.raw);
    if (!isName || (count > 1 && !isCapital(reading.pieces[to]?.raw))) return false;
    if (isStreetWord(reading, to + count, count === 1 && !isCapital(reading.pieces[to]?.raw))) return true;
  }
  return false;
}

const plain = ({ from, to }: Run, value: number): Edit[] => [{ from, to, text: String(value) }];

function streetNumber(reading: Reading, run: Run): Edit[] | undefined {
  if (!isStreet(reading, run.to)) return undefined;
  const value = pairValue(run.words) ?? wholeNumber(run.words);
  return value === undefined || value === 0 ? undefined : plain(run, value);
}

/** From here on, streets are hardly numbered: "five hundred fifth avenue" is a house on Fifth Avenue. */
const LEAST_HOUSE = 300;
const LEAST_ORDINAL = 10;

/** How many of the last words of a run are the number of a street: "fifth", "forty second". */
function streetWords(reading: Reading, { from, to, words }: Run): number {
  if (!isOrdinalWord(words.at(-1) ?? "")) return 0;
  const isCompound = /^(?:twen|thir|for|fif|six|seven|eigh|nine)ty$/.test(words.at(-2) ?? "") && words.length > 2;
  const raw = (at: number) => reading.pieces[at]?.raw;
  const isNamed = (at: number) => isCapital(raw(at)) && !(isCapital(raw(at - 1)) && !reading.isFirst(at - 1));
  // "five hundred Forty Second Street", "five hundred forty Second Street"
  if (isCompound && ordinalNumber(words.slice(-2)) !== undefined && isNamed(to - 2)) return 2;
  if (isNamed(to - 1)) return 1;
  const count = wholeNumber(words.slice(0, -1)) ?? 0;
  const isHouse = count >= LEAST_HOUSE && count % 100 === 0 && !isCompound && !isCapital(raw(to - 1));
  return isHouse && !/^(?:the|a|my|your|his|her|its|our|their|this|that)$/.test(reading.before(from)) ? 1 : 0;
}

/** "five hundred Fifth Avenue" is 500 Fifth Avenue, not 505th Avenue. */
function houseOnNumberedStreet(reading: Reading, run: Run): Edit[] | undefined {
  const { from, to, words } = run;
  const street = reading.next(to);
  const behind = reading.next(to + 1);
  const count = STREET.test(street) ? streetWords(reading, run) : 0;
  if (count === 0 || count === words.length || (street.length < 3 && behind !== "")) return undefined;
  const isSmall = !isCapital(reading.pieces[to - 1]?.raw);
  if (isSmall && !isStreetWord(reading, to, true)) return undefined;
  // "our three hundred fifth street party"
  if (isSmall && behind !== "" && !NOT_A_NOUN.test(behind) && !isCapital(reading.pieces[to + 1]?.raw)) return undefined;
  const house = words.slice(0, -count);
  // "forty Second Street" may be the street alone.
  const mayBeStreet = house.length === 1 && ordinalNumber(words) !== undefined;
  const value = pairValue(house) ?? wholeNumber(house);
  if (value === undefined || value === 0 || mayBeStreet) return undefined;
  const middle = to - count;
  const number = ordinalNumber(words.slice(-count)) ?? 0;
  const edits: Edit[] = [{ from, to: middle, text: String(value) }];
  return number < LEAST_ORDINAL ? edits : [...edits, { from: middle, to, text: ordinalText(number) }];
}

/** Chapters, verses and versions have parts: "version three twelve", "chapter three sixteen" may be two numbers. */
function label(reading: Reading, run: Run): Edit[] | undefined {
  const value = pairValue(run.words);
  if (value === undefined || !isLabelled(reading, run.from)) return undefined;
  const name = NUMBER_WORD.test(reading.before(run.from)) ? reading.before(run.from - 1) : reading.before(run.from);
  return LABEL.test(name) && !isMeasure(reading, run.to) ? plain(run, value) : undefined;
}

/** The number that a joiner ties to this one: "from one ten to one twenty pounds". */
function partnerOf(reading: Reading, { to }: Run): Run | undefined {
  return /^(?:to|or|and)$/.test(reading.next(to)) ? reading.runAt(to + 1) : undefined;
}

/** Units in the form that they have before a noun: "two ten milligram pills". */
const UNIT_OF_NOUN =
  /^(?:degree|pound|inch|foot|yard|mile|ounce|gallon|ton|tonne|watt|volt|amp|acre|calorie|kilo|met(?:er|re)|lit(?:er|re)|(?:micro|milli|kilo)?gram|(?:centi|milli|kilo)met(?:er|re)|percent|horsepower|hertz|cc|mcg|mg|kg|ml|km)$/;
/** Words behind a unit that are not the thing measured: "one twenty percent last year". */
const NOT_MEASURED =
  /^(?:above|again|away|below|daily|down|each|faster|hourly|here|high|higher|last|less|long|longer|lower|more|next|nightly|now|once|only|since|tall|today|tomorrow|tonight|too|twice|under|until|weekly|wide|within|without|yesterday)$/;

/** "two twenty foot containers", "one 10 mg tablet": a count and a measure. "A two twenty volt outlet" and "your three fifty degree oven" are one thing. */
function isCountOfMeasured(reading: Reading, { from, to, words }: Run): boolean {
  if (isPartlyDigits(words)) return true;
  const noun = reading.next(to + 1);
  if (!UNIT_OF_NOUN.test(reading.next(to)) || noun === "" || NOT_A_NOUN.test(noun) || NOT_MEASURED.test(noun))
    return false;
  const before = reading.before(from);
  const first = /^(?:to|or)$/.test(before) ? reading.runUntil(from - 1) : undefined;
  const isDetermined = /^(?:the|this|that|my|your|his|her|its|our|their)$/.test(before) && !noun.endsWith("s");
  return !/^an?$/.test(before) && !isDetermined && hundredsValue(first?.words ?? []) === undefined;
}

/** What a run counts, if it is two numbers that are one before a unit: "one twenty five milligrams", "a three fifty degree oven". */
export function measuredPair(reading: Reading, run: Run): number | undefined {
  const value = hundredsValue(run.words);
  if (value === undefined || isCountOfMeasured(reading, run)) return undefined;
  const partner = partnerOf(reading, run);
  const isPair = partner && hundredsValue(partner.words) !== undefined && !isCountOfMeasured(reading, partner);
  const isOfBoth = isPair && isMeasure(reading, partner.to);
  return isOfBoth || isMeasure(reading, run.to) ? value : undefined;
}

const LEAST_SYSTOLIC = 60;
const MOST_SYSTOLIC = 260;
const LEAST_DIASTOLIC = 30;
const CUE_WORDS = 10;

/** "one forty over ninety". */
function bloodPressure(reading: Reading, run: Run): Edit[] | undefined {
  const lower = reading.next(run.to) === "over" ? reading.runAt(run.to + 1) : undefined;
  if (!lower) return undefined;
  const paired = hundredsValue(run.words);
  const [upper, under] = [
    paired ?? wholeNumber(run.words) ?? 0,
    wholeNumber(lower.words) ?? hundredsValue(lower.words) ?? 0,
  ];
  if (upper < LEAST_SYSTOLIC || upper > MOST_SYSTOLIC || under < LEAST_DIASTOLIC || under >= upper) return undefined;
  const isNamed = reading
    .sentenceBefore(run.from, CUE_WORDS)
    .some(({ text }) => /^(?:pressure|bp|systolic|hypertension)$/.test(text));
  return isNamed || paired !== undefined ? [{ from: run.from, to: lower.to, text: `${upper}/${under}` }] : undefined;
}

/** "an aspect ratio of sixteen to nine", "sixteen by nine". */
function ratio(reading: Reading, run: Run): Edit[] | undefined {
  const joiner = reading.next(run.to);
  const second = /^(?:to|by)$/.test(joiner) ? reading.runAt(run.to + 1) : undefined;
  if (!second) return undefined;
  const [width, height] = [wholeNumber(run.words), wholeNumber(second.words)];
  if (width === undefined || height === undefined) return undefined;
  const cues = reading.sentenceBefore(run.from, CUE_WORDS).map(({ text }) => text);
  if (cues.includes("aspect")) return [{ from: run.from, to: second.to, text: `${width}:${height}` }];
  // "four by six inches": what follows writes the second one.
  if (joiner === "by" && isMeasure(reading, second.to)) return plain(run, width);
  const isOfShape = joiner === "by" ? Math.max(width, height) > MOST_HUNDREDS : cues.includes("ratio");
  if (!isOfShape || isMeasure(reading, second.to)) return undefined;
  return [...plain(run, width), { from: second.from, to: second.to, text: String(height) }];
}

const RULES = [bloodPressure, ratio, houseOnNumberedStreet, streetNumber, label] as const;

/** Numbers whose form does not depend on whether they are a time: tried before times of day. */
export function pairedNumber(reading: Reading, run: Run): Edit[] | undefined {
  for (const rule of RULES) {
    const edits = rule(reading, run);
    if (edits) return edits;
  }
  return undefined;
}

/** "twenty one dollar bills", "two hundred dollar bills": the last word may be the value of each. "One hundred dollar bills" is one number. */
export function isCountOfNotes(reading: Reading, { to, words }: Run): boolean {
  if (words.length === 1 || words.join(" ") === "one hundred") return false;
  return (
    /^(?:one|two|five|ten|twenty|fifty|hundred)$/.test(words.at(-1) ?? "") &&
    /^(?:dollar|euro|pound)$/.test(reading.next(to)) &&
    /^(?:bills|notes|coins)$/.test(reading.next(to + 1))
  );
}
