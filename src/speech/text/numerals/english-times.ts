// Times of day. Two numbers in a row ("three fifty") are one only where words around them say so: they may be a dose, a price, a score, a
// street number or a room as well.

import { isPartlyDigits, pairOf, twoDigits, twoPairs, wholeNumber } from "./english-numbers.ts";
import { measuredPair } from "./english-pairs.ts";
import type { Reading } from "./english-reading.ts";
import type { Run } from "./english-runs.ts";
import {
  isMeasured,
  isMoving,
  isPriceOfEach,
  isStartOfPrice,
  isTimed,
  isValueOfPart,
  namesDay,
  ZONE,
} from "./english-time-words.ts";
import { COUNTED, isMeasure, MERIDIEM, TIME_PREPOSITION } from "./english-units.ts";
import { inWords } from "./english-words.ts";
import type { Edit } from "./pieces.ts";

/** Pieces of the same sentence that are read for evidence. */
const WORDS_BEFORE = 14;
const WORDS_AFTER = 6;

/** "p m", "pm", "p.m." behind an hour. */
function meridiemAt(reading: Reading, at: number): { to: number; text: string } | undefined {
  const word = reading.next(at);
  if (MERIDIEM.test(word))
    return { to: at + 1, text: word.length === 2 ? `${word[0]}.m.` : (reading.pieces[at]?.raw ?? word) };
  const isSplit = /^[ap]$/.test(word) && reading.next(at + 1) === "m";
  return isSplit ? { to: at + 2, text: `${word}.m.` } : undefined;
}

const DAY_PARTS = ["in the morning", "in the afternoon", "in the evening", "at night", "tonight", "this morning"];
const isBeforeDayPart = (reading: Reading, at: number) => DAY_PARTS.some((phrase) => reading.says(at, phrase));

/** What follows makes it a time whatever else is said: "one twenty-five p.m." */
const isSaidToBe = (reading: Reading, to: number) =>
  meridiemAt(reading, to) !== undefined ||
  reading.next(to) === "sharp" ||
  reading.next(to) === "o'clock" ||
  ZONE.test(reading.next(to));

/** A plural noun right behind a number is what it counts: "of two thousand people". */
export function isNoun(reading: Reading, at: number): boolean {
  const word = reading.next(at);
  return (
    word.length > 3 &&
    /s$|^(?:people|men|women|children|percent)$/.test(word) &&
    !/^(?:was|is|this|his|has|does|as|us|its|always|sometimes|perhaps|across|towards|unless|thus|.*days)$/.test(word) &&
    !/^\p{Lu}/u.test(reading.pieces[at]?.raw ?? "")
  );
}

/** What follows makes it no time: a unit, what is counted, "a share", "over ninety". */
function isSaidOfOther(reading: Reading, to: number): boolean {
  const [next, second] = [reading.next(to), reading.next(to + 1)];
  if (COUNTED.test(next) || isMeasure(reading, to) || isNoun(reading, to) || isPriceOfEach(next, second)) return true;
  return (next === "over" || next === "point") && reading.runAt(to + 1) !== undefined;
}

const HEDGE = /^(?:about|around|exactly|approximately|roughly|just|precisely)$/;
/** They stand before a time, or before a thing: "until one twenty-five". */
const TIME_ONLY = /^(?:until|till|til|since|before|after)$/;
const RANGE = /^(?:to|and|or|until|till|til|through)$/;

function prepositionOf(reading: Reading, from: number): string {
  const before = reading.before(from);
  const isHedged = HEDGE.test(before) && TIME_PREPOSITION.test(reading.before(from - 1));
  return isHedged ? reading.before(from - 1) : before;
}

const textsOf = (pieces: readonly { text: string }[]) => pieces.map(({ text }) => text);

type Verdict = "time" | "other" | "unknown";

/** Whether the words around a run say that it is a time of day, or that it is not. */
function verdictOn(reading: Reading, run: Run): Verdict {
  const { from, to } = run;
  if (isSaidToBe(reading, to)) return "time";
  if (isSaidOfOther(reading, to)) return "other";
  const before = textsOf(reading.sentenceBefore(from, WORDS_BEFORE));
  const words = [...before, ...textsOf(reading.sentenceAfter(to, WORDS_AFTER))];
  const preposition = prepositionOf(reading, from);
  const isPlaced = TIME_PREPOSITION.test(preposition) || preposition === "between";
  if (isBeforeDayPart(reading, to)) return isValueOfPart(before, isPlaced) ? "other" : "time";
  if (isMeasured(words)) return namesDay(words) ? "unknown" : "other";
  if (TIME_ONLY.test(preposition)) return "time";
  if (isPlaced) {
    if ((isStartOfPrice(before) && !namesDay(words)) || isMoving(before, run.words)) return "unknown";
    const partner = partnerOf(reading, run)?.to ?? -1;
    return isTimed(words) || isSaidToBe(reading, partner) || isBeforeDayPart(reading, partner) ? "time" : "unknown";
  }
  if (!RANGE.test(preposition)) return "unknown";
  const first = reading.runUntil(from - 1);
  const isSecond =
    first !== undefined && isClock(first) && /^(?:from|between|at)$/.test(prepositionOf(reading, first.from));
  return isSecond && verdictOn(reading, first) === "time" ? "time" : "unknown";
}

