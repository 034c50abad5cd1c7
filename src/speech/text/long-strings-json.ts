// JSON of which most bytes are a few long strings, such as audio in base64. JSON.parse takes 9 s and 3 GB for 32 MB of brackets; here,
// only what is beside the long strings is parsed, and it is bounded. Work: one search for quotation marks, then JSON.parse of at most
// `mostBytes`.
import { MOST_BROKEN_CHARACTERS } from "./base64.ts";

/** Longer strings are left out before parsing. */
const LONG_BYTES = 1_024;
/** In all long strings together; base64 has none. */
const MOST_ESCAPED_MARKS = 1_000;

const MARK = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
/** White space of JSON (RFC 8259, 2). */
export const isJsonSpace = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

/** A long string of the text, with its quotation marks. */
export class LongString {
  constructor(private readonly literal: Buffer) {}

  /** @throws SyntaxError; RangeError for a text with escapes that is longer than base64 may be with line breaks */
  text(): string {
    const inner = this.literal.subarray(1, -1);
    // Without an escape, there is nothing to parse. Characters outside ASCII become others, which are not base64 either.
    if (!inner.includes(BACKSLASH)) return inner.toString("latin1");
    if (inner.length > MOST_BROKEN_CHARACTERS) throw new RangeError(`a text with escapes has ${inner.length} bytes`);
    return JSON.parse(this.literal.toString("utf8")) as string;
  }
}

export type ParsedJson =
  /** `strings` has the long strings by the placeholder that stands for each in `value`. */
  | { kind: "value"; value: unknown; strings: ReadonlyMap<unknown, LongString> }
  | { kind: "malformed" }
  /** More than `mostBytes` beside the long strings. */
  | { kind: "large" };

/** Finds the ends of the strings of a text. */
class Marks {
  private escaped = 0;

  constructor(private readonly bytes: Buffer) {}

  /** @returns position of the mark that ends the string; -1 if there is none, or too many escaped ones */
  endOf(start: number): number {
    for (let at = start + 1; this.escaped <= MOST_ESCAPED_MARKS; this.escaped++) {
      const end = this.bytes.indexOf(MARK, at);
      if (end < 0) return -1;
      let backslashes = 0;
      while (this.bytes[end - 1 - backslashes] === BACKSLASH) backslashes++;
      if (backslashes % 2 === 0) return end;
      at = end + 1;
    }
    return -1;
  }
}

function isName(bytes: Buffer, after: number): boolean {
  let at = after;
  while (isJsonSpace(bytes[at]) && at < after + LONG_BYTES) at++;
  return bytes[at] === COLON;
}

/** @param mostBytes  of the text without its long strings */
export function parseWithLongStrings(bytes: Buffer, mostBytes: number): ParsedJson {
  const strings = new Map<unknown, LongString>();
  const parts: Buffer[] = [];
  let kept = 0;
  const keep = (part: Buffer) => {
    parts.push(part);
    kept += part.length;
  };
  if (bytes.length <= mostBytes) keep(bytes);
  else {
    const marks = new Marks(bytes);
    for (let at = 0; at < bytes.length; ) {
      const start = bytes.indexOf(MARK, at);
      const end = start < 0 ? -1 : marks.endOf(start);
      const isLong = end - start > LONG_BYTES && !isName(bytes, end + 1);
      const next = end < 0 ? bytes.length : end + 1;
      keep(bytes.subarray(at, isLong ? start : next));
      if (isLong) {
        // A client can write such a text, too; it is not base64.
        const placeholder = `\0${strings.size}`;
        strings.set(placeholder, new LongString(bytes.subarray(start, next)));
        keep(Buffer.from(JSON.stringify(placeholder)));
      }
      if (kept > mostBytes) return { kind: "large" };
      at = next;
    }
  }
  try {
    return { kind: "value", value: JSON.parse(Buffer.concat(parts).toString("utf8")), strings };
  } catch {
    return { kind: "malformed" };
  }
}
