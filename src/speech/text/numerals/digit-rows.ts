// Digits said one by one: telephone, card and other numbers in their usual groups. English.
import { areSeveral } from "./digit-lists.ts";
import { isInPairs, isSeries, isYear, shapeOf } from "./digit-shapes.ts";
import { digitRow, isCardinalWord, isNumberWord } from "./english-numbers.ts";
import { type Edit, isJoined, type Piece } from "./pieces.ts";

const PHONE_CONTEXT = /^(?:call|phone|telephone|dial|mobile|cell|fax|ring|text|reach|hotline|tel)$/;
const SOCIAL_CONTEXT = /^(?:social|ssn)$/;
const OTHER_NUMBER =
  /^(?:account|card|order|tracking|serial|confirmation|reference|isbn|invoice|policy|member|routing|id)$/;
/** Words before a number that say what it is. */
const CONTEXT_PIECES = 8;
const LEAST_ROW = 3;
/** With commas between them, fewer digits are a list of numbers. */
const LEAST_ROW_WITH_COMMAS = 5;

/** A row with words of several digits has at most the length of a telephone or card number. The bound makes the search linear in the text. */
const MOST_WORDS_WITH_LONGER = 20;

const sliced = (row: string, lengths: readonly number[]) => {
  const ends = lengths.map((_, at) => lengths.slice(0, at + 1).reduce((sum, length) => sum + length, 0));
  return ends.map((end, at) => row.slice(end - (lengths[at] as number), end));
};

function contextOf(pieces: readonly Piece[], from: number): string[] {
  return pieces.slice(Math.max(0, from - CONTEXT_PIECES), from).map(({ text }) => text);
}

/** @param row  digits */
function groupedRow(row: string, context: readonly string[]): string {
  const isAbout = (pattern: RegExp) => context.some((word) => pattern.test(word));
  if (row.length === 16) return sliced(row, [4, 4, 4, 4]).join(" ");
  if (row.length === 15 && row.startsWith("3")) return sliced(row, [4, 6, 5]).join(" ");
  if (row.length === 9 && isAbout(SOCIAL_CONTEXT)) return sliced(row, [3, 2, 4]).join("-");
  if (isAbout(OTHER_NUMBER) && !isAbout(PHONE_CONTEXT)) return row;
  if (row.length === 10) return sliced(row, [3, 3, 4]).join("-");
  if (row.length === 11 && row.startsWith("1")) return sliced(row, [1, 3, 3, 4]).join("-");
  if (row.length === 7 && (isAbout(PHONE_CONTEXT) || context.includes("number"))) return sliced(row, [3, 4]).join("-");
  return row;
}

/** "one, two, three" counts. */
function isCounting(row: string): boolean {
  const steps = [...row].slice(1).map((digit, at) => Number(digit) - Number(row[at]));
  return (
    steps.every((step) => step === 1) ||
    steps.every((step) => step === -1) ||
    (row.length < 7 && /^(\d)\1+$/.test(row) && row[0] !== "0")
  );
}

/** Two digits that one word says. */
const PAIRS = new Map([
  ..."ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
    .map((word, at): [string, number] => [word, 10 + at]),
  ..."twenty thirty forty fifty sixty seventy eighty ninety"
    .split(" ")
    .map((word, at): [string, number] => [word, 20 + 10 * at]),
]);
/** Words before a number in pairs: without them, ten digits in pairs are as often a list of numbers, as behind "the numbers are". */
const NUMBER_CONTEXT = /^(?:number|code|zip|pin|is)$/;
const LEAST_CARD = 15;
const LEAST_GROUPS = 5;

