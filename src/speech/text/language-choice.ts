// Lists of languages as requests and options name them, and what is wrong with a name that is not known.

import { MOST_LANGUAGES } from "../../contract/bounds.ts";
import { firstOf } from "../../contract/first-of.ts";
import {
  isAnyLanguage,
  languageCode,
  languageNames,
  languageOfCountry,
  shownLanguage,
} from "../../contract/languages.ts";
import { beginningOf, storableText } from "../../platform/storable.ts";
import { NUMERAL_LANGUAGES } from "./numerals/numerals.ts";
import { similarNames } from "./similar.ts";

const MOST_SIMILAR = 4;
const SHOWN_CHARACTERS = 50;

/** Languages whose codes or names resemble an unknown one, as `de (German)`. */
export function similarLanguages(given: string): string[] {
  const byName = new Map(languageNames());
  const ofCountry = languageOfCountry(given.trim().split(/[-_]/)[0] ?? "");
  const similar = similarNames(given.trim(), byName.keys(), 2 * MOST_SIMILAR).map((name) => byName.get(name) as string);
  const codes = new Set([...(ofCountry === undefined ? [] : [ofCountry]), ...similar]);
  return [...codes].slice(0, MOST_SIMILAR).map(shownLanguage);
}

/** `"jp" is not one; similar: ja (Japanese)` */
export function unknownLanguage(given: string): string {
  const shown = `"${storableText(beginningOf(given, SHOWN_CHARACTERS))}"`;
  if (isAnyLanguage(given)) return `${shown} cannot stand here, or not beside other languages`;
  const similar = similarLanguages(given);
  return similar.length === 0 ? `${shown} is not one` : `${shown} is not one; similar: ${similar.join(", ")}`;
}

/** Unknown names that one message or one answer explains: each is compared with every language. */
export const MOST_EXPLAINED = 5;

/**
 * The rule, with a sentence for each of the first unknown names, and one with the number of the others. The name of their field precedes it.
 * @returns undefined if there are none
 */
function languageProblem(unknown: readonly string[]): string | undefined {
  if (unknown.length === 0) return undefined;
  const { first, rest } = firstOf(unknown, MOST_EXPLAINED);
  const sentences = [...first.map(unknownLanguage), ...(rest > 0 ? [`${rest} further names are unknown, too`] : [])];
  return `${LANGUAGE_RULE}; ${sentences.join("; ")}`;
}

const LANGUAGE_RULE = "must be ISO 639 codes or BCP 47 tags such as en or pt-BR, English names such as German, or auto";

/**
 * @param given  codes, tags and names; auto alone stands for any language
 * @returns the codes, each once, none for any language; and what is wrong with the list, which the name of its field precedes
 */
export function languagesOf(given: readonly string[]): { codes: string[]; problem: string | undefined } {
  // Any client sends such lists: their number bounds the time that they take.
  if (given.length > MOST_LANGUAGES) {
    return { codes: [], problem: `must not have more than ${MOST_LANGUAGES} languages; it has ${given.length}` };
  }
  if (given.length > 0 && given.every(isAnyLanguage)) return { codes: [], problem: undefined };
  const codes = new Set<string>();
  const unknown: string[] = [];
  for (const one of given) {
    const code = languageCode(one);
    if (code === undefined) unknown.push(one);
    else codes.add(code);
  }
  return { codes: [...codes], problem: languageProblem(unknown) };
}

/** The languages of a field, as `languagesOf`, and sentences about what is wrong with them. */
export function namedLanguages(given: readonly string[], field: string): { languages: string[]; problems: string[] } {
  const { codes, problem } = languagesOf(given);
  return { languages: codes, problems: problem === undefined ? [] : [`${field} ${problem}`] };
}

/** @param languages  that may be spoken, ISO 639 codes; none for any */
const excludesEnglish = (languages: readonly string[]): boolean => languages.length > 0 && !languages.includes("en");

const lacksNumerals = (code: string): boolean => !(NUMERAL_LANGUAGES as readonly string[]).includes(code);

/** Why `numerals: false` has no effect on languages, ISO 639 codes; undefined for none, and where one of them has rules. */
export function numeralsProblem(languages: readonly string[]): string | undefined {
  if (languages.length === 0 || !languages.every(lacksNumerals)) return undefined;
  const names = (codes: readonly string[]) => [...new Set(codes)].map(shownLanguage).join(", ");
  return `numbers in ${names(languages)} stay as they were recognised; the service writes those in ${names(NUMERAL_LANGUAGES)} in words`;
}

/** Why a filter of profane words has no effect on languages, ISO 639 codes; undefined where it has, or may have. */
export const maskingProblem = (languages: readonly string[]): string | undefined =>
  excludesEnglish(languages) ? "it masks English words only" : undefined;
