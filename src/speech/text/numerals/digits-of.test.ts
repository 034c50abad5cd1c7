import { expect, test } from "vitest";
import { digitsOf } from "./digits-of.ts";

test.each([
  ["555-123", "en", "555123"],
  ["-4567.", "en", "4567"],
  ["2,600.", "en", "2600"],
  ["Five,", "en", "5"],
  ["oh", "en", "0"],
  ["fifty-five.", "en", "55"],
  ["vierzehn", "de", "14"],
  ["cinq,", "fr", "5"],
])("%s in %s stands for %s", (word, language, digits) => {
  expect(digitsOf(word, language)).toBe(digits);
});

test.each(["units", "A4", "MP3", "fork", "", "-"])("%s is no number", (word) => {
  expect(digitsOf(word, "en")).toBeUndefined();
});