/** The groups of digits in spoken words: "twenty six seventy one" has the groups 26 and 71. */
function spokenGroups(words: readonly string[]): string[] | undefined {
  const groups: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const [word = "", next] = [words[at], words[at + 1]];
    const pair = PAIRS.get(word);
    if (next === "hundred") {
      const digit = digitRow([word]);
      if (digit?.length !== 1) return undefined;
      groups.push(`${digit}00`);
      at++;
    } else if (pair !== undefined) {
      const ones = pair < 20 || next === undefined ? undefined : digitRow([next]);
      const hasOnes = ones?.length === 1 && ones !== "0" && !/\d/.test(next ?? "") && next !== "oh";
      groups.push(String(pair + (hasOnes ? Number(ones) : 0)));
      if (hasOnes) at++;
    } else groups.push(word);
  }
  return groups;
}

/** "four one five, five five five, twenty six seventy one": two digits of a telephone number may be one word or two. */
function rowWithPairs(words: readonly string[], context: readonly string[], hasCommas: boolean): string | undefined {
  const groups = spokenGroups(words);
  const row = groups && digitRow(groups);
  if (groups === undefined || row === undefined || groups.length < LEAST_GROUPS) return undefined;
  const isAbout = (pattern: RegExp) => context.some((word) => pattern.test(word));
  const isNumber = [PHONE_CONTEXT, SOCIAL_CONTEXT, OTHER_NUMBER, NUMBER_CONTEXT].some(isAbout);
  const beginsInPairs = PAIRS.has(words[0] ?? "");
  const hasTeen = words.some((word) => (PAIRS.get(word) ?? 20) < 20);
  if ((beginsInPairs || hasTeen) && !isNumber && (hasCommas || row.length < LEAST_CARD)) return undefined;
  const values = groups.map((group) => Number(digitRow([group])));
  const steps = values.slice(1).map((value, at) => value - (values[at] as number));
  if (steps.every((step) => step === steps[0] && step !== 0)) return undefined;
  const isLong = [10, 11, 16].includes(row.length) || (row.length === LEAST_CARD && row.startsWith("3"));
  const isShort = (row.length === 7 && isAbout(PHONE_CONTEXT)) || (row.length === 9 && isAbout(SOCIAL_CONTEXT));
  return isLong || isShort ? row : undefined;
}

/** Pieces [from, to) are digits, with or without commas between them. */
interface Stretch {
  to: number;
  /** Words between the commas. */
  segments: string[][];
  /** A word says several digits. */
  hasLonger: boolean;
}

const isOne = (piece: Piece | undefined) =>
  piece !== undefined && (digitRow([piece.text]) !== undefined || /^(?:double|triple)$/.test(piece.text));

/** The longest stretch of digits, commas and dashes from a piece on. */
function stretchAt(pieces: readonly Piece[], from: number): Stretch | undefined {
  // Inside of a number, no row begins: "twenty five five five one".
  const before = pieces[from - 1]?.text ?? "";
  if (isJoined(pieces, from - 1) && (isCardinalWord(before) || /^(?:oh?|double|triple)$/.test(before)))
    return undefined;
  const mayFollow = (piece: Piece | undefined) => isOne(piece) || PAIRS.has(piece?.text ?? "");
  let [to, count, hasLonger] = [from, 0, false];
  const segments: string[][] = [[]];
  while (mayFollow(pieces[to]) || (count > 0 && pieces[to]?.text === "hundred")) {
    const { text, mark } = pieces[to] as Piece;
    segments.at(-1)?.push(text);
    count++;
    hasLonger ||= /^\d{2,}$/.test(text) || text === "hundred" || PAIRS.has(text);
    to++;
    if (hasLonger && count > MOST_WORDS_WITH_LONGER) break;
    const isComma = mark === "," || mark === ";";
    if ((!isComma && mark !== "" && mark !== "-") || pieces[to]?.isOpened) break;
    if (isComma && mayFollow(pieces[to])) segments.push([]);
  }
  return count === 0 ? undefined : { to, segments, hasLonger };
}

/** Words that say that the digits behind them are one number. */
const ONE_NUMBER = /^(?:number|code|zip|pin|passcode|password|extension)$/;

