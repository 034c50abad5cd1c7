// What English says for numbers that a recogniser wrote in digits, by the words around them: dates, telephone numbers, sums, times.
import { Reading } from "./english-reading.ts";
import { isNoun } from "./english-times.ts";
import {
  AFTER_DAY,
  AMBIGUOUS_MONTH,
  COUNTED,
  isMeasure,
  LABEL,
  MERIDIEM,
  MONTH,
  NOT_A_NOUN,
  NUMBER_WORD,
  NUMBERED,
  SINGULAR_UNITS,
} from "./english-units.ts";
import { inWords } from "./english-words.ts";
import { isJoined, type Piece } from "./pieces.ts";
import { amount, digitByDigit, ordinalWords } from "./spoken-amounts.ts";
import { asRest, fractionOf, measureWords } from "./written-units.ts";

const MOST_DAY = 31;
/** What is read together with a number before it: "$2 million", "5 km". */
const BEHIND = /^(?:thousand|million|billion|trillion|%|km\/h|km|mph|kg|mg|ml|cm|mm)$/i;

/** Groups of digits in a row are a card or telephone number. */
const GROUP = /^\d{3,}$/;

export interface Said {
  to: number;
  /** Undefined if the number stays as recognised. */
  text?: string;
}

/** "January 5, 2024", not "In May 12 people died", "they march 20 miles". */
function isDayOfMonth(pieces: readonly Piece[], at: number): boolean {
  const [month, { raw }] = [pieces[at - 1], pieces[at] as Piece];
  if (!month || !isJoined(pieces, at - 1) || !MONTH.test(month.text) || !/^\d{1,2}$/.test(raw)) return false;
  if (Number(raw) < 1 || Number(raw) > MOST_DAY) return false;
  const reading = new Reading(pieces, []);
  const isVerb = AMBIGUOUS_MONTH.test(month.text) && month.raw === month.text;
  if (isVerb && reading.before(at - 1) !== "on") return false;
  const after = reading.next(at + 1);
  if (after === "" || AFTER_DAY.test(after) || /^\d{4}$/.test(after)) return true;
  const before = reading.before(at - 1);
  // "the September 11 attacks", "on March 5 protests began"
  if (/^(?:on|the)$/.test(before)) return true;
  const isCounted = COUNTED.test(after) && after !== "of";
  if (isCounted || isMeasure(reading, at + 1) || isNoun(reading, at + 1)) return false;
  return before !== "in";
}

/** "(555) 123-4567" */
function isAreaCode(pieces: readonly Piece[], at: number): boolean {
  const [code, first, second] = pieces.slice(at, at + 3);
  if (code?.mark !== ")" || !/^\d{3}$/.test(code.raw) || !first) return false;
  return /^\d{3}-\d{4}$/.test(first.raw) || (/^\d{3}$/.test(first.raw) && /^\d{4}$/.test(second?.raw ?? ""));
}

/** A date, such as "on 5/8". "After 5/8 of it" has a fraction. */
const isDate = (pieces: readonly Piece[], at: number) =>
  /^\d{1,2}\/\d{1,2}$/.test(pieces[at]?.raw ?? "") &&
  isJoined(pieces, at - 1) &&
  /^(?:on|by|until|till|since|before|after)$/.test(pieces[at - 1]?.text ?? "") &&
  !(isJoined(pieces, at) && pieces[at + 1]?.text === "of");

/** "1 May 2020", "on 3 June" */
function dayBeforeMonth(reading: Reading, at: number): Said | undefined {
  const day = reading.text(at);
  if (!/^\d{1,2}$/.test(day) || Number(day) < 1 || Number(day) > MOST_DAY) return undefined;
  if (reading.next(at + 1) === "" || !reading.isMonth(at + 1)) return undefined;
  const [before, behind] = [reading.before(at), reading.next(at + 2)];
  const isDay = /^(?:on|by|until|till|since|from|to|the)$/.test(before) || behind === "" || /^\d{4}$/.test(behind);
  if (!isDay && !AFTER_DAY.test(behind)) return undefined;
  return { to: at + 1, text: `${before === "the" ? "" : "the "}${ordinalWords(day)} of` };
}

const MOST_COUNTRY_DIGITS = 3;
const LEAST_TELEPHONE_DIGITS = 7;

