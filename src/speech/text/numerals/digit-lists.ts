// Digits said one by one that are several numbers: the scores of sets, the rows of a team, what is counted. English. All others are one.
import { Reading } from "./english-reading.ts";
import { CURRENCIES, isMeasure, LABEL, NOT_A_NOUN, NUMBERED, STREET } from "./english-units.ts";
import { isJoined, type Piece } from "./pieces.ts";

const SCORED =
  /^(?:won|wins?|winning|lost|loses?|losing|beats?|beaten|defeated|defeats?|leads?|led|trails?|trailed|scores?|scored|sets|match)$/;
/** "beat the champion six two six four" */
const PHRASE_PIECES = 4;
/** Behind digits, or before them, they say that these are one number. */
const NAMING = /^(?:code|number|phone|area|bus|train|line|flight|ext|extension|digits|prefix|pin|zip)$/;
const NAMED_BEFORE =
  /^(?:agent|area|block|bug|build|building|credit|digits?|ends?|ending|enter|entered|error|floor|form|house|issue|line|lot|model|number|okay|phone|port|press|release|revision|row|seat|status|studio|ticket|train|type)$/;
const NAMING_PIECES = 3;

/** "set at six four six two", "I lost my six four six two card" */
const BEFORE_ONE = /^(?:an?|at|on|to|the|this|that|my|your|his|her|its|our|their)$/;

const LEAST_SETS = 2;
const LEAST_SETS_ALONE = 3;

const MOST_ROWS = 5;
const PLAYERS = 10;
const MOST_OF_TEAM = 11;
const TEAM = /^(?:formation|system|split|defen[cs]e)$/;
const LINED_UP = /^(?:play(?:s|ed|ing)?|line[ds]?|lining|set|shape|field(?:s|ed)?|switch(?:ed|es)?|us(?:es?|ed|ing))$/;

const COUNTING =
  /^(?:have|has|had|takes?|took|taken|serves?|served|saw|sees?|needs?|needed|makes?|made|orders?|ordered|buys?|bought|sells?|sold|counts?|counted|ate)$/;
/** As in "three five five cans", so many digits are one number before all but people. */
const MOST_OF_ONE = 3;
/** "seven four seven jets" are of one type. */
const OF_TYPE =
  /^(?:areas?|bus(?:es)?|calls|codes|digits|errors|flights|forms|jets|numbers|phones|planes|trains|times)$/;
/** "four one five bus": a singular noun. */
const SINGULAR = /(?:ss|us|is)$/;

/** The sets of "six two six four": each pair is the score of one. */
function setsIn(row: string): number {
  const pairs = row.match(/../g) ?? [];
  const isSet = (pair: string) => /^(?:6[0-4]|[0-4]6|7[56]|[56]7)$/.test(pair);
  return row.length % 2 === 0 && pairs.every(isSet) ? pairs.length : 0;
}

/** "a four four two formation": the players of a team but for one. */
function isFormation(row: string, phrase: readonly Piece[], behind: string): boolean {
  const players = [...row].reduce((sum, digit) => sum + Number(digit), 0);
  const before = phrase.at(-1)?.text ?? "";
  if (row.length > MOST_ROWS || players > MOST_OF_TEAM) return false;
  if (TEAM.test(behind)) return /^(?:a|an|the|our|their|his|her|this)$/.test(before);
  const isLast = behind === "" || NOT_A_NOUN.test(behind);
  return players === PLAYERS && before === "a" && isLast && phrase.some(({ text }) => LINED_UP.test(text));
}

/** Pieces of the phrase before a piece, in order. */
function phraseBefore(pieces: readonly Piece[], from: number, most: number): readonly Piece[] {
  let start = from;
  while (start > 0 && from - start < most && isJoined(pieces, start - 1)) start--;
  return pieces.slice(start, from);
}

/** Whether words around pieces [from, to) say that these are one number. */
function isOneNumber(pieces: readonly Piece[], to: number, phrase: readonly Piece[]): boolean {
  const reading = new Reading(pieces, []);
  if (isMeasure(reading, to) || CURRENCIES.has(reading.next(to))) return true;
  if (pieces.slice(to, to + NAMING_PIECES).some(({ text }) => NAMING.test(text) || STREET.test(text))) return true;
  return phrase.some(({ text }) => [NAMED_BEFORE, LABEL, NUMBERED].some((names) => names.test(text)));
}

/**
 * Whether the digits of pieces [from, to) are several numbers.
 * @param row       the digits
 * @param isListed  whether what follows is counted
 */
export function areSeveral(
  pieces: readonly Piece[],
  [from, to]: readonly [from: number, to: number],
  row: string,
  isListed: boolean,
): boolean {
  const phrase = phraseBefore(pieces, from, PHRASE_PIECES);
  const behind = isJoined(pieces, to - 1) ? (pieces[to]?.text ?? "") : "";
  if (isFormation(row, phrase, behind)) return true;
  if (isOneNumber(pieces, to, phrase)) return false;
  const sets = setsIn(row);
  const before = phrase.at(-1)?.text ?? "";
  if (sets >= LEAST_SETS && !BEFORE_ONE.test(before) && phrase.some(({ text }) => SCORED.test(text))) return true;
  const isWhole = (from === 0 || /[.!?]/.test(pieces[from - 1]?.mark ?? "")) && behind === "";
  if (sets >= LEAST_SETS_ALONE && isWhole) return true;
  // "He took one two three five steps", not "We get four zero four errors".
  const hasZero = row.includes("0");
  return (
    isListed &&
    !hasZero &&
    (row.length > MOST_OF_ONE || behind === "people") &&
    COUNTING.test(before) &&
    !/^(?:and|or)$/.test(behind) &&
    !OF_TYPE.test(behind) &&
    !SINGULAR.test(behind)
  );
}
