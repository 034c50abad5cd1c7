// English numbers in their usual form. Each rule reads one whole run of number words or leaves it as it is: what may be two numbers
// stays in words.
import { addressesIn } from "./addresses.ts";
import { digitRowsAt } from "./digit-rows.ts";
import { dashedNumberAt } from "./english-dashed.ts";
import { dottedNumberAt } from "./english-dotted.ts";
import {
  type Amount,
  amountOf,
  isDigits,
  ordinalNumber,
  ordinalText,
  twoDigits,
  twoPairs,
  wholeNumber,
} from "./english-numbers.ts";
import { isCountOfNotes, isLabelled, isModel, isStandard, measuredPair, pairedNumber } from "./english-pairs.ts";
import { isBesideDigits, isInSharedMultiple, sharedSign } from "./english-ranges.ts";
import { Reading } from "./english-reading.ts";
import { editsOfRun, type Run, runsOf } from "./english-runs.ts";
import { clockTime, hoursOfDay } from "./english-times.ts";
import {
  AFTER_DAY,
  AFTER_ORDINAL,
  AMBIGUOUS_MONTH,
  BEFORE_ORDINAL,
  CURRENCIES,
  LASTING,
  MEASURES,
  MERIDIEM,
  NOT_A_NOUN,
  NUMBERED,
  SINGULAR_UNITS,
  SYMBOLS,
  TIME_PREPOSITION,
} from "./english-units.ts";
import { year } from "./english-years.ts";
import { type Edit, isJoined, type Piece } from "./pieces.ts";
import { spelledIn } from "./spelled-names.ts";

/** A number behind a month is a day unless it counts something: "in January two people", "May one ask". */
function isDayOfMonth(reading: Reading, from: number, to: number, isOrdinal: boolean): boolean {
  const next = reading.next(to);
  const month = reading.pieces[from - 1];
  const isFirstWord = month !== undefined && AMBIGUOUS_MONTH.test(month.text) && reading.before(from - 1) === "";
  if (isFirstWord) return isOrdinal && (next === "" || AFTER_DAY.test(next));
  if (isOrdinal) return true;
  if (isDigits(reading.text(from))) return false;
  return reading.text(from) === "one" ? next === "" : next === "" || AFTER_DAY.test(next);
}

/** "January fifth", "March third twenty twenty four", "the twenty first of June". */
function calendarDay(reading: Reading, { from, to, words }: Run): Edit[] | undefined {
  const ordinal = ordinalNumber(words);
  if (reading.isMonth(from - 1) && isJoined(reading.pieces, from - 1)) {
    const next = isJoined(reading.pieces, to - 1) ? reading.runAt(to) : undefined;
    const [century = 0] = next ? (twoPairs(next.words) ?? []) : [];
    const hasYear = next !== undefined && (century >= 13 || (wholeNumber(next.words) ?? 0) >= 1000);
    const day = ordinal ?? wholeNumber(words);
    if (day !== undefined && day >= 1 && day <= 31) {
      return hasYear || isDayOfMonth(reading, from, to, ordinal !== undefined)
        ? [{ from, to, text: `${day}${hasYear ? "," : ""}` }]
        : undefined;
    }
    for (const length of [1, 2]) {
      const first = wholeNumber(words.slice(0, length));
      const pair = twoPairs(words.slice(length));
      const full = pair && pair[0] >= 13 && pair[0] <= 20 ? pair[0] * 100 + pair[1] : wholeNumber(words.slice(length));
      if (first === undefined || first > 31 || first < 1 || full === undefined || full < 1000 || full > 2100) continue;
      return [
        { from, to: from + length, text: `${first},` },
        { from: from + length, to, text: String(full) },
      ];
    }
    return undefined;
  }
  if (ordinal === undefined || ordinal > 31) return undefined;
  const isBeforeMonth = reading.isMonth(to) || (reading.next(to) === "of" && reading.isMonth(to + 1));
  return isBeforeMonth ? [{ from, to, text: ordinalText(ordinal) }] : undefined;
}

/** "a twenty second delay" is one of seconds, "the twenty second century" is not. */
function isOfSeconds(reading: Reading, { from, to, words }: Run): boolean {
  if (words.at(-1) !== "second" || words.length < 2) return false;
  if (LASTING.test(reading.next(to))) return true;
  if (reading.pieces[to - 2]?.mark === "-") return false;
  return reading.before(from) === "a" && reading.next(to) !== "" && !NOT_A_NOUN.test(reading.next(to));
}

/** "sixty second timer": whether "second" is the unit or an ordinal is unknown. */
const isMaybeOfSeconds = (reading: Reading, { from, to, words }: Run) =>
  words.at(-1) === "second" &&
  words.length > 1 &&
  !BEFORE_ORDINAL.test(reading.before(from)) &&
  !AFTER_ORDINAL.test(reading.next(to)) &&
  reading.next(to) !== "";

const LEAST_ORDINAL = 10;

