import fc from "fast-check";
import { expect, test } from "vitest";
import { beginningOf, storableText, storableValue, textFault } from "./storable.ts";

test("NUL and halves of surrogate pairs are named; whole pairs and other control characters are not", () => {
  expect(textFault("a\0b")).toMatch(/NUL/);
  expect(textFault("a\ud800b")).toMatch(/surrogate/);
  expect(textFault("\udc00")).toMatch(/surrogate/);
  expect(textFault("\udc00\ud800")).toMatch(/surrogate/);
  expect(textFault("🎙️ \u0001\u202e")).toBeUndefined();
});

test("cleaned text has no fault, and text without a fault stays as it is", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
      (text) => {
        expect(textFault(storableText(text))).toBeUndefined();
        expect(Buffer.from(storableText(text)).toString()).toBe(storableText(text));
        if (textFault(text) === undefined) expect(storableText(text)).toBe(text);
        expect(storableText(text)).toHaveLength(text.length);
      },
    ),
  );
});

test("a text is never cut inside of a surrogate pair", () => {
  expect(beginningOf("ab🎙c", 3)).toBe("ab");
  expect(beginningOf("ab🎙c", 4)).toBe("ab🎙");
  expect(beginningOf("ab", 4)).toBe("ab");
});

test("keys and values of JSON are cleaned at every depth", () => {
  expect(storableValue({ "a\0": [{ b: "\ud800" }, 1, null, true] })).toEqual({
    "a\ufffd": [{ b: "\ufffd" }, 1, null, true],
  });
});