/** Whether "nineteen ninety nine" is no year: "priced at nineteen ninety nine". */
export function isPriceOrMeasure(reading: Reading, { from, to }: Run): boolean {
  const isDated = /^(?:in|since|during|year|until|till|circa)$/.test(reading.before(from)) || reading.isMonth(from - 1);
  if (isDated) return false;
  return isSaidOfOther(reading, to) || isMeasured(textsOf(reading.sentenceBefore(from, WORDS_BEFORE)));
}

/** The other end of "from nine thirty to five fifteen". */
function partnerOf(reading: Reading, { to }: Run): Run | undefined {
  return RANGE.test(reading.next(to)) ? reading.runAt(to + 1) : undefined;
}

/** Hours and minutes, if the words can be a time of day. */
function clockOf({ words }: Run): [hours: number, minutes: number] | undefined {
  const [hours = 0, minutes = 60] = pairOf(words) ?? [];
  return hours >= 1 && hours <= 23 && minutes <= 59 ? [hours, minutes] : undefined;
}

const isClock = (run: Run) => clockOf(run) !== undefined;

function hour(reading: Reading, { from, to, words }: Run): Edit[] | undefined {
  const value = wholeNumber(words);
  if (value === undefined || value < 1 || value > 12) return undefined;
  if (reading.next(to) === "o'clock") return [{ from, to, text: String(value) }];
  const meridiem = meridiemAt(reading, to);
  return (
    meridiem && [
      { from, to, text: String(value) },
      { from: to, to: meridiem.to, text: meridiem.text },
    ]
  );
}

/** "at eighteen hundred hours", "at oh eight hundred hours", "at eighteen thirty hours" */
export function hoursOfDay(reading: Reading, { from, to, words }: Run): Edit[] | undefined {
  if (reading.next(to) !== "hours" || /^(?:of|a|an|per|each|and)$/.test(reading.next(to + 1))) return undefined;
  if (!/^(?:at|until|till|by)$/.test(reading.before(from))) return undefined;
  const isEarly = /^oh?$/.test(words[0] ?? "") || words[0] === "zero";
  const said = isEarly ? words.slice(1) : words;
  const [hours, minutes] =
    said.at(-1) === "hundred" ? [wholeNumber(said.slice(0, -1)), 0] : isEarly ? [] : (twoPairs(said) ?? []);
  if (hours === undefined || minutes === undefined || hours > 24 || minutes > 59 || isPartlyDigits(said))
    return undefined;
  return hours < 10 && !isEarly ? undefined : [{ from, to, text: twoDigits(hours) + twoDigits(minutes) }];
}

/** "in 3:45 minutes", "2:30 hours", "a 4:30 mile": how long something takes, as the recogniser wrote it. */
const DURATION = /^(?:hours?|hrs?|minutes?|mins?|seconds?|secs?|mile|pace|marathon)$/;

/** Writes a time of the recogniser in spoken words where the words around it rule out a time of day. */
function unwritten({ from, to, words: [only = ""] }: Run): Edit[] {
  return [{ from, to, text: inWords(only) ?? only, isSpoken: true }];
}

export function clockTime(reading: Reading, run: Run): Edit[] | undefined {
  const { from, to, words } = run;
  const whole = hour(reading, run);
  if (whole) return whole;
  const [hours, minutes] = clockOf(run) ?? [];
  // "around ten eleven o'clock": two hours.
  if (hours === undefined || minutes === undefined || reading.next(to) === "o'clock") return undefined;
  // "two 10 a.m. meetings"
  const behind = meridiemAt(reading, to)?.to ?? to;
  if (isPartlyDigits(words) && isNoun(reading, behind) && !TIME_PREPOSITION.test(prepositionOf(reading, from)))
    return undefined;
  const isWritten = words[0]?.includes(":") === true;
  if (isWritten && DURATION.test(reading.next(to))) return [{ from, to, text: words[0] ?? "" }];
  const verdict = verdictOn(reading, run);
  if (isWritten && verdict === "other") return measuredPair(reading, run) === undefined ? unwritten(run) : undefined;
  // A year stands there more often than a time after noon, but for "at".
  if (verdict !== "time" || (hours > 12 && prepositionOf(reading, from) !== "at")) return undefined;
  const meridiem = meridiemAt(reading, to);
  const time = { from, to, text: `${hours}:${twoDigits(minutes)}` };
  return meridiem && hours <= 12 ? [time, { from: to, to: meridiem.to, text: meridiem.text }] : [time];
}
