// Changes the case of letters by the rules of a text's language. Turkish and Azerbaijani have two letters: i with its capital İ, and ı with
// its capital I.

const TWO_KINDS_OF_I = new Set(["tr", "az"]);

/** @param language  ISO 639 code */
export const lowerCase = (text: string, language = ""): string =>
  // In other languages, the small letter of İ is i with a combining dot.
  TWO_KINDS_OF_I.has(language) ? text.toLocaleLowerCase(language) : text.replaceAll("İ", "i").toLowerCase();

/** Georgian has capitals in Unicode, but its texts do not use them at the start of sentences and names. */
const GEORGIAN = /\p{Script=Georgian}/u;

/** @param language  ISO 639 code */
export function upperCase(text: string, language = ""): string {
  if (GEORGIAN.test(text))
    return [...text].map((letter) => (GEORGIAN.test(letter) ? letter : letter.toUpperCase())).join("");
  return TWO_KINDS_OF_I.has(language) ? text.toLocaleUpperCase(language) : text.toUpperCase();
}

/** Small letters for comparisons in any language: both kinds of i are one letter. */
export const foldedLetters = (text: string): string => text.toLowerCase().replace(/i\u0307|ı/gu, "i");
