// Digits said one by one: telephone, card and other numbers in their usual groups. English.
import { digitRow, isCardinalWord } from "./english-numbers.ts";
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
/** Words before a number in pairs: without them, ten digits in pairs are as often a list of numbers. */
const NUMBER_CONTEXT = /^(?:numbers?|code|zip|pin|is)$/;
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

interface Row {
  to: number;
  row: string;
}

const isOne = (piece: Piece | undefined) =>
  piece !== undefined && (digitRow([piece.text]) !== undefined || /^(?:double|triple)$/.test(piece.text));

/** Pieces from `from` on that are digits, commas and dashes between them. */
function widestRow(pieces: readonly Piece[], from: number): Row | undefined {
  let to = from;
  let hasCommas = false;
  let hasLonger = false;
  const words: string[] = [];
  // Inside of a number, no row begins: "twenty five five five one".
  const before = pieces[from - 1]?.text ?? "";
  if (isJoined(pieces, from - 1) && (isCardinalWord(before) || /^(?:oh?|double|triple)$/.test(before)))
    return undefined;
  while (
    isOne(pieces[to]) ||
    PAIRS.has(pieces[to]?.text ?? "") ||
    (words.length > 0 && pieces[to]?.text === "hundred")
  ) {
    const { text } = pieces[to] as Piece;
    words.push(text);
    hasLonger ||= /^\d{2,}$/.test(text) || text === "hundred" || PAIRS.has(text);
    if (hasLonger && words.length > MOST_WORDS_WITH_LONGER) return undefined;
    const { mark } = pieces[to] as Piece;
    to++;
    if (mark === "," || mark === ";") hasCommas = hasCommas || isOne(pieces[to]) || PAIRS.has(pieces[to]?.text ?? "");
    else if (mark !== "" && mark !== "-") break;
    if (pieces[to]?.isOpened) break;
  }
  const row = digitRow(words) ?? rowWithPairs(words, contextOf(pieces, from), hasCommas);
  if (row === undefined || words.length < LEAST_ROW) return undefined;
  const least = hasCommas && !row.includes("0") ? LEAST_ROW_WITH_COMMAS : LEAST_ROW;
  // Several digits in one token are numbers of their own unless there are enough for a telephone.
  const hasTokens = words.some((word) => /^\d{2,}$/.test(word));
  if (row.length < least || isCounting(row) || (hasTokens && ![7, 9, 10, 11, 15, 16].includes(row.length)))
    return undefined;
  return { to, row };
}

/** @returns the row of digits that begins at a piece, in its usual groups */
export function digitRowAt(pieces: readonly Piece[], from: number): Edit | undefined {
  const found = widestRow(pieces, from);
  if (!found) return undefined;
  const { row, to } = found;
  // "one oh one point four" is one number.
  if (isJoined(pieces, to - 1) && pieces[to]?.text === "point" && isOne(pieces[to + 1])) return undefined;
  const hasPlus = pieces[from - 1]?.text === "plus" && row.length >= 8;
  if (hasPlus) {
    const text = row.length === 11 && row.startsWith("1") ? `1 ${groupedRow(row.slice(1), ["phone"])}` : row;
    return { from: from - 1, to, text: `+${text}` };
  }
  return { from, to, text: groupedRow(row, contextOf(pieces, from)) };
}