/** "+44 20 7946 0958", "(555)123-4567" */
function telephoneAt(pieces: readonly Piece[], at: number): Said | undefined {
  const raw = pieces[at]?.raw ?? "";
  const [, area, rest = ""] = /^(\d{3})\)(\d{3}-?\d{4})$/.exec(raw) ?? [];
  if (area !== undefined) return { to: at + 1, text: `${digitByDigit(area)}) ${digitByDigit(rest.replace("-", ""))}` };
  if (!/^\+\d+$/.test(raw)) return undefined;
  let [to, digits] = [at + 1, raw.slice(1)];
  while (
    raw.length <= MOST_COUNTRY_DIGITS + 1 &&
    isJoined(pieces, to - 1) &&
    /^\d[\d-]*$/.test(pieces[to]?.raw ?? "")
  ) {
    digits += pieces[to]?.raw.replaceAll("-", "");
    to++;
  }
  return digits.length < LEAST_TELEPHONE_DIGITS ? undefined : { to, text: `plus ${digitByDigit(digits)}` };
}

const NAMED_BY_NUMBER =
  /^(?:account|card|case|claim|code|id|invoice|model|order|pin|policy|port|reference|release|serial|ticket|tracking|zip)$/;
const COUNTED_MANY =
  /^(?:books|calls|cars|cases|citizens|copies|customers|deaths|documents|downloads|emails|employees|fans|files|followers|homes|houses|images|items|jobs|kilos|likes|members|messages|patients|photos|players|points|records|residents|seats|soldiers|steps|subscribers|tickets|tons|tourists|troops|units|users|viewers|views|visitors|visits|voters|votes|words|workers)$/;
const BEFORE_AMOUNT =
  /^(?:about|all|almost|another|around|at|every|exactly|for|from|in|just|least|most|nearly|of|only|over|roughly|some|than|the|these|those|to|under|with)$/;

/** "12345 people" counts; "order 12345 ships" and "Release 12345 users" name. */
function isCounted(reading: Reading, at: number): boolean {
  const [next, before] = [reading.next(at + 1), reading.before(at)];
  if ([NAMED_BY_NUMBER, LABEL, NUMBERED, NUMBER_WORD].some((names) => names.test(before))) return false;
  const isName = before !== "" && /^\p{Lu}/u.test(reading.pieces[at - 1]?.raw ?? "") && before !== "i";
  if (isName && !(reading.isFirst(at - 1) && BEFORE_AMOUNT.test(before))) return false;
  if (/^\p{Lu}/u.test(reading.pieces[at + 1]?.raw ?? "")) return false;
  if ((COUNTED.test(next) && !/^(?:of|times)$/.test(next)) || isMeasure(reading, at + 1)) return true;
  return COUNTED_MANY.test(next) && !/^(?:is|was)$/.test(before);
}

/** "dial 911", "a 911 call", not "we called 250" */
function isShortNumber(reading: Reading, at: number): boolean {
  const text = reading.text(at);
  const next = reading.next(at + 1);
  if (!/^(?:[2-9]11|112|999)$/.test(text)) return false;
  if (text === "911" && /^(?:calls?|operators?|dispatchers?)$/.test(next)) return true;
  if (COUNTED.test(next) || isMeasure(reading, at + 1) || isNoun(reading, at + 1)) return false;
  const isPast = text === "911" && /^(?:dial(?:ed|ing)|call(?:ed|ing)|texted|rang)$/.test(reading.before(at));
  return isPast || /^(?:dial|call|text|ring|phone)$/.test(reading.before(at));
}

/** Of three digits: "1 000 000 000 000". */
const MOST_GROUPS = 5;

const SCALES = "thousand|million|billion|trillion";

/** "$3.5 million-$4 million" */
function rangeOfSums(reading: Reading, at: number): Said | undefined {
  const [, scale, right] = new RegExp(`^(${SCALES})[-–](\\S+)$`).exec(reading.next(at + 1)) ?? [];
  if (scale === undefined || right === undefined) return undefined;
  const behind = new RegExp(`^(?:${SCALES})$`).test(reading.next(at + 2)) ? ` ${reading.next(at + 2)}` : "";
  const [from, to] = [inWords(`${reading.text(at)} ${scale}`), inWords(right + behind)];
  if (from === undefined || to === undefined) return undefined;
  return { to: at + (behind === "" ? 2 : 3), text: `${from} to ${to}` };
}

/** "1 1/2 miles", not "Of the 12 3/4 passed" */
function isMixed(reading: Reading, at: number): boolean {
  const [text, behind] = [reading.text(at), reading.next(at + 2)];
  if (!/^\d{1,2}$/.test(text)) return false;
  if (isMeasure(reading, at + 2) || SINGULAR_UNITS.test(behind)) return true;
  if (reading.sentenceBefore(at, 2).some((piece) => piece.text === "of")) return false;
  return behind === "" || (COUNTED.test(behind) && behind !== "of") || isNoun(reading, at + 2);
}

