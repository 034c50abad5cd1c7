import { expect, test } from "vitest";
import { fitted } from "../src/transcript/fitted-text.ts";
import { replacedWords } from "../src/transcript/word-difference.ts";

const difference = (old: string, now: string) => replacedWords(old.split(" "), now.split(" ").filter(Boolean));

test.each([
  ["a b c", "a b c", []],
  [
    "a b c d",
    "a x c y",
    [
      { from: 1, until: 2, words: ["x"] },
      { from: 3, until: 4, words: ["y"] },
    ],
  ],
  ["a b c", "", [{ from: 0, until: 3, words: [] }]],
  ["a b c", "a c", [{ from: 1, until: 2, words: [] }]],
  // An inserted word comes with a neighbour.
  ["a b", "a x b", [{ from: 0, until: 1, words: ["a", "x"] }]],
  ["a b", "x y a b", [{ from: 0, until: 1, words: ["x", "y", "a"] }]],
])("%s → %s", (old, now, expected) => {
  expect(difference(old, now)).toEqual(expected);
});

test.each(["a b c b a", "x x x", "b", "c a b d e f", "a"])("the replaced words of a b c a give %s", (now) => {
  const words = "a b c a".split(" ");
  for (const { from, until, words: own } of replacedWords(words, now.split(" ")).toReversed())
    words.splice(from, until - from, ...own);
  expect(words.join(" ")).toBe(now);
});

test.each([
  ["mocha", "mocker.", false, "mocha."],
  ["mocha", "Mocker,", true, "Mocha,"],
  ["mocha", "Mocker", false, "mocha"],
  ["Vercel?", "versal", false, "Vercel"],
  ["U.S.", "us", false, "U.S."],
  ["मेरी", "मेरा", false, "मेरी"],
  ["मेरी", "मेरा।", false, "मेरी।"],
  ["", "well,", true, ""],
])("%s in the place of %s", (text, word, isFirst, expected) => {
  expect(fitted(text, word, isFirst)).toBe(expected);
});
