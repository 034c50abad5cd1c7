import { expect, test } from "vitest";
import { withoutRepeatedDigits } from "./repeated-digits.ts";

const SAID_SECONDS = 0.4;

/** Words of equal length, from a time on. */
const said = (texts: readonly string[], from: number) =>
  texts.map((text, at) => ({
    ...{ text, confidence: 0.9, tokens: [] },
    ...{ startSeconds: from + at * SAID_SECONDS, endSeconds: from + (at + 1) * SAID_SECONDS },
  }));

/** @param laterSeconds  start of the found words after the end of those before; less than 0 if they overlap */
function left(before: string[], after: string[], language = "en", laterSeconds = 0.1): string[] {
  const known = said(before, 0);
  const found = said(after, before.length * SAID_SECONDS + laterSeconds);
  return withoutRepeatedDigits(known, found, language).map(({ text }) => text);
}

test("the last digits of the number before, in words or digits, are removed", () => {
  expect(left(["at", "555-123-4567."], ["Five,", "six,", "seven."])).toEqual([]);
  expect(left(["at", "555-123-4567."], ["4567"])).toEqual([]);
  expect(left(["five", "five", "five", "one", "two"], ["one", "two", "three"], "en", -0.2)).toEqual(["three"]);
  expect(left(["code", "7391."], ["9-1"])).toEqual([]);
  expect(left(["at", "555-123-4567."], ["Five,", "six."])).toEqual([]);
  expect(left(["at", "555-123-4567."], ["seven."])).toEqual([]);
  expect(left(["555", "123", "4567."], ["4567"])).toEqual([]);
  expect(left(["acht", "vier", "zwei."], ["Vier,", "zwei,", "danke."], "de", -0.2)).toEqual(["danke."]);
});

test("digits that continue the number stay", () => {
  expect(left(["at", "555-123"], ["123-4567."])).toEqual(["4567."]);
  expect(left(["at", "555-123"], ["4567."])).toEqual(["4567."]);
  expect(left(["nineteen"], ["fifty-five"])).toEqual(["fifty-five"]);
  expect(left(["at", "555-123"], ["five."])).toEqual(["five."]);
  expect(left(["at", "555-1234"], ["55."])).toEqual(["55."]);
});

test("digits that are said again stay", () => {
  expect(left(["nine", "one"], ["one."])).toEqual(["one."]);
  expect(left(["9", "1"], ["1."])).toEqual(["1."]);
  expect(left(["code", "44"], ["44", "12"])).toEqual(["44", "12"]);
  // The first number is over.
  expect(left(["555", "123", "4567."], ["4567"], "en", 3)).toEqual(["4567"]);
  expect(left(["555"], ["5"], "en", 1)).toEqual(["5"]);
  expect(left(["at", "555-123-4567."], ["4567"], "en", 7)).toEqual(["4567"]);
});

test("words other than numbers, and numbers after them, stay", () => {
  expect(left(["at", "4567,"], ["I", "said", "4567."])).toEqual(["I", "said", "4567."]);
  expect(left(["no"], ["no"])).toEqual(["no"]);
  expect(left([], ["12"])).toEqual(["12"]);
});
