// Tokens → words. Between words there is a space, or, in scripts without spaces, what a dictionary takes for a word.
// A word is whole tokens, so that it can be handed back to the decoder.
import { isSpoken, isUnspaced, wordSegments } from "../../text/scripts.ts";
import type { Tokenizer } from "./tokenizer.ts";

export interface TokenGroup {
  text: string;
  /** It follows the word before it without a space. */
  isJoined: boolean;
  /** Index of the first token and one past the last. */
  from: number;
  to: number;
  /** The same without the tokens of marks at its edges, which have no sound. */
  soundFrom: number;
  soundTo: number;
}

const UNKNOWN_CHARACTER = "\uFFFD";
const OPENING_MARKS = /^[\p{Ps}\p{Pi}¿¡"'„‚-]+$/u;
const SPACE = 0x20;

export const textOf = (parts: readonly Uint8Array[]) => Buffer.concat(parts).toString("utf8");

/** Nothing but marks: part of a character is not one. */
export const isMark = (text: string) => !text.includes(UNKNOWN_CHARACTER) && !isSpoken(text);

/** Indexes of the tokens that begin a word where words are set apart by spaces. */
function spacedStarts(pieces: readonly Uint8Array[]): number[] {
  const starts: number[] = [];
  for (const [index, bytes] of pieces.entries()) {
    const text = Buffer.from(bytes).toString("utf8");
    const isWordStart = bytes[0] === SPACE && (!isMark(text) || OPENING_MARKS.test(text.trim()));
    if (starts.length === 0 || isWordStart) starts.push(index);
  }
  return starts;
}

/** The same by dictionary; a word that begins inside a token belongs to the word before it. */
function dictionaryStarts(pieces: readonly Uint8Array[], language: string): number[] {
  const tokenAt = new Map<number, number>();
  let length = 0;
  for (const [index, bytes] of pieces.entries()) {
    if (!tokenAt.has(length)) tokenAt.set(length, index);
    length += bytes.length;
  }
  const text = textOf(pieces);
  // Bytes that are no text have no places in it.
  if (text.includes(UNKNOWN_CHARACTER)) return spacedStarts(pieces);
  const starts: number[] = [];
  let at = 0;
  let isOpen = false;
  for (const { segment } of wordSegments(text, language)) {
    const trimmed = segment.trim();
    const isOpening = trimmed !== "" && OPENING_MARKS.test(trimmed);
    const begins = trimmed === "" || isOpening || isSpoken(segment);
    const token = tokenAt.get(at);
    if (begins && !isOpen && token !== undefined) starts.push(token);
    // What opens, and white space, belongs to the word behind it.
    if (begins) isOpen = trimmed === "" || isOpening ? isOpen || token !== undefined : false;
    at += Buffer.byteLength(segment);
  }
  if (starts[0] !== 0 && pieces.length > 0) starts.unshift(0);
  return starts;
}

/** @param language  ISO 639 code of the text */
export function groupWords(tokens: readonly number[], tokenizer: Tokenizer, language: string): TokenGroup[] {
  const pieces = tokens.map((token) => tokenizer.bytes(token));
  const starts = isUnspaced(language) ? dictionaryStarts(pieces, language) : spacedStarts(pieces);
  const groups = starts.map((from, index) => {
    const to = starts[index + 1] ?? tokens.length;
    const own = pieces.slice(from, to);
    const whole = textOf(own);
    const hasSound = own.map((bytes) => !isMark(Buffer.from(bytes).toString("utf8")));
    const first = Math.max(0, hasSound.indexOf(true));
    const last = Math.max(first, hasSound.lastIndexOf(true));
    return {
      text: whole.trim(),
      isJoined: isUnspaced(language) && !/^\s/u.test(whole),
      from,
      to,
      soundFrom: from + first,
      soundTo: from + last + 1,
    };
  });
  return groups.filter(({ text }) => text !== "");
}
