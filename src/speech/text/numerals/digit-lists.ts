// Digits said one by one that are several numbers: the scores of sets, the rows of a team, what is counted. English.
import { LABEL, NUMBERED } from "./english-units.ts";
import { isJoined, type Piece } from "./pieces.ts";

const SCORED =
  /^(?:won|wins?|winning|lost|loses?|losing|beats?|beaten|defeated|defeats?|leads?|led|trails?|trailed|scores?|scored|sets|match)$/;
/** "beat the champion six two six four" */
const SCORE_PIECES = 4;
/** Behind digits, or before them, they say that these are one number. */
const NAMING = /^(?:code|number|area|bus|train|line|flight|ext|extension|digits|prefix|pin|zip)$/;
const NAMED_BEFORE =
  /^(?:agent|area|block|bug|build|building|digits?|ends?|ending|enter|entered|error|floor|form|house|issue|line|lot|model|no|okay|port|press|psalm|reads?|release|revision|row|says?|seat|status|studio|ticket|train|type|yeah|yes)$/;
const NAMING_PIECES = 3;
const LEAST_LONG_ROW = 5;
const PLAYERS = 10;
const MOST_ROWS = 5;
const TEAM = /^(?:formation|system|split|lead|win|record|defen[cs]e)$/;
/** "four one five bus": a singular noun. */
const SINGULAR = /(?:ss|us|is)$/;

/** "six two six four": each pair is the score of a set. */
function isSets(row: string): boolean {
  const pairs = row.match(/../g) ?? [];
  const isSet = (pair: string) => /^(?:6[0-4]|[0-4]6|7[56]|[56]7)$/.test(pair);
  return row.length > 2 && row.length % 2 === 0 && pairs.every(isSet);
}

/** "a four four two formation": the players of a team but for one. */
function isFormation(row: string, before: string, behind: string): boolean {
  const players = [...row].reduce((sum, digit) => sum + Number(digit), 0);
  return row.length <= MOST_ROWS && (TEAM.test(behind) || (players === PLAYERS && before === "a"));
}

/** Pieces of the phrase before a piece, in order. */
function phraseBefore(pieces: readonly Piece[], from: number, most: number): readonly Piece[] {
  let start = from;
  while (start > 0 && from - start < most && isJoined(pieces, start - 1)) start--;
  return pieces.slice(start, from);
}

/**
 * Whether the digits of pieces [from, to) are several numbers, if nothing else says that they are one.
 * @param row       the digits
 * @param isKnown   whether a telephone or card number has so many digits
 * @param isAlone   whether nothing else of the sentence stands before them
 * @param isListed  whether what follows is counted
 */
export function areSeveral(
  pieces: readonly Piece[],
  [from, to]: readonly [from: number, to: number],
  row: string,
  { isKnown, isAlone, isListed }: { isKnown: boolean; isAlone: boolean; isListed: boolean },
): boolean {
  const phrase = phraseBefore(pieces, from, SCORE_PIECES);
  const [before, behind] = [phrase.at(-1), isJoined(pieces, to - 1) ? (pieces[to]?.text ?? "") : ""];
  if (isKnown) return false;
  if (isSets(row) || isFormation(row, before?.text ?? "", behind)) return true;
  if (isListed && !SINGULAR.test(behind)) return true;
  if (phrase.some(({ text }) => SCORED.test(text))) return true;
  const hasZero = pieces.slice(from, to).some(({ text }) => /^(?:oh?|zero|0|double|triple)$/.test(text));
  if (hasZero || row.length >= LEAST_LONG_ROW || isAlone || row === "911") return false;
  const after = pieces.slice(to, to + NAMING_PIECES);
  const isNamed =
    after.some(({ text }) => NAMING.test(text)) ||
    phrase.some(({ text }) => [NAMED_BEFORE, LABEL, NUMBERED].some((names) => names.test(text)));
  return !isNamed && !/^(?:an?|the)$/.test(before?.text ?? "") && !/^\p{Lu}/u.test(before?.raw ?? "");
}
