// Text of others on the terminal: control characters are printed as escapes, by every way of writing.
import { describe, expect, test } from "vitest";
import { guardTerminal, printable, writeContent, writeControl } from "./terminal-text.ts";

class Stream {
  readonly written: unknown[] = [];
  constructor(readonly isTTY: boolean) {}
  write(chunk: unknown): boolean {
    this.written.push(chunk);
    return true;
  }
}

const guarded = (isTTY: boolean) => {
  const stream = new Stream(isTTY);
  guardTerminal(stream as never);
  return stream;
};

test.each([
  ["colour", "a\u001b[31mb", "a\\u001b[31mb"],
  ["title of the window", "\u001b]0;x\u0007", "\\u001b]0;x\\u0007"],
  ["8-bit control sequence", "\u009b2J", "\\u009b2J"],
  ["delete, backspace", "a\u007f\b", "a\\u007f\\u0008"],
  ["line that replaces another one", "key\rother", "key\\u000dother"],
  ["other direction", "a\u202ecba", "a\\u202ecba"],
])("%s", (_name, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("lines, tabs and letters stay, and JSON keeps its meaning", () => {
  const text = "a\tb\r\nÄ שלום 日本 🎧\n";
  expect(printable(text)).toBe(text);
  const name = "x\u001b\u009b\u007f";
  expect(JSON.parse(printable(JSON.stringify({ name })))).toEqual({ name });
});

describe("bytes for a terminal", () => {
  const text = "Ä\u001b שלום\r\n日本\u009b 🎧\r\n";

  test("read as one text, wherever they are divided", () => {
    const bytes = Buffer.from(text);
    for (let length = 1; length <= bytes.length; length++) {
      const stream = guarded(true);
      for (let at = 0; at < bytes.length; at += length) stream.write(bytes.subarray(at, at + length));
      expect(stream.written.join("")).toBe(printable(text));
    }
  });

  test("that end inside a character are shown before the next text, and when the process ends", () => {
    const stream = new Stream(true);
    const flush = guardTerminal(stream as never);
    stream.write(Buffer.from("a日").subarray(0, 2));
    stream.write("b\n");
    stream.write(Buffer.from("c\r"));
    flush();
    flush();
    expect(stream.written.join("")).toBe("a\ufffdb\nc\\u000d");
  });
});

test("a guarded stream writes text printable, and bytes only for a terminal", () => {
  for (const isTTY of [false, true]) {
    const stream = guarded(isTTY);
    const bytes = Buffer.from("\u001b[2J");
    stream.write("\u001bc");
    stream.write(bytes);
    writeContent(stream as never, "\u202bשלום\u202c\n");
    writeControl(stream as never, "\r\u001b[K");
    const content = isTTY ? "\\u202bשלום\\u202c\n" : Buffer.from("\u202bשלום\u202c\n");
    expect(stream.written).toEqual(["\\u001bc", isTTY ? "\\u001b[2J" : bytes, content, "\r\u001b[K"]);
  }
});
