// Numbers with spoken dashes between their digits: "order four four two dash one seven" is "order 442-17".
import { digitRow, isNumberWord, isOrdinalWord, isRepeat, wholeNumber } from "./english-numbers.ts";
import { type Edit, isJoined, type Piece } from "./pieces.ts";

const DASH = /^(?:dash|hyphen)$/;
/** No part has more words. The bound makes the search linear in the text. */
const MOST_PART_PIECES = 12;
const MOST_PARTS = 8;
/** Fewer digits may be a range, a score or two lists: "one dash two". */
const LEAST_DIGITS = 4;
const LEAST_OF_TENS = 100;

const isPartWord = (word: string) => isNumberWord(word) || isRepeat(word) || /^(?:oh?|\d+)$/.test(word);

/** Whether a number continues with the next word. */
const isContinued = (last: string, next: string) =>
  /^(?:point|something|ish|hundred|thousand|million|percent)$/.test(next) || (isOrdinalWord(next) && /ty$/.test(last));

/** Digits said one by one, or a number below a hundred. */
function partAt(pieces: readonly Piece[], from: number): { to: number; text: string } | undefined {
  let to = from;
  while (to - from < MOST_PART_PIECES && (to === from || isJoined(pieces, to - 1))) {
    if (!isPartWord(pieces[to]?.text ?? "")) break;
    to++;
  }
  const words = pieces.slice(from, to).map(({ text }) => text);
  const number = words.length === 0 ? undefined : wholeNumber(words);
  const text = digitRow(words) ?? (number !== undefined && number < LEAST_OF_TENS ? String(number) : undefined);
  return text === undefined ? undefined : { to, text };
}

/** The number with dashes that begins at a piece. */
export function dashedNumberAt(pieces: readonly Piece[], from: number): Edit | undefined {
  const before = isJoined(pieces, from - 1) ? (pieces[from - 1]?.text ?? "") : "";
  if (isPartWord(before) || DASH.test(before) || before === "point") return undefined;
  const first = partAt(pieces, from);
  if (!first) return undefined;
  const parts = [first.text];
  let { to } = first;
  while (parts.length < MOST_PARTS && DASH.test(pieces[to]?.text ?? "") && isJoined(pieces, to - 1)) {
    const part = isJoined(pieces, to) ? partAt(pieces, to + 1) : undefined;
    if (!part) return undefined;
    parts.push(part.text);
    to = part.to;
  }
  // "twenty dash thirty point five kilos", "December twenty dash twenty first", "ages twenty dash thirty something".
  if (isJoined(pieces, to - 1) && isContinued(pieces[to - 1]?.text ?? "", pieces[to]?.text ?? "")) return undefined;
  return parts.length > 1 && parts.join("").length >= LEAST_DIGITS ? { from, to, text: parts.join("-") } : undefined;
}
