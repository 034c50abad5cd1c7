// Lists of languages as requests and options name them, and what is wrong with a name that is not known.

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

/** Names that a message explains: each is compared with every language. */
const MOST_EXPLAINED = 5;

/**
 * The rule, with a sentence for each of the first unknown names, and one with the number of the others. The name of their field precedes it.
 * @returns undefined if there are none
 */
export function languageProblem(unknown: readonly string[]): string | undefined {
  if (unknown.length === 0) return undefined;
  const { first, rest } = firstOf(unknown, MOST_EXPLAINED);
  const sentences = [...first.map(unknownLanguage), ...(rest > 0 ? [`${rest} further names are unknown, too`] : [])];
  return `${LANGUAGE_RULE}; ${sentences.join("; ")}`;
}

export const LANGUAGE_RULE =
  "must be ISO 639 codes or BCP 47 tags such as en or pt-BR, English names such as German, or auto";

/**
 * @param given  codes, tags and names; auto alone stands for any language
 * @returns the codes, each once, none for any language; and those that are not known
 */
export function languagesOf(given: readonly string[]): { codes: string[]; unknown: string[] } {
  if (given.length > 0 && given.every(isAnyLanguage)) return { codes: [], unknown: [] };
  const codes = new Set<string>();
  const unknown: string[] = [];
  for (const one of given) {
    const code = languageCode(one);
    if (code === undefined) unknown.push(one);
    else codes.add(code);
  }
  return { codes: [...codes], unknown };
}

/** The languages of a field, as `languagesOf`, and what is wrong with them. */
export function namedLanguages(given: readonly string[], field: string): { languages: string[]; problems: string[] } {
  const { codes, unknown } = languagesOf(given);
  const problem = languageProblem(unknown);
  return { languages: codes, problems: problem === undefined ? [] : [`${field} ${problem}`] };
}

/** @param languages  that may be spoken, ISO 639 codes; none for any */
export const excludesEnglish = (languages: readonly string[]): boolean =>
  languages.length > 0 && !languages.includes("en");

/** Whether there are no rules for numbers of a language, which then stay as they were recognised. */
export const lacksNumerals = (code: string): boolean => !(NUMERAL_LANGUAGES as readonly string[]).includes(code);

/** Why `numerals: false` has no effect on languages, ISO 639 codes; undefined for none, and where one of them has rules. */
export function numeralsProblem(languages: readonly string[]): string | undefined {
  if (languages.length === 0 || !languages.every(lacksNumerals)) return undefined;
  const names = (codes: readonly string[]) => [...new Set(codes)].map(shownLanguage).join(", ");
  return `numbers in ${names(languages)} stay as they were recognised; the service writes those in ${names(NUMERAL_LANGUAGES)} in words`;
}

/** Why a filter of profane words has no effect without English. */
export const MASKS_ENGLISH_ONLY = "it masks English words only";
