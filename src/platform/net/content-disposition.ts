// The header that makes an answer a download and names its file.

/** Signs that a name could be shown with as something else (changes of direction), that end a header or a path, or are none. */
const MISLEADING = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069/\\"<>]/gu;
/** What encodeURIComponent leaves and RFC 8187 does not allow. */
const UNENCODED = /['()*]/g;

/** @param filename  any text; the exact name follows in the extended form (RFC 6266) */
export function contentDisposition(filename: string): string {
  const name = filename.replace(MISLEADING, "");
  const plain = name.replace(/[^\w. -]/g, "_");
  const percent = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  const exact = encodeURIComponent(name).replace(UNENCODED, percent);
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}

const EXTENDED = /(?:^|;)\s*filename\*\s*=\s*([\w-]+)'[^']*'([^;\s]+)/i;
const QUOTED = /(?:^|;)\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i;
const BARE = /(?:^|;)\s*filename\s*=\s*([^;"\s][^;]*)/i;

/** Header values arrive byte for byte; hosts put UTF-8 into them in spite of RFC 9110. */
export function asUtf8(text: string): string {
  const bytes = Buffer.from(text, "latin1");
  const decoded = bytes.toString("utf8");
  return decoded.includes("\uFFFD") ? text : decoded;
}

function percentDecoded(text: string, charset: string): string | undefined {
  try {
    if (/^utf-?8$/i.test(charset)) return decodeURIComponent(text);
    return text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  } catch {
    return undefined;
  }
}

/**
 * @param header  content-disposition of an answer
 * @returns the file name that it states, the extended form before the plain one (RFC 6266); undefined if it states none
 */
export function dispositionFilename(header: string | undefined): string | undefined {
  if (!header) return undefined;
  const [, charset = "", encoded = ""] = EXTENDED.exec(header) ?? [];
  const extended = encoded === "" ? undefined : percentDecoded(encoded, charset);
  const quoted = QUOTED.exec(header)?.[1]?.replace(/\\(.)/g, "$1");
  const plain = quoted ?? BARE.exec(header)?.[1]?.trim();
  const name = extended ?? (plain === undefined ? undefined : asUtf8(plain));
  return name === undefined || name.trim() === "" ? undefined : name;
}
