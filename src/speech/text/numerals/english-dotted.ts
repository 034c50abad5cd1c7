// Numbers with dots between them: addresses of machines and versions ("one nine two dot one six eight dot one dot one", "version two dot one").
import { digitRow, isNumberWord, isRepeat, pairOf, twoDigits, wholeNumber } from "./english-numbers.ts";
import { type Edit, isJoined, type Piece } from "./pieces.ts";

/** No part has more words: "two hundred and fifty five". The bound makes the search linear in the text. */
const MOST_PART_PIECES = 6;
const MOST_PARTS = 6;
const MOST_PART = 999;
/** Parts of an address of a machine. */
const ADDRESS_PARTS = 4;
/** What has a version. */
const VERSIONED = /^(?:version|versions|release|build|firmware|revision|rev|v)$/;

const isPartWord = (word: string) => isNumberWord(word) || isRepeat(word) || /^oh?$/.test(word);

/** A number below a thousand, said as one, in pairs or by its digits. */
function partAt(pieces: readonly Piece[], from: number): { to: number; text: string } | undefined {
  let to = from;
  const isAnd = (at: number) => pieces[at]?.text === "and" && pieces[at - 1]?.text === "hundred";
  while (to - from < MOST_PART_PIECES && (to === from || isJoined(pieces, to - 1))) {
    if (!isPartWord(pieces[to]?.text ?? "") && !isAnd(to)) break;
    to++;
  }
  if (to === from) return undefined;
  const words = pieces.slice(from, to).map(({ text }) => text);
  const [first = 0, second = 0] = pairOf(words) ?? [];
  const row = words.length > 1 || /^\d+$|^oh?$/.test(words[0] ?? "") ? digitRow(words) : undefined;
  const pair = first > 0 && first < 10 ? `${first}${twoDigits(second)}` : undefined;
  const text = row ?? pair ?? String(wholeNumber(words) ?? "");
  return text !== "" && Number(text) <= MOST_PART && text.length < 4 ? { to, text } : undefined;
}

/** The dotted number that begins at a piece. */
export function dottedNumberAt(pieces: readonly Piece[], from: number): Edit | undefined {
  const before = isJoined(pieces, from - 1) ? (pieces[from - 1]?.text ?? "") : "";
  if (isPartWord(before) || /^(?:dot|point|and)$/.test(before)) return undefined;
  const first = partAt(pieces, from);
  if (!first) return undefined;
  const parts = [first.text];
  let { to } = first;
  const dot = isJoined(pieces, to - 1) ? (pieces[to]?.text ?? "") : "";
  const isDot = (at: number) => pieces[at]?.text === dot && isJoined(pieces, at - 1) && isJoined(pieces, at);
  if (dot !== "dot" && dot !== "point") return undefined;
  while (parts.length < MOST_PARTS && isDot(to)) {
    const part = partAt(pieces, to + 1);
    if (!part) break;
    parts.push(part.text);
    to = part.to;
  }
  // "one dot two dot com" is the name of a site.
  if (isDot(to) || parts.length < 2) return undefined;
  // "Points one point two, two point three" are decimals, and a list says "point" as well.
  const isLarge = parts.some((part) => part.length === 3);
  const isLong = dot === "dot" ? parts.length > 2 : parts.length === ADDRESS_PARTS && isLarge;
  const isVersion = VERSIONED.test(before) && (dot === "dot" || parts.length > 2);
  return isLong || isVersion ? { from, to, text: parts.join(".") } : undefined;
}
