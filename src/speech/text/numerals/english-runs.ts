// Where numbers stand in English: runs of words that can be one number, with commas that the recogniser put inside of one.
import {
  isCardinalWord,
  isClockText,
  isDecade,
  isDigits,
  isMagnitude,
  isNumberWord,
  isOrdinalWord,
  isRepeat,
} from "./english-numbers.ts";
import { type Edit, isJoined, type Piece } from "./pieces.ts";

/** Pieces [from, to) may be one number. */
export interface Run {
  from: number;
  to: number;
  words: string[];
  /** "a hundred", not "one hundred". */
  hasArticle?: boolean;
}

const isOh = (word: string | undefined) => word === "oh" || word === "o";
const isGroup = (word: string | undefined) => word === "hundred" || isMagnitude(word ?? "");
const YEAR_CONTEXT = /^(?:year|in|since|until|till|of|by|from|around|about|circa|before|after|late|early|mid)$/;

/** Behind "in nineteen, sixty two", they say that the second number counts. */
const COUNTED_BEHIND =
  /^(?:of|were|was|people|men|women|children|(?!this$|thus$|does$|always$|perhaps$|across$|towards$|sometimes$|unless$).{3,}s)$/;

/** "the year fourteen, sixty two", "three thousand, five hundred": whether the comma behind a piece is inside of a number. */
function isCommaInside(pieces: readonly Piece[], from: number, at: number): boolean {
  const [piece, next, second, third] = [pieces[at], pieces[at + 1], pieces[at + 2], pieces[at + 3]];
  if (piece?.mark !== "," || !next || next.isOpened) return false;
  const isHundreds =
    /^(?:one|two|three|four|five|six|seven|eight|nine)$/.test(next.text) &&
    second?.text === "hundred" &&
    isJoined(pieces, at + 1);
  if (isMagnitude(piece.text) && isHundreds) return third?.text !== "thousand" && third?.text !== "million";
  const before = pieces[from - 1];
  const isCentury = at === from && /^(?:thir|four|fif|six|seven|eigh|nine)teen$|^twenty$/.test(piece.text);
  if (
    !isCentury ||
    !before ||
    !YEAR_CONTEXT.test(before.text) ||
    !/^(?:.*ty|.*teen|ten|eleven|twelve)$/.test(next.text)
  )
    return false;
  if (!isCardinalWord(next.text)) return false;
  const isTwoWords = isJoined(pieces, at + 1) && isCardinalWord(second?.text ?? "") && next.text.endsWith("ty");
  const end = at + (isTwoWords ? 2 : 1);
  const { text: behind = "", raw = "" } = pieces[end + 1] ?? {};
  if (/^(?:and|or)$/.test(behind) || isCardinalWord(behind)) return false;
  // "in nineteen, sixty two of them died", "by fifteen, thirty were done"
  const isCounted = COUNTED_BEHIND.test(behind) && !/^\p{Lu}/u.test(raw);
  return before.text === "year" || !isJoined(pieces, end) || !isCounted;
}

/** "the twenty tens", "the two thousand tens" are decades, "I have twenty tens" is none. */
const isBeforeTens = (pieces: readonly Piece[], from: number, at: number) =>
  (at === from
    ? /^(?:.*teen|twenty)$/.test(pieces[at]?.text ?? "")
    : at === from + 1 && pieces[from]?.text === "two" && pieces[at]?.text === "thousand") &&
  /^(?:the|early|late|mid)$/.test(pieces[from - 1]?.text ?? "");

function goesOn(pieces: readonly Piece[], from: number, at: number): boolean {
  const [piece, next, second] = [pieces[at], pieces[at + 1], pieces[at + 2]];
  if (!piece || !next) return false;
  if (!isJoined(pieces, at)) return isCommaInside(pieces, from, at);
  if (isOrdinalWord(piece.text) || isDecade(piece.text) || isClockText(piece.text)) return false;
  if (next.text === "tens") return isBeforeTens(pieces, from, at);
  if (isNumberWord(next.text) || isOrdinalWord(next.text) || isDecade(next.text)) return true;
  if (!second || !isJoined(pieces, at + 1)) return false;
  const isBeforeNumber = isNumberWord(second.text);
  if (isOh(next.text)) return (isBeforeNumber || isOh(second.text)) && !isGroup(piece.text);
  if (isRepeat(next.text)) return isCardinalWord(second.text) || isOh(second.text);
  if (next.text === "point") return isBeforeNumber || isOh(second.text);
  return next.text === "and" && isGroup(piece.text) && (isBeforeNumber || isOrdinalWord(second.text));
}

