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

test("a long text in a script without spaces takes a short time and little memory", () => {
  const words = searchableWords("我们今天讨论天气".repeat(30_000));
  expect(words.startsWith(" 我们 今天 讨论 天气 我们 今天 ")).toBe(true);
  expect(words.replaceAll(" ", "")).toHaveLength(240_000);
});

test("whatever the text, it has as many characters without accents", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const words = searchableWords(text);
      expect([...withoutAccents(words)]).toHaveLength([...words].length);
    }),
  );
});
