// Texts as a full-text search reads them: words of scripts that are written without spaces are set apart.
import { normalized } from "../../../../contract/normalized.ts";
import { atOnce, type Steps } from "../../../process/steps.ts";
import { wordSegments } from "../../../text/word-segments.ts";

/** Chinese, Japanese, Thai, Lao, Khmer, Burmese. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** They take less than a millisecond. */
const WORDS_OF_A_STEP = 200;

const WITH_MARKS = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

/**
 * Removes accents from letters, and replaces the dotless ı of Turkish by i, as PostgreSQL does with its capital. Marks stay in scripts in
 * which they are letters (Hindi, Thai).
 * @returns as many characters as the text has, so that places in one are places in the other
 */
export const withoutAccents = (text: string): string =>
  text.replace(/[^\p{ASCII}]/gu, (character) => {
    if (!WITH_MARKS.test(character)) return character;
    const [base = character] = normalized(character, "NFD");
    return base === "ı" ? "i" : base;
  });

/**
 * Names of files and people as the search reads them: each as it is, so that it is found as a whole, and its words apart, since
 * PostgreSQL reads "council_3.mp3" as the name of a host.
 */
export function searchableNames(names: readonly string[]): string {
  const apart = names.map((name) => name.replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ").replace(/[^\p{L}\p{M}\p{N}]+/gu, " "));
  return searchableWords([...names, ...apart].join(" \n"));
}

/** The same for what is stored and what is looked for, so that they meet; composed, an e-mail address as its name and its host. */
export const searchableWords = (text: string): string => atOnce(makingSearchable(text));

/** The same, in steps of short texts: of a transcript of hours it takes a second. */
export function* makingSearchable(text: string): Steps<string> {
  const composed = normalized(text, "NFC").replaceAll("@", " ");
  let searchable = "";
  let read = 0;
  for (const { 0: run, index } of composed.matchAll(WITHOUT_SPACES)) {
    searchable += composed.slice(read, index);
    read = index + run.length;
    let words = 0;
    for (const { segment } of wordSegments(run, "")) {
      searchable += ` ${segment}`;
      if (++words % WORDS_OF_A_STEP === 0) yield;
    }
    searchable += " ";
    yield;
  }
  return searchable + composed.slice(read);
}