function isNamed(context: readonly string[], patterns: readonly RegExp[]): boolean {
  return context.some((word, at) => {
    // "in order" names no number.
    if (word === "order" && context[at - 1] === "in") return false;
    return patterns.some((pattern) => pattern.test(word));
  });
}

/** Whether nothing else of the sentence stands before a number, or "is". */
function standsAlone(pieces: readonly Piece[], from: number): boolean {
  const before = pieces[from - 1];
  return !before || /[.!?]/.test(before.mark) || /^(?:is|it's|that's)$/.test(before.text);
}

/** Whether groups of several digits between commas are one number: "415, 555, 2671", not "100, 200, 300". */
function isNumberInGroups(groups: readonly string[], context: readonly string[], isAlone: boolean): boolean {
  const isPhone = isNamed(context, [PHONE_CONTEXT, ONE_NUMBER]);
  // "07700, 900, 123": no list of numbers begins with 0.
  const digits = groups.reduce((sum, { length }) => sum + length, 0);
  if (isPhone && groups[0]?.[0] === "0" && (digits === 10 || digits === 11)) return true;
  const isOfPairs = groups.every(({ length }) => length === 2);
  const shape = shapeOf(groups, isPhone && !isOfPairs)?.join("-");
  if (shape === undefined || isSeries(groups)) return false;
  const first = groups[0]?.[0];
  if (shape === "3-4") return isPhone;
  if (shape === "3-2-4") return isNamed(context, [SOCIAL_CONTEXT, OTHER_NUMBER]);
  if (shape === "4-6-5") return first === "3";
  if (shape === "4-4-4-4") return !groups.every(isYear) || isNamed(context, [OTHER_NUMBER, ONE_NUMBER]);
  const isRound = groups.every((group) => group.endsWith("0"));
  return isPhone || (isAlone && !isRound && (shape === "3-3-4" || first === "1"));
}

/** Whether single digits between commas are one number: "four one five, five five five, two six seven one". */
function isNumberInDigits(groups: readonly string[], context: readonly string[], isAlone: boolean): boolean {
  const row = groups.join("");
  // "six four, six three, seven five" are scores.
  if (groups.every(({ length }) => length === 2)) return isNumberInGroups(groups, context, false);
  const least = isNamed(context, [/^(?:code|pin|passcode|extension)$/])
    ? LEAST_ROW_WITH_COMMAS - 1
    : LEAST_ROW_WITH_COMMAS;
  if (isNamed(context, [PHONE_CONTEXT, SOCIAL_CONTEXT, OTHER_NUMBER, ONE_NUMBER])) return row.length >= least;
  if (row.length === 7 || row.length === 9) return shapeOf(groups, false) !== undefined;
  const hasGroups = groups.some(({ length }) => length > 1);
  return (hasGroups || isAlone) && [10, 11, 15, 16].includes(row.length);
}

const LISTED = /^(?:people|men|women|children)$|^(?!thanks$|yes$|was$|is$|this$|has$|as$|always$).{2,}s$/;

/** "0, 3, 7 and 9", "one, three, five, two, four members": what follows makes digits between commas a list. */
function isListBefore(pieces: readonly Piece[], to: number): boolean {
  const next = pieces[to];
  if (/^(?:and|or)$/.test(next?.text ?? ""))
    return isNumberWord(pieces[to + 1]?.text ?? "") && /^[,;]?$/.test(pieces[to - 1]?.mark ?? "");
  return isJoined(pieces, to - 1) && LISTED.test(next?.text ?? "");
}