function ordinal(reading: Reading, run: Run): Edit[] | undefined {
  const { from, to, words } = run;
  const value = ordinalNumber(words);
  if (value === undefined) return undefined;
  if (isOfSeconds(reading, run)) {
    const count = wholeNumber(words.slice(0, -1));
    return count === undefined ? undefined : [{ from, to, text: `${count}-second` }];
  }
  if (isMaybeOfSeconds(reading, run)) return undefined;
  // "one hundredth of a second", "a tenth".
  const isFraction =
    (words[0] === "one" && words.length === 2) || (words.length === 1 && /^(?:a|an|one)$/.test(reading.before(from)));
  if (value < LEAST_ORDINAL || isFraction) return undefined;
  return [{ from, to, text: ordinalText(value) }];
}

/** "and fifty cents" behind dollars. */
function centsAt(reading: Reading, at: number): { to: number; cents: number } | undefined {
  const isAnd = reading.next(at) === "and";
  const run = reading.runAt(isAnd ? at + 1 : at);
  if (!run || !isJoined(reading.pieces, at - 1)) return undefined;
  const cents = wholeNumber(run.words);
  if (cents === undefined || cents < 1 || cents > 99) return undefined;
  if (/^(?:cents?|pence|p)$/.test(reading.next(run.to))) return { to: run.to + 1, cents };
  // "five dollars fifty".
  const isEnd = reading.next(run.to) === "" || /^(?:and|for|each|a|per)$/.test(reading.next(run.to));
  return !isAnd && cents >= 10 && isEnd && !isDigits(run.words[0] ?? "") ? { to: run.to, cents } : undefined;
}

function money(reading: Reading, from: number, to: number, amount: { text: string }): Edit[] | undefined {
  const word = reading.next(to);
  const isSterling = reading.says(to, "pounds sterling");
  const cents = centsAt(reading, to + 1);
  const isPence =
    word === "pounds" && cents !== undefined && reading.pieces.slice(to, cents.to).some(({ text }) => text === "pence");
  const sign = isSterling || isPence ? "£" : CURRENCIES.get(word);
  if (sign === undefined) return undefined;
  const end = isSterling ? to + 2 : to + 1;
  if (cents === undefined || /[a-z.]/.test(amount.text)) return [{ from, to: end, text: sign + amount.text }];
  return [{ from, to: cents.to, text: `${sign}${amount.text}.${twoDigits(cents.cents)}` }];
}

/** An adjective of a number and a unit: "sixteen ounce glass" is "16-ounce glass". */
function compound(reading: Reading, { from, to }: Run, text: string): Edit[] | undefined {
  const unit = reading.pieces[to];
  const mark = reading.pieces[to - 1]?.mark;
  const isCommaInside = mark === "," && unit?.mark === "" && !unit.isOpened;
  if (!unit || !SINGULAR_UNITS.test(unit.text) || (!isJoined(reading.pieces, to - 1) && !isCommaInside))
    return undefined;
  const following = reading.next(to + 1);
  if (unit.text === "year" && following === "old") {
    const end = to + 2;
    return [{ from, to: end, text: `${text}-year-old` }];
  }
  if (following === "" || NOT_A_NOUN.test(following)) return undefined;
  return [{ from, to: to + 1, text: `${text}-${unit.raw}` }];
}

/** Words around a number that change what it means: "half a million", "at one point two of us", "point five percent". */
function isPartOfPhrase(reading: Reading, { from, to, words, hasArticle }: Run): boolean {
  const before = reading.before(from);
  if (before === "point" || (before === "at" && words[0] === "one" && words[1] === "point")) return true;
  if (words.at(-1) === "one" && words.length > 1 && reading.says(to, "by one")) return true;
  const isFraction = before === "of" && /^(?:half|quarters?|thirds?|fifths?|tenths?)$/.test(reading.before(from - 1));
  if (hasArticle && (before === "half" || isFraction)) return true;
  return /^(?:niner|sixer)s?$/.test(reading.next(to));
}

function pairAmount(reading: Reading, run: Run): Amount | undefined {
  const value = measuredPair(reading, run);
  return value === undefined ? undefined : { value, text: String(value), isSmall: false };
}

/** Names below it have no comma: "room 1200", "Windows 2000". */
const LEAST_GROUPED = 10_000;

