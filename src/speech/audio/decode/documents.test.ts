import { expect, test } from "vitest";
import { documentOf, isTextFile } from "./documents.ts";

test.each([
  ["<!DOCTYPE html><html>", /web page/],
  ["\uFEFF\n <html lang='en'>", /web page/],
  ["<!-- a --><!-- b > -->\n<?xml version='1.0'?>\n<!doctype HTML>", /web page/],
  ["<!----><body>", /web page/],
  ["<?xml version='1.0'?><Error>", /XML/],
  ["<!doctype svg>", /XML/],
  ["#EXTM3U\n", /M3U/],
  ["[playlist]\n", /PLS/],
  ['{"error": 1}', /JSON/],
  ["%PDF-1.7", /PDF/],
])("%j is %s", (begin, kind) => {
  for (const encoding of ["utf8", "utf16le"] as const) {
    // Bytes of an archive are no text, and a text has one byte order mark.
    if (encoding === "utf16le" && /^[%\uFEFF]/.test(begin)) continue;
    const mark = encoding === "utf16le" ? Buffer.from("fffe", "hex") : Buffer.alloc(0);
    expect(documentOf(Buffer.concat([mark, Buffer.from(begin, encoding)]))).toMatch(kind);
  }
});

test.each(["<header>", "<!-- <html>", "<!----><x>", "RIFF", "", "[x"])("%j is no document", (begin) => {
  expect(documentOf(Buffer.from(begin))).toBeUndefined();
});

test.each([
  "v=0\no=- 0 0 IN IP4 127.0.0.1\n",
  "1\r\n00:00:01,000 --> 00:00:02,000\r\nÄpfel\r\n",
  "ü".repeat(512),
  "語".repeat(342),
])("%j is text", (begin) => expect(isTextFile(Buffer.from(begin).subarray(0, 1_024))).toBe(true));

test.each(["", " \n", "text\0", "text\x1b[2J", "RIFF\xff"])("the bytes %j are no text", (begin) => {
  expect(isTextFile(Buffer.from(begin, "latin1"))).toBe(false);
});

test.each([
  ["89504e470d0a1a0a0000000d", /PNG/],
  ["474946383961", /GIF/],
  ["ffd8ffe000104a464946", /JPEG/],
  ["0000001066747970686569630000000000000100" + "6d657461", /HEIC/],
  ["00000010667479706d6966310000000000000100" + "6d657461", /HEIC/],
  ["524946462400000057454250", /WebP/],
])("the bytes %s are an image", (bytes, kind) => {
  expect(documentOf(Buffer.from(bytes, "hex"))).toMatch(kind);
});

test.each([
  "0000001c6674797069736f6d",
  "00000010667479706d69663100000000000001006d6f6f76",
  "524946462400000057415645",
  "ffd8ff010203",
])("the bytes %s are none", (bytes) => {
  expect(documentOf(Buffer.from(bytes, "hex"))).toBeUndefined();
});

// A regular expression needed more than 40 s for 140 comments.
test.each([
  ["comments", `${"<!---->".repeat(100_000)}<x>`],
  ["declarations", `${"<?xml?>".repeat(100_000)}<x>`],
  ["comments that do not end", "<!--".repeat(100_000)],
  ["spaces behind a bracket", `[${" ".repeat(700_000)}x`],
])("%s without a page behind them are passed once", (_, begin) => {
  expect(documentOf(Buffer.from(begin))?.includes("HTML")).not.toBe(true);
});
