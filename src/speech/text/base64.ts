// Audio as text: base64 with its usual variants, and nothing else.
const NOT_BASE64 = /[^A-Za-z0-9+/_\s-]/;

/**
 * The text without padding. RFC 2045 breaks lines after 76 characters, and the last line may end with a line break, too.
 */
function withoutPadding(text: string): string {
  let end = text.length;
  for (let padding = 0; end > 0; end--) {
    const last = text.charCodeAt(end - 1);
    if (last === 0x3d && padding < 2) padding++;
    else if (last !== 0x20 && (last < 0x09 || last > 0x0d)) break;
  }
  return text.slice(0, end);
}

/** Longest text that may have line breaks and escapes. Decoding such a text takes four times as long. */
export const MOST_BROKEN_CHARACTERS = 8 * 1024 * 1024;
/** What text must be, in messages to clients. */
export const BASE64 = "base64 text; above 8 MiB, it must have no line breaks and no escapes";
/** A number of whole groups of four. */
const PIECE_CHARACTERS = 1024 * 1024;

/** @returns undefined if a piece has characters outside base64; later pieces are then not decoded */
function decodedInPieces(digits: string): Buffer | undefined {
  if (digits.length % 4 === 1) return undefined;
  const bytes = Buffer.allocUnsafe(Math.floor((digits.length * 3) / 4));
  let end = 0;
  for (let at = 0; at < digits.length; at += PIECE_CHARACTERS) {
    end += bytes.write(digits.slice(at, at + PIECE_CHARACTERS), end, "base64");
    if (end !== Math.floor((Math.min(at + PIECE_CHARACTERS, digits.length) * 3) / 4)) return undefined;
  }
  return bytes;
}

/** Bytes of a text in base64; undefined for another text. At most about 100 ms, for the greatest frame. */
export function decodeBase64(text: string): Buffer | undefined {
  const digits = withoutPadding(text);
  if (digits.length > MOST_BROKEN_CHARACTERS) return decodedInPieces(digits);
  const bytes = Buffer.from(digits, "base64");
  // Node.js skips characters outside base64. If the number of bytes fits the number of characters, it skipped none.
  const isWhole = digits.length % 4 !== 1 && bytes.length === Math.floor((digits.length * 3) / 4);
  return isWhole || !NOT_BASE64.test(digits) ? bytes : undefined;
}