function quantity(reading: Reading, run: Run): Edit[] | undefined {
  const { from, to, words, hasArticle } = run;
  if (isCountOfNotes(reading, run)) return undefined;
  const amount = amountOf(words) ?? pairAmount(reading, run);
  if (!amount || isPartOfPhrase(reading, run) || isInSharedMultiple(reading, run)) return undefined;
  let end = to;
  let { text } = amount;
  const isName = isLabelled(reading, from) || isModel(reading, run);
  if (isStandard(reading, from) || (amount.value < LEAST_GROUPED && isName)) text = text.replaceAll(",", "");
  const isHalf = reading.says(to, "and a half") && !text.includes(".");
  const afterHalf = reading.next(to + 3);
  const isPercentAfterHalf = /^(?:percent|million|billion|trillion)$/.test(afterHalf) || CURRENCIES.has(afterHalf);
  const isMillions = /illion$/.test(text);
  if (isHalf && (isPercentAfterHalf || (isMillions && !hasArticle))) {
    // "two million and a half dollars"
    text = isMillions ? text.replace(" ", ".5 ") : `${text}.5`;
    end += 3;
    if (/illion$/.test(afterHalf)) {
      text += ` ${afterHalf}`;
      end++;
    }
  }
  const isPercent = reading.next(end) === "percent" || reading.says(end, "per cent");
  if (isPercent) return [{ from, to: end + (reading.next(end) === "percent" ? 1 : 2), text: `${text}%` }];
  const sum = money(reading, from, end, { text });
  if (sum) return sum;
  const sign = end === to && !isLabelled(reading, from) ? sharedSign(reading, run) : undefined;
  if (sign !== undefined) return [{ from, to, text: sign + text }];
  const isShort = hasArticle && words.length <= 2;
  if (isShort) return undefined;
  if (reading.says(end, "degrees celsius") || reading.says(end, "degrees fahrenheit"))
    return [{ from, to: end + 2, text: `${text}°${reading.next(end + 1)[0]?.toUpperCase()}` }];
  const symbol = SYMBOLS.find(([said]) => reading.says(end, said));
  if (symbol) {
    const unitEnd = end + symbol[0].split(" ").length;
    if (reading.next(unitEnd) !== "" && reading.pieces[end - 1]?.mark === "-") return [{ from, to: end, text }];
    return [
      { from, to: end, text },
      { from: end, to: unitEnd, text: symbol[1] },
    ];
  }
  const isMeasured = MEASURES.test(reading.next(to)) && (amount.value !== 1 || words[0] !== "one");
  const isInDigits =
    !amount.isSmall || isMeasured || NUMBERED.test(reading.before(from)) || isBesideDigits(reading, run);
  if (!isInDigits) return undefined;
  if (amount.value > 1 && !/[a-z]/.test(text)) {
    const adjective = compound(reading, run, text);
    if (adjective) return adjective;
  }
  return [{ from, to: end, text }];
}

const IDIOMS: readonly [said: string, written: string][] = [
  ["twenty four seven", "24/7"],
  ["fifty fifty", "50-50"],
];

function idiom(_: Reading, { from, to, words }: Run): Edit[] | undefined {
  const found = IDIOMS.find(([said]) => said === words.join(" "));
  return found && [{ from, to, text: found[1] }];
}

const RULES = [idiom, pairedNumber, hoursOfDay, clockTime, calendarDay, year, ordinal, quantity] as const;

function editsByRules(reading: Reading, run: Run): Edit[] | undefined {
  for (const rule of RULES) {
    const edits = rule(reading, run);
    if (edits) return edits;
  }
  return undefined;
}

/** @returns edits in order, none over another */
export function englishEdits(pieces: readonly Piece[]): Edit[] {
  const frozen = new Uint8Array(pieces.length);
  const isFrozen = (at: number) => frozen[at] === 1;
  const taken: Edit[] = [];
  const take = (edit: Edit) => {
    if (frozen.subarray(edit.from, edit.to).some((flag) => flag === 1)) return;
    frozen.fill(1, edit.from, edit.to);
    taken.push(edit);
  };
  for (const edit of addressesIn(pieces, "en")) take(edit);
  for (const edit of spelledIn(pieces, isFrozen)) take(edit);
  for (let at = 0; at < pieces.length; at++) {
    const parts = isFrozen(at) ? undefined : (dottedNumberAt(pieces, at) ?? dashedNumberAt(pieces, at));
    if (parts) take(parts);
  }
  for (let at = 0; at < pieces.length; ) {
    const rows = isFrozen(at) ? { edits: [], to: at + 1 } : digitRowsAt(pieces, at);
    // A time of day is no row of digits: "at seven oh five".
    for (const one of rows.edits) if (!isTimeRow(pieces, one) && !isDecimals(pieces, one)) take(one);
    at = rows.to;
  }
  const reading = new Reading(pieces, runsOf(pieces, isFrozen));
  const editsOf = (run: Run) => editsOfRun(run, pieces, (part) => editsByRules(reading, part));
  for (const run of reading.runs) for (const edit of editsOf(run)) take(edit);
  return taken.sort((left, right) => left.from - right.from);
}

/** "three point one four one five": the digits belong to the number before them. */
const isDecimals = (pieces: readonly Piece[], { from }: Edit) =>
  pieces[from - 1]?.text === "point" && isJoined(pieces, from - 1) && isJoined(pieces, from - 2);

/** Three digits with "oh" in the middle, behind "at" or before "a.m.". */
function isTimeRow(pieces: readonly Piece[], { from, to }: Edit): boolean {
  if (to - from !== 3 || !/^oh?$/.test(pieces[from + 1]?.text ?? "")) return false;
  return (
    TIME_PREPOSITION.test(pieces[from - 1]?.text ?? "") ||
    MERIDIEM.test(pieces[to]?.text ?? "") ||
    pieces[to + 1]?.text === "m"
  );
}
