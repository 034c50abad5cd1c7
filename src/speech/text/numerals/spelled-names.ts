// Writes names that are spelled letter by letter as one word: "F B I", "my name is S, M, I, T, H". English.
import type { Edit, Piece } from "./pieces.ts";

const LEAST_LETTERS = 3;
/** Pieces before and behind letters that say whether they are spelled. */
const CUE_PIECES = 6;
/** Words that say that a name or a code is spelled. */
const SPELLING =
  /^(?:name|names|surname|username|nickname|spell|spells|spelled|spelt|spelling|letter|letters|code|postcode|plate|registration|password|acronym|abbreviation|called|domain)$/;
/** "my last is", "as in". */
const SPELLING_PHRASE = / (?:(?:first|middle|last) is|as in) /;
/** What has letters as names: "vitamins A, D, E". */
const LISTED =
  /^(?:vitamins?|grades?|marks|answers?|options?|choices|types?|teams?|groups?|columns?|rows?|sections?|blocks?|plans|points|classes|categories|variants|questions|tests|parts|figures|notes|keys|buildings|zones|gates|halls)$/;
/** Grades, answers and options are the first letters of the alphabet. */
const FIRST_LETTERS = /^[a-f]$/;

const isLetter = (piece: Piece | undefined) => piece !== undefined && /^\p{L}$/u.test(piece.text);
const isInitial = (piece: Piece | undefined) => piece?.mark.startsWith(".") === true;
const endsSentence = (piece: Piece | undefined) => !piece || /[.!?;:]/.test(piece.mark);

interface Letters {
  to: number;
  hasCommas: boolean;
}

/** Letters from a piece on. One with a full stop is an initial, unless it closes letters without one. */
function lettersFrom(pieces: readonly Piece[], from: number, isFrozen: (at: number) => boolean): Letters {
  let [to, hasCommas] = [from, false];
  while (isLetter(pieces[to]) && !isFrozen(to)) {
    const piece = pieces[to] as Piece;
    // "J. R. R." and "A D. H."
    if (isInitial(piece) && (to === from || (isLetter(pieces[to + 1]) && isInitial(pieces[to + 1])))) break;
    to++;
    if (piece.mark === "," && isLetter(pieces[to])) hasCommas = true;
    else if (piece.mark !== "") break;
    if (pieces[to]?.isOpened) break;
  }
  return { to, hasCommas };
}

/** Without words that say that they are spelled, fewer letters between commas are a list. */
const LEAST_LETTERS_ALONE = 4;

/** Whether letters between commas are spelled, and no list of letters. */
function isSpelled(pieces: readonly Piece[], from: number, to: number): boolean {
  const before = pieces.slice(Math.max(0, from - CUE_PIECES), from).map(({ text }) => text);
  const after = pieces.slice(to, to + CUE_PIECES).map(({ text }) => text);
  const letters = pieces.slice(from, to).map(({ text }) => text);
  // "Smith, that's S, M, I, T, H"
  const word = letters.join("");
  if (before.includes(word) || after.includes(word)) return true;
  if (before.some((one) => LISTED.test(one))) return false;
  if (before.some((one) => SPELLING.test(one)) || SPELLING_PHRASE.test(` ${before.join(" ")} `)) return true;
  const isWholeSentence = endsSentence(pieces[from - 1]) && (to === pieces.length || endsSentence(pieces[to - 1]));
  return (
    isWholeSentence && letters.length >= LEAST_LETTERS_ALONE && !letters.every((letter) => FIRST_LETTERS.test(letter))
  );
}

/** @returns edits of names; initials ("J. R. R."), the alphabet and lists of letters stay */
export function spelledIn(pieces: readonly Piece[], isFrozen: (at: number) => boolean): Edit[] {
  const edits: Edit[] = [];
  for (let at = 0; at < pieces.length; ) {
    const { to, hasCommas } = lettersFrom(pieces, at, isFrozen);
    const letters = pieces.slice(at, to).map(({ text }) => text);
    const isAlphabet = letters.every(
      (letter, index) => index === 0 || letter.charCodeAt(0) - (letters[index - 1] as string).charCodeAt(0) === 1,
    );
    const isStutter = new Set(letters).size === 1 && letters[0] !== "w";
    const hasWordsOnly = letters.every((letter) => /^[aio]$/.test(letter));
    const isListed = hasCommas ? isAlphabet || !isSpelled(pieces, at, to) : LISTED.test(pieces[at - 1]?.text ?? "");
    if (letters.length >= LEAST_LETTERS && !isListed && !isStutter && !hasWordsOnly) {
      edits.push({ from: at, to, text: letters.join("").toUpperCase() });
    }
    at = Math.max(to, at + 1);
  }
  return edits;
}
