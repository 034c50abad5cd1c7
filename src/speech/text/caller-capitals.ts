// Terms with an unusual spelling ("n8n", "macOS", "iPhone") keep the spelling of the caller, also at the start of a sentence.
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { isStarter } from "./abbreviations.ts";
import { type WordParts, wordParts } from "./bare-word.ts";
import { ENGLISH_SMALL_WORDS } from "./english-small-words.ts";

interface Term {
  /** In small letters, without marks at their ends. */
  words: string[];
  written: WordParts[];
}

/** Whether a term in small letters is an ordinary word, as "us", "it" and "who" are: only the recogniser distinguishes it from the term. */
const isOrdinaryWord = (words: readonly string[], language: string) =>
  words.length === 1 &&
  words.some((word) => isStarter(word, language) || (language === "en" && ENGLISH_SMALL_WORDS.has(word)));

export type CallerCapitals = ReadonlyMap<string, readonly Term[]>;

/** Whether rules for sentences must not change the spelling: capitals inside, small letters with digits, or a phrase with a capital. */
const isOwnSpelling = (term: string) =>
  /\p{L}\p{Lu}|\p{N}\p{Lu}/u.test(term) || /^\p{Ll}\S*\p{N}/u.test(term) || (/\s/.test(term) && /\p{Lu}/u.test(term));

/** Whether a word has the letters of a word of a term, and its signs: "net" is not ".NET". */
const isPart = (word: WordParts | undefined, part: WordParts, letters: string | undefined): boolean =>
  word !== undefined &&
  word.core.toLowerCase() === letters &&
  word.before.endsWith(part.before) &&
  word.behind.startsWith(part.behind);

/** @returns terms with capitals of their own by their first word; a search reads each word of a text once */
export function callerCapitals(terms: readonly string[]): CallerCapitals {
  const byFirst = new Map<string, Term[]>();
  for (const term of terms.map((one) => one.trim()).filter(isOwnSpelling)) {
    const written = term.split(/\s+/).map(wordParts);
    const words = written.map(({ core }) => core.toLowerCase());
    const others = byFirst.get(words[0] ?? "");
    if (others) others.push({ words, written });
    else byFirst.set(words[0] ?? "", [{ words, written }]);
  }
  for (const own of byFirst.values()) own.sort((left, right) => right.words.length - left.words.length);
  return byFirst;
}

/** @returns the same utterance where every term has its capitals */
export function withCallerCapitals(utterance: Utterance, capitals: CallerCapitals): Utterance {
  if (capitals.size === 0) return utterance;
  const parts = utterance.words.map(({ word }) => wordParts(word));
  const { language } = utterance;
  const cores = parts.map(({ core }) => core.toLowerCase());
  const written = new Map<number, string>();
  for (let at = 0; at < cores.length; at++) {
    const term = capitals
      .get(cores[at] ?? "")
      ?.find(
        ({ words, written: wanted }) =>
          wanted.every((part, index) => isPart(parts[at + index], part, words[index])) &&
          !isOrdinaryWord(words, language),
      );
    if (!term) continue;
    for (const [index, { core: text }] of term.written.entries()) {
      const { before = "", core, behind = "" } = parts[at + index] ?? {};
      if (core !== text) written.set(at + index, before + text + behind);
    }
    at += term.words.length - 1;
  }
  if (written.size === 0) return utterance;
  const words = utterance.words.map((word, at): Word => ({ ...word, word: written.get(at) ?? word.word }));
  return { ...utterance, words, text: words.map(({ word }) => word).join("") };
}
