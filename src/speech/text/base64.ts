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

/** Bytes of a text in base64; undefined for another text. About 50 ms for the greatest frame, 250 ms if it has line breaks. */
export function decodeBase64(text: string): Buffer | undefined {
  const digits = withoutPadding(text);
  const bytes = Buffer.from(digits, "base64");
  // Node.js skips characters outside base64. If the number of bytes fits the number of characters, it skipped none.
  const isWhole = digits.length % 4 !== 1 && bytes.length === Math.floor((digits.length * 3) / 4);
  return isWhole || !NOT_BASE64.test(digits) ? bytes : undefined;
}
