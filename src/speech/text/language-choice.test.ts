import { describe, expect, test } from "vitest";
import { codeKnownTo, LANGUAGES, languageCode, shownLanguage } from "../../contract/languages.ts";
import { languagesOf, similarLanguages, unknownLanguage } from "./language-choice.ts";

test.each([
  ["nb", "no"],
  ["nn", "nn"],
  ["iw", "he"],
  ["in", "id"],
  ["jv", "jw"],
  ["fil", "tl"],
  ["cmn", "zh"],
  ["yue", "yue"],
  ["EN", "en"],
  ["en-US", "en"],
  ["en_us", "en"],
  ["de_DE.UTF-8", "de"],
  ["pt-BR", "pt"],
  ["zh-Hant", "zh"],
  ["zh-Hant-TW", "zh"],
  ["zh-cmn-Hans-CN", "zh"],
  ["zh-yue", "yue"],
  ["sr-Latn-RS", "sr"],
  ["nb-NO", "no"],
  ["no-nyn", "nn"],
  ["eng", "en"],
  ["ger", "de"],
  ["deu", "de"],
  ["fre", "fr"],
  ["zsm", "ms"],
  ["arb", "ar"],
  ["mo", "ro"],
  ["ji", "yi"],
  [" English ", "en"],
  ["GERMAN", "de"],
  ["Haitian creole", "ht"],
  ["Norwegian Bokmål", "no"],
  ["Mandarin", "zh"],
  ["Cantonese", "yue"],
  ["Farsi", "fa"],
  ["Flemish", "nl"],
  ["wo", "wo"],
])("%s means %s", (given, code) => {
  expect(languageCode(given)).toBe(code);
});

test.each([
  "",
  "xx",
  "klingon",
  "auto",
  "english please",
  "-en",
  "en-",
  "e",
  "12",
  "x-en",
  "zz-US",
  "e".repeat(10_000),
])("%j means no language", (given) => {
  expect(languageCode(given)).toBeUndefined();
});

test("every code and every English name of the table means itself", () => {
  expect(LANGUAGES).toHaveLength(100);
  for (const code of LANGUAGES) {
    expect(languageCode(code)).toBe(code);
    expect(languageCode(code.toUpperCase())).toBe(code);
    expect(languageCode(`${code}-001`)).toBe(code);
    const name = /\((.*)\)/.exec(shownLanguage(code))?.[1] ?? "";
    expect(languageCode(name)).toBe(code);
  }
});

test("a list has each language once; auto alone is any", () => {
  expect(languagesOf(["en-US", "en-GB", "de"])).toEqual({ codes: ["en", "de"] });
  expect(languagesOf(["auto"])).toEqual({ codes: [] });
  expect(languagesOf([])).toEqual({ codes: [] });
  expect(languagesOf(["auto", "en"])).toEqual({
    codes: ["en"],
    problem: expect.stringContaining('"auto" cannot stand here'),
  });
  expect(languagesOf(["en", "xx"])).toEqual({ codes: ["en"], problem: expect.stringContaining('"xx" is not one') });
});

describe("similar languages", () => {
  test.each([
    ["jp", "ja (Japanese)"],
    ["cn", "zh (Chinese)"],
    ["cz", "cs (Czech)"],
    ["dk", "da (Danish)"],
    ["gr", "el (Greek)"],
    ["ua", "uk (Ukrainian)"],
    ["portugese", "pt (Portuguese)"],
    ["germna", "de (German)"],
    ["span", "es (Spanish)"],
  ])("of %s is %s", (given, expected) => {
    expect(similarLanguages(given)[0]).toBe(expected);
    expect(unknownLanguage(given)).toContain(`"${given}" is not one; similar: ${expected}`);
  });

  test("there may be none", () => {
    expect(unknownLanguage("klingon")).toBe('"klingon" is not one');
  });
});

test("a model without Cantonese transcribes it as Chinese", () => {
  expect(codeKnownTo(["zh", "en"], "yue")).toBe("zh");
  expect(codeKnownTo(["zh", "yue"], "yue")).toBe("yue");
  expect(codeKnownTo(["en"], "yue")).toBe("yue");
  expect(codeKnownTo(["en"], "de")).toBe("de");
});
