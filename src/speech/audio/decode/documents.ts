// Recognises files that are not recordings by their first bytes: naming the kind of file is more helpful than a decoder
// error.
import { closeSync, openSync, readSync } from "node:fs";

const EXAMINED_BYTES = 1_024;

/** Compared in lower case after white space and a byte order mark; the first match applies. */
const BY_TEXT: readonly [begins: (text: string) => boolean, what: string][] = [
  [isWebPage, "a web page (HTML)"],
  [(text) => text.startsWith("#extm3u"), "a playlist (M3U), which only names recordings"],
  [(text) => text.startsWith("[playlist]"), "a playlist (PLS), which only names recordings"],
  [(text) => ["<?xml", "<error>", "<!doctype"].some((begin) => text.startsWith(begin)), "an XML document"],
  [(text) => /^[{[]\s*["{[\]}]/.test(text), "a JSON document"],
];

const PAGE_BEGINS = ["<!doctype html", "<html", "<head", "<body"];
/** May precede the first tag of a page. */
const PREFACES: readonly [open: string, close: string][] = [
  ["<!--", "-->"],
  ["<?xml", ">"],
];

/** Each character is passed once: comments and XML declarations, then the tag. */
function isWebPage(text: string): boolean {
  for (let at = 0; ; ) {
    const preface = PREFACES.find(([open]) => text.startsWith(open, at));
    if (!preface) {
      const begin = PAGE_BEGINS.find((one) => text.startsWith(one, at));
      return begin !== undefined && !/^\w/.test(text.slice(at + begin.length, at + begin.length + 1));
    }
    const [open, close] = preface;
    const end = text.indexOf(close, at + open.length);
    if (end < 0) return false;
    at = end + close.length;
    while (/^\s/.test(text.slice(at, at + 1))) at++;
  }
}

const BY_BYTES: readonly [begin: string, what: string][] = [
  ["%PDF-", "a PDF document"],
  ["PK\x03\x04", "a ZIP archive"],
  ["\x1f\x8b", "a gzip archive"],
  ["7z\xbc\xaf\x27\x1c", "a 7z archive"],
  ["Rar!\x1a\x07", "a RAR archive"],
  ["\x89PNG\r\n", "an image (PNG)"],
  ["GIF8", "an image (GIF)"],
  ...["\xdb", "\xe0", "\xe1", "\xe2", "\xee"].map((marker): [string, string] => [
    `\xff\xd8\xff${marker}`,
    "an image (JPEG)",
  ]),
];

/** Major brands of ISO media files with still images (ISO/IEC 23008-12, AV1 Image File Format). */
const IMAGE_BRANDS = new Set(["heic", "heix", "heim", "heis", "mif1", "avif"]);
const BRAND_AT = 8;

function imageOf(bytes: string): string | undefined {
  const kind = bytes.slice(BRAND_AT, BRAND_AT + 4);
  if (bytes.startsWith("RIFF") && kind === "WEBP") return "an image (WebP)";
  if (!bytes.startsWith("ftyp", 4) || !IMAGE_BRANDS.has(kind)) return undefined;
  // A recording may have the brand of an image, too; its second box is not that of an image.
  const size = Buffer.from(bytes.slice(0, 4), "latin1").readUInt32BE();
  return bytes.startsWith("meta", size + 4) ? "an image (HEIC or AVIF)" : undefined;
}

/** @returns the kind of file, as in "a web page (HTML)"; undefined for any other */
export function documentOf(begin: Buffer): string | undefined {
  const bytes = begin.toString("latin1");
  const known = BY_BYTES.find(([magic]) => bytes.startsWith(magic));
  if (known) return known[1];
  const image = imageOf(bytes);
  if (image !== undefined) return image;
  const isUtf16 = bytes.startsWith("\xff\xfe") || bytes.startsWith("\xfe\xff");
  const text = (isUtf16 ? bytes.slice(2).replaceAll("\0", "") : begin.toString("utf8"))
    .replace(/^[\uFEFF\s]+/, "")
    .toLowerCase();
  return BY_TEXT.find(([begins]) => begins(text))?.[1];
}

const TEXT_CONTROLS = new Set(["\t", "\n", "\r", "\f"]);
/** Of a character of UTF-8: the examined bytes may end within one. */
const MOST_CHARACTER_BYTES = 4;

/** Whether bytes are those of a text file. A recording can have such bytes, too, so this counts if they cannot be decoded. */
export function isTextFile(begin: Buffer): boolean {
  const text = begin.toString("utf8").slice(0, begin.length < EXAMINED_BYTES ? undefined : -MOST_CHARACTER_BYTES);
  for (const character of text) {
    if (character === "\uFFFD" || (character < " " && !TEXT_CONTROLS.has(character)) || character === "\x7f")
      return false;
  }
  return text.trim() !== "";
}

/** FFmpeg's probes may read this many bytes beyond their input (AVPROBE_PADDING_SIZE), and require zeros. */
const PADDING_BYTES = 32;

export function beginningOfFile(path: string, bytes = EXAMINED_BYTES): Buffer {
  const file = openSync(path, "r");
  try {
    const begin = Buffer.alloc(bytes + PADDING_BYTES);
    return begin.subarray(0, readSync(file, begin, 0, bytes, 0));
  } finally {
    closeSync(file);
  }
}