/** @returns the edit of a stretch with commas, if its digits are one number */
function editWithCommas(pieces: readonly Piece[], from: number, { to, segments, hasLonger }: Stretch) {
  const context = contextOf(pieces, from);
  const words = segments.flat();
  const groups = segments.map((segment) => digitRow(segment) ?? digitRow(spokenGroups(segment) ?? []) ?? "");
  const row = digitRow(words) ?? rowWithPairs(words, context, true);
  if (row === undefined || row !== groups.join("") || groups.includes("") || isCounting(row)) return undefined;
  if (isListBefore(pieces, to)) return undefined;
  const isAlone = standsAlone(pieces, from);
  const hasWords = words.some((word) => /^[a-z]+$/.test(word) && !PAIRS.has(word));
  const isNumber = hasLonger
    ? isNumberInGroups(groups, context, isAlone || hasWords)
    : isNumberInDigits(groups, context, isAlone);
  if (!isNumber) return undefined;
  return isInPairs(groups) ? { from, to, text: groups.join(" ") } : editOf(pieces, from, to, row);
}

const KNOWN_LENGTHS = [7, 9, 10, 11, 15, 16];

/** @returns the digits of pieces [from, to) without commas between them, if they are one number */
function rowOf(pieces: readonly Piece[], from: number, words: readonly string[]): string | undefined {
  const context = contextOf(pieces, from);
  const row = digitRow(words) ?? rowWithPairs(words, context, false);
  if (row === undefined || words.length < LEAST_ROW || row.length < LEAST_ROW || isCounting(row)) return undefined;
  if (digitRow(words) === undefined) return row;
  const isOfNumber = isNamed(context, [PHONE_CONTEXT, SOCIAL_CONTEXT, OTHER_NUMBER, ONE_NUMBER]);
  const isKnown = KNOWN_LENGTHS.includes(row.length);
  // Several digits in one token are numbers of their own unless there are enough for a telephone.
  if (!words.some((word) => /^\d{2,}$/.test(word))) {
    const to = from + words.length;
    const isOne = isOfNumber || isKnown || !areSeveral(pieces, [from, to], row, isListBefore(pieces, to));
    return isOne ? row : undefined;
  }
  if (!isKnown || isSeries(words) || words.every(isYear)) return undefined;
  if (isOfNumber) return row;
  return row.length > 9 && shapeOf(words, true) !== undefined ? row : undefined;
}

function editOf(pieces: readonly Piece[], from: number, to: number, row: string): Edit | undefined {
  // "one oh one point four" is one number.
  if (isJoined(pieces, to - 1) && pieces[to]?.text === "point" && isOne(pieces[to + 1])) return undefined;
  const hasPlus = pieces[from - 1]?.text === "plus" && row.length >= 8;
  if (hasPlus) {
    const text = row.length === 11 && row.startsWith("1") ? `1 ${groupedRow(row.slice(1), ["phone"])}` : row;
    return { from: from - 1, to, text: `+${text}` };
  }
  return { from, to, text: groupedRow(row, contextOf(pieces, from)) };
}

export interface DigitRows {
  /** Rows of digits in their usual groups, in order. */
  edits: Edit[];
  /** Where the next row may begin. */
  to: number;
}

/** @returns the rows of digits that begin at a piece: one number, or a list of them with commas */
export function digitRowsAt(pieces: readonly Piece[], from: number): DigitRows {
  const stretch = stretchAt(pieces, from);
  if (!stretch) return { edits: [], to: from + 1 };
  const { to, segments } = stretch;
  if (segments.length === 1) {
    const row = rowOf(pieces, from, segments[0] ?? []);
    const edit = row === undefined ? undefined : editOf(pieces, from, to, row);
    return edit ? { edits: [edit], to } : { edits: [], to: from + 1 };
  }
  const whole = editWithCommas(pieces, from, stretch);
  if (whole) return { edits: [whole], to };
  const edits: Edit[] = [];
  let start = from;
  for (const segment of segments) {
    const row = rowOf(pieces, start, segment);
    const edit = row === undefined ? undefined : editOf(pieces, start, start + segment.length, row);
    if (edit) edits.push(edit);
    start += segment.length;
  }
  return { edits, to };
}