/** "1 1/2 miles", "1/10 of it" */
function fractionAt(reading: Reading, at: number): Said | undefined {
  const [text, next] = [reading.text(at), reading.next(at + 1)];
  const part = isMixed(reading, at) ? fractionOf(next) : undefined;
  if (part !== undefined) return { to: at + 2, text: `${inWords(text)} and ${asRest(part)}` };
  const [, top = "", bottom = ""] = /^(\d{1,2})\/(\d{1,2})$/.exec(text) ?? [];
  // "on 9/11 of that year"
  if (
    next !== "of" ||
    text === "9/11" ||
    fractionOf(text) !== undefined ||
    Number(top) < 1 ||
    Number(top) >= Number(bottom)
  )
    return undefined;
  return { to: at + 1, text: `${inWords(top)} ${ordinalWords(bottom)}${top === "1" ? "" : "s"}` };
}

const BOOKS =
  /^(?:psalms?|genesis|exodus|leviticus|deuteronomy|joshua|judges|ruth|samuel|kings|chronicles|ezra|nehemiah|esther|job|proverbs|ecclesiastes|isaiah|jeremiah|ezekiel|daniel|hosea|joel|amos|micah|matthew|mark|luke|john|acts|romans|corinthians|galatians|ephesians|philippians|colossians|thessalonians|timothy|titus|hebrews|james|peter|jude|revelation|sura|surah|chapter|verses?)$/;
/** They are no names of people. */
const PARTS_OF_BOOKS = /^(?:psalms?|sura|surah|chapter|verses?)$/;
const SCORE_BEHIND = /^(?:win|victory|loss|defeat|lead|draw|tie|score)$/;

/** "Psalm 23:1", "John 3:16", not "See you John 3:00 works", "the Kings 3:2 win" */
function isOfBook(reading: Reading, at: number, verse: string): boolean {
  const [book, raw, next] = [reading.before(at), reading.pieces[at - 1]?.raw ?? "", reading.next(at + 1)];
  if (!BOOKS.test(book) || verse.startsWith("0") || SCORE_BEHIND.test(next)) return false;
  if (isMeridiem(reading, at + 1)) return false;
  return PARTS_OF_BOOKS.test(book) || (/^\p{Lu}/u.test(raw) && reading.before(at - 1) !== "the");
}

const isMeridiem = (reading: Reading, at: number) =>
  MERIDIEM.test(reading.next(at)) || (/^[ap]$/.test(reading.next(at)) && reading.next(at + 1) === "m");

const WORKING_BEFORE = /^(?:work|works|worked|working|open|hours)$/;
const WORKING_BEHIND = /^(?:jobs?|shifts?|schedule|routine|workers?|hours)$/;

/** "2:00 a.m.", "Psalm 23:1", "we work 9-5" */
function pairAt(reading: Reading, at: number): Said | undefined {
  const [text, next] = [reading.text(at), reading.next(at + 1)];
  const [, first = "", mark = "", second = ""] = /^(\d{1,3})([:-])(\d{1,3})$/.exec(text) ?? [];
  const said = (digits: string) => inWords(String(Number(digits)));
  if (mark === ":" && isOfBook(reading, at, second)) return { to: at + 1, text: `${said(first)} ${said(second)}` };
  if (mark === ":" && second === "00" && isMeridiem(reading, at + 1)) return { to: at + 1, text: said(first) ?? "" };
  const isWork =
    text === "9-5" &&
    (WORKING_BEHIND.test(next) || reading.sentenceBefore(at, 2).some((piece) => WORKING_BEFORE.test(piece.text)));
  return isWork ? { to: at + 1, text: "nine to five" } : undefined;
}

const MILLIONS_OF = /^(?:people|dollars|euros|pounds|users|customers|views|subscribers|downloads)$/;

/** "100m people" and "a 16GB card" */
function measureAt(reading: Reading, at: number): Said | undefined {
  const [raw, next] = [reading.pieces[at]?.raw ?? "", reading.next(at + 1)];
  if (/^[\d.,]+m$/.test(raw) && MILLIONS_OF.test(next))
    return { to: at + 1, text: `${inWords(raw.slice(0, -1))} million` };
  const isAdjective = /^(?:an?|the)$/.test(reading.before(at)) && next !== "" && !NOT_A_NOUN.test(next);
  const said = isAdjective ? measureWords(raw, true) : undefined;
  return said === undefined ? undefined : { to: at + 1, text: said };
}

