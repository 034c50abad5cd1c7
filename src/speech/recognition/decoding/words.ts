// Groups tokens into words, separated by spaces or, in scripts without spaces, by a dictionary. A word consists of
// whole tokens, so that it can be passed back to the decoder as a prefix.

import { wordSegments } from "../../../platform/text/word-segments.ts";
import { isSpoken, isUnspaced } from "../../text/scripts.ts";
import type { Tokenizer } from "./tokenizer.ts";

export interface TokenGroup {
  text: string;
  /** It follows the previous word without a space. */
  isJoined: boolean;
  /** Index of the first token and one past the last. */
  from: number;
  to: number;
  /** The same without punctuation tokens at its edges, which have no sound. */
  soundFrom: number;
  soundTo: number;
}

const UNKNOWN_CHARACTER = "\uFFFD";
const OPENING_MARKS = /^[\p{Ps}\p{Pi}¿¡"'„‚-]+$/u;

export const textOf = (parts: readonly Uint8Array[]) => Buffer.concat(parts).toString("utf8");

/** Only punctuation; an incomplete character does not count. */
export const isMark = (text: string) => !text.includes(UNKNOWN_CHARACTER) && !isSpoken(text);

/** Whether two texts of tokens are the same but for upper and lower case. Incomplete characters are never the same. */
export const differInCase = (one: string, other: string): boolean =>
  one !== other && one.toLowerCase() === other.toLowerCase() && !one.includes(UNKNOWN_CHARACTER);

const isSpaceByte = (byte: number | undefined) => byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);

/**
 * Byte ranges between white space, each with its leading white space. Bytes, because text may end within a character.
 */
function spacedChunks(bytes: Buffer): { start: number; text: string }[] {
  const chunks: { start: number; text: string }[] = [];
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    while (isSpaceByte(bytes[at])) at++;
    const wordStart = at;
    while (at < bytes.length && !isSpaceByte(bytes[at])) at++;
    if (at > wordStart) chunks.push({ start, text: bytes.toString("utf8", wordStart, at) });
  }
  return chunks;
}

/**
 * Indexes of the tokens that start a word in scripts with spaces between words. The space may be a token of its own
 * (Llama's tokenizer before digits, Whisper's before most Indic scripts) or part of the word's first token.
 */
function spacedStarts(pieces: readonly Uint8Array[]): number[] {
  const tokenAt = new Map<number, number>();
  let length = 0;
  for (const [index, bytes] of pieces.entries()) {
    if (bytes.length > 0) tokenAt.set(length, index);
    length += bytes.length;
  }
  const bytes = Buffer.concat(pieces);
  /** The first token of a chunk; undefined if the previous token contains its beginning. */
  const tokenFrom = (start: number): number | undefined => {
    for (let at = start; at <= length; at++) {
      const token = tokenAt.get(at);
      if (token !== undefined) return token;
      if (!isSpaceByte(bytes[at])) return undefined;
    }
    return undefined;
  };
  const starts: number[] = [];
  let isOpen = false;
  for (const [index, { start, text }] of spacedChunks(bytes).entries()) {
    const token = tokenFrom(start);
    const isOnlyMarks = isMark(text);
    // A dash between words belongs to the previous word, the dash of a new speaker to the next one.
    const isOpening = isOnlyMarks && OPENING_MARKS.test(text) && (index === 0 || text !== "-");
    const beginsWord = !isOnlyMarks || isOpening;
    if (beginsWord && !isOpen && token !== undefined) starts.push(token);
    isOpen = isOpening;
  }
  if (starts[0] !== 0 && pieces.length > 0) starts.unshift(0);
  return starts;
}

/** The same by dictionary; a word that starts inside a token belongs to the previous word. */
function dictionaryStarts(pieces: readonly Uint8Array[], language: string): number[] {
  const tokenAt = new Map<number, number>();
  let length = 0;
  for (const [index, bytes] of pieces.entries()) {
    if (!tokenAt.has(length)) tokenAt.set(length, index);
    length += bytes.length;
  }
  const text = textOf(pieces);
  // Positions are undefined in invalid text.
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
    // Opening punctuation and white space belong to the next word.
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

/** Where the prefix contains the beginning of a word, the rest is a separate word if it has a digit or this many letters ("'s" has one). */
const DIVIDED_REST = /\p{Nd}|\p{L}\P{L}*\p{L}/u;

/**
 * The words after a prefix. The decoder may continue the last word of the prefix ("555-123" with "-4567"): the rest is then
 * a word that is joined to it.
 * @param prefixLength  number of leading tokens that are known
 */
export function groupsAfter(
  tokens: readonly number[],
  prefixLength: number,
  tokenizer: Tokenizer,
  language: string,
): TokenGroup[] {
  const groups = groupWords(tokens, tokenizer, language);
  const later = groups.filter(({ from }) => from >= prefixLength);
  const divided = groups.find(({ from, to }) => from < prefixLength && to > prefixLength);
  if (!divided) return later;
  const rest = groupWords(tokens.slice(prefixLength, divided.to), tokenizer, language)
    .filter(({ text }) => DIVIDED_REST.test(text))
    .map((group, at) => ({
      text: group.text,
      isJoined: at === 0 || group.isJoined,
      from: group.from + prefixLength,
      to: group.to + prefixLength,
      soundFrom: group.soundFrom + prefixLength,
      soundTo: group.soundTo + prefixLength,
    }));
  return [...rest, ...later];
}
