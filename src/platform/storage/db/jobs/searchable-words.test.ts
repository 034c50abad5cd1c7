import fc from "fast-check";
import { expect, test } from "vitest";
import { searchableWords, withoutAccents } from "./searchable-words.ts";

test.each([
  ["café", "cafe"],
  ["cafe\u0301", "cafe"],
  ["Ångström", "Angstrom"],
  ["ελληνικά", "ελληνικα"],
  ["ёлка", "елка"],
  ["İstanbul Işık ışık", "Istanbul Isik isik"],
  ["हिन्दी", "हिन्दी"],
])("%s is looked for as %s", (text, plain) => {
  expect(withoutAccents(searchableWords(text))).toBe(plain);
});

test("whatever the text, it has as many characters without accents", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const words = searchableWords(text);
      expect([...withoutAccents(words)]).toHaveLength([...words].length);
    }),
  );
});
