import { expect, test } from "vitest";
import { withoutRepeatedDigits } from "./repeated-digits.ts";

const found = (...texts: string[]) =>
  texts.map((text, at) => ({ text, startSeconds: at, endSeconds: at + 1, confidence: 0.9, tokens: [] }));

function left(before: string[], after: string[], language = "en"): string[] {
  const known = before.map((text) => ({ text }));
  return withoutRepeatedDigits(known, found(...after), language).map(({ text }) => text);
}

test("the last digits of the number before, in words or digits, are removed", () => {
  expect(left(["at", "555-123-4567."], ["Five,", "six,", "seven."])).toEqual([]);
  expect(left(["at", "555-123-4567."], ["4567"])).toEqual([]);
  expect(left(["five", "five", "five", "one", "two"], ["one", "two", "three"])).toEqual(["three"]);
  expect(left(["code", "7391."], ["9-1"])).toEqual([]);
  expect(left(["at", "555-123-4567."], ["Five,", "six."])).toEqual([]);
  expect(left(["at", "555-123-4567."], ["seven."])).toEqual([]);
  expect(left(["acht", "vier", "zwei."], ["Vier,", "zwei,", "danke."], "de")).toEqual(["danke."]);
});

test("digits that continue the number stay", () => {
  expect(left(["at", "555-123"], ["123-4567."])).toEqual(["4567."]);
  expect(left(["at", "555-123"], ["4567."])).toEqual(["4567."]);
  expect(left(["nineteen"], ["fifty-five"])).toEqual(["fifty-five"]);
  expect(left(["at", "555-123"], ["five."])).toEqual(["five."]);
  expect(left(["at", "555-1234"], ["55."])).toEqual(["55."]);
});

test("words other than numbers, and numbers after them, stay", () => {
  expect(left(["at", "4567,"], ["I", "said", "4567."])).toEqual(["I", "said", "4567."]);
  expect(left(["no"], ["no"])).toEqual(["no"]);
  expect(left([], ["12"])).toEqual(["12"]);
});
