import { expect, test } from "vitest";
import { commonLanguage, type LanguageEvidence, languagePath } from "./language-path.ts";

const heard = (language: string, probability: number, seconds: number, other = "es"): LanguageEvidence => ({
  seconds,
  probabilities: [
    [language, probability],
    [other, 1 - probability],
  ],
});

test('a long section in another language is a change, a short "okay" is not', () => {
  const spanish = heard("es", 0.98, 5, "en");
  expect(languagePath([spanish, heard("en", 0.95, 0.5), spanish])).toEqual(["es", "es", "es"]);
  expect(languagePath([spanish, heard("en", 0.99, 5), spanish])).toEqual(["es", "en", "es"]);
  expect(languagePath([heard("en", 0.9, 0.6), spanish, spanish])).toEqual(["es", "es", "es"]);
  expect(languagePath([spanish, spanish, heard("en", 0.9, 0.6)])).toEqual(["es", "es", "es"]);
});

test("sections without evidence get the language of their neighbours", () => {
  const unsure = heard("en", 0.5, 3);
  expect(languagePath([heard("es", 0.99, 4, "en"), unsure, unsure])).toEqual(["es", "es", "es"]);
  expect(languagePath([])).toEqual([]);
});

test("the common language is decided by all speech, long sections before short ones", () => {
  expect(commonLanguage([heard("en", 0.9, 0.4), heard("es", 0.8, 4, "en")])).toBe("es");
  expect(commonLanguage([])).toBeUndefined();
});
