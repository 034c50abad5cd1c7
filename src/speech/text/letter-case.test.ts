import { expect, test } from "vitest";
import { foldedLetters, lowerCase, upperCase } from "./letter-case.ts";

test.each([
  ["tr", "İstanbul Işık", "istanbul ışık"],
  ["az", "İçəri Qırmızı", "içəri qırmızı"],
  ["en", "Istanbul İs", "istanbul is"],
  [undefined, "Istanbul Is", "istanbul is"],
])("small letters, language %s: %s", (language, text, small) => {
  expect(lowerCase(text, language)).toBe(small);
});

test.each([
  ["tr", "istanbul ışık", "İSTANBUL IŞIK"],
  ["de", "istanbul", "ISTANBUL"],
  ["ka", "გამარჯობა", "გამარჯობა"],
])("capitals, language %s: %s", (language, text, capitals) => {
  expect(upperCase(text, language)).toBe(capitals);
});

test.each(["İSTANBUL", "ISTANBUL", "ıstanbul", "istanbul"])("%s is compared as one word with the others", (text) => {
  expect(foldedLetters(text)).toBe("istanbul");
});