/** The digits behind them are no amount: "code 123 000", "version 2.100.200". */
const NO_AMOUNT =
  /^(?:version|revision|release|build|firmware|code|codes|pin|password|call|dial|phone|room|flight|page|number|no|is)$/;
const isBehindLabel = (pieces: readonly Piece[], at: number) =>
  isJoined(pieces, at - 1) && NO_AMOUNT.test(pieces[at - 1]?.text ?? "");

const SUM_SIGN = /^[$€£¥₹]$/;

/** "10 000", "1 000 000": thousands with spaces between. "555 000 1234" is a telephone number. */
function spacedThousandsAt(pieces: readonly Piece[], at: number): Said | undefined {
  if (isBehindLabel(pieces, at)) return undefined;
  const isBehindDigits = isJoined(pieces, at - 1) && /\d$/.test(pieces[at - 1]?.raw ?? "");
  if (isBehindDigits || !/^[1-9]\d{0,2}$/.test(pieces[at]?.raw ?? "")) return undefined;
  let to = at + 1;
  while (isJoined(pieces, to - 1) && /^\d{3}$/.test(pieces[to]?.raw ?? "")) to++;
  const groups = pieces.slice(at, to).map(({ raw }) => raw);
  const isFollowed = isJoined(pieces, to - 1) && /^\d/.test(pieces[to]?.raw ?? "");
  if (groups.length < 2 || groups.length > MOST_GROUPS || groups.at(-1) !== "000" || isFollowed) return undefined;
  const sign = isJoined(pieces, to - 1) && SUM_SIGN.test(pieces[to]?.raw ?? "") ? pieces[to]?.raw : undefined;
  const sum = sign === undefined ? undefined : inWords(sign + groups.join(","));
  return sum === undefined ? { to, text: amount(groups.join("")) } : { to: to + 1, text: sum };
}

/** "12 €" */
function sumBefore(reading: Reading, at: number): Said | undefined {
  const sign = reading.next(at + 1);
  if (/\d$/.test(reading.before(at))) return undefined;
  if (!SUM_SIGN.test(sign) || !/^[\d.,]+$/.test(reading.text(at)) || /^\d/.test(reading.next(at + 2))) return undefined;
  // "12,50 €" is written with the comma of other languages.
  const text = inWords(sign + reading.text(at).replace(/^(\d+),(\d\d)$/, "$1.$2"));
  return text === undefined ? undefined : { to: at + 2, text };
}

export function englishAt(pieces: readonly Piece[], at: number): Said | undefined {
  const [piece, next] = [pieces[at] as Piece, pieces[at + 1]];
  if (isDayOfMonth(pieces, at)) return { to: at + 1, text: ordinalWords(piece.raw) };
  const reading = new Reading(pieces, []);
  const special = dayBeforeMonth(reading, at) ?? telephoneAt(pieces, at);
  if (special) return special;
  if (isAreaCode(pieces, at)) return { to: at + 1, text: digitByDigit(piece.raw) };
  const ofThousands = spacedThousandsAt(pieces, at) ?? sumBefore(reading, at);
  if (ofThousands) return ofThousands;
  // "1.000.000" has the marks of other languages.
  if (/^[1-9]\d{0,2}\.\d{3}\.\d{3}$/.test(piece.raw) && !isBehindLabel(pieces, at))
    return { to: at + 1, text: amount(piece.raw.replaceAll(".", "")) };
  const isGroup = (index: number) =>
    isJoined(pieces, index) && GROUP.test(pieces[index]?.raw ?? "") && GROUP.test(pieces[index + 1]?.raw ?? "");
  if (isGroup(at) || isGroup(at - 1)) return { to: at + 1, text: digitByDigit(piece.raw) };
  const ofPhrase = fractionAt(reading, at) ?? pairAt(reading, at) ?? measureAt(reading, at) ?? rangeOfSums(reading, at);
  if (ofPhrase) return ofPhrase;
  if (isShortNumber(reading, at)) return { to: at + 1, text: digitByDigit(piece.raw) };
  if (/^[1-9]\d{4,14}$/.test(piece.raw) && isCounted(reading, at)) return { to: at + 1, text: amount(piece.raw) };
  const isSum = /^[$€£¥₹]/.test(piece.raw) || /^(?:%|k|m|c)/i.test(next?.raw ?? "");
  const both =
    next && isSum && BEHIND.test(next.raw) && isJoined(pieces, at) ? inWords(`${piece.raw} ${next.raw}`) : undefined;
  if (both !== undefined) return { to: at + 2, text: both };
  const text = isDate(pieces, at) ? inWords(piece.raw.replace("/", " ")) : inWords(piece.raw);
  return text === undefined ? undefined : { to: at + 1, text };
}