/** Whether a run would begin behind a group word that is in no run, as "fifty" in "hundred fifty thousand": the number stays in words. */
function isBehindGroup(pieces: readonly Piece[], from: number): boolean {
  const hasAnd = pieces[from - 1]?.text === "and" && isJoined(pieces, from - 1);
  const before = from - (hasAnd ? 2 : 1);
  return isJoined(pieces, before) && isGroup(pieces[before]?.text);
}

/** The run that begins at a piece. */
function runAt(pieces: readonly Piece[], from: number): Run | undefined {
  const [piece, next] = [pieces[from] as Piece, pieces[from + 1]];
  const hasArticle = piece.text === "a" && isGroup(next?.text) && isJoined(pieces, from);
  const mayBegin =
    hasArticle ||
    isCardinalWord(piece.text) ||
    isDigits(piece.text) ||
    isClockText(piece.text) ||
    isOrdinalWord(piece.text) ||
    ((isOh(piece.text) || isRepeat(piece.text)) && isJoined(pieces, from) && isCardinalWord(next?.text ?? ""));
  if (!mayBegin || isBehindGroup(pieces, from)) return undefined;
  let to = from + 1;
  while (hasArticle && to === from + 1 ? to < pieces.length : goesOn(pieces, from, to - 1)) to++;
  const words = pieces.slice(from, to).map(({ text }) => text);
  return { from, to, words: hasArticle ? ["one", ...words.slice(1)] : words, ...(hasArticle ? { hasArticle } : {}) };
}

/** @param isFrozen  pieces that belong to something else */
export function runsOf(pieces: readonly Piece[], isFrozen: (at: number) => boolean): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < pieces.length; ) {
    const run = isFrozen(at) ? undefined : runAt(pieces, at);
    const end = run?.to ?? at + 1;
    const hasFrozen = pieces.slice(at, end).some((_, index) => isFrozen(at + index));
    if (run && !hasFrozen) runs.push(run);
    at = end;
  }
  return runs;
}

/** Where the run is two numbers: at a comma, or at an "and" ("between one hundred and two hundred"). */
function splitRun(run: Run, pieces: readonly Piece[]): Run[] {
  const comma = pieces.slice(run.from, run.to - 1).findIndex(({ mark }) => mark === ",");
  if (comma >= 0) {
    const second: Run = { from: run.from + comma + 1, to: run.to, words: run.words.slice(comma + 1) };
    return [{ ...run, to: second.from, words: run.words.slice(0, comma + 1) }, second];
  }
  const at = run.words.indexOf("and");
  if (at <= 0) return [];
  const second: Run = { from: run.from + at + 1, to: run.to, words: run.words.slice(at + 1) };
  return [{ ...run, to: run.from + at, words: run.words.slice(0, at) }, second];
}

/** As `splitRun` again and again, in one pass: a run may have thousands of words. */
function partsOf({ from, to, words }: Run, pieces: readonly Piece[]): Run[] {
  const parts: Run[] = [];
  let start = from;
  const close = (end: number, next: number) => {
    if (end > start) parts.push({ from: start, to: end, words: words.slice(start - from, end - from) });
    start = next;
  };
  for (let at = from; at < to; at++) {
    if (pieces[at]?.mark === ",") close(at + 1, at + 1);
    else if (words[at - from] === "and") close(at, at + 1);
  }
  close(to, to);
  return parts;
}

/** No number, time or date has more words. */
const MOST_NUMBER_WORDS = 100;

/**
 * Edits of a run, else of its parts.
 * @param read  edits of a run that is one number, time or date
 */
export function editsOfRun(whole: Run, pieces: readonly Piece[], read: (run: Run) => Edit[] | undefined): Edit[] {
  const found: Edit[] = [];
  const open = (whole.words.length > MOST_NUMBER_WORDS ? partsOf(whole, pieces) : [whole]).reverse();
  for (let run = open.pop(); run; run = open.pop()) {
    const edits = run.words.length > MOST_NUMBER_WORDS ? undefined : read(run);
    if (edits) found.push(...edits);
    else open.push(...splitRun(run, pieces).reverse());
  }
  return found;
}
