// Words as corrections are compared: without the punctuation around them, and in one case.

import { normalized } from "../../../contract/normalized.ts";
import { dictionaryWords, isUnspaced } from "../../../speech/text/scripts.ts";

/** Marks before a word. A point or a number sign may belong to it: .NET, #1. */
const LEADING = /^[\s"“”„«»‹›'‘’([{<¿¡…—–「『（《〈【]+/u;
/** Marks after a word. C++ and C# keep theirs. */
const TRAILING =
  /(?<![\s.,;:!?…"“”„«»‹›'‘’)\]}>—–、。，！？；：」』）》〉】؟،؛।॥።၊။៖។])[\s.,;:!?…"“”„«»‹›'‘’)\]}>—–、。，！？；：」』）》〉】؟،؛।॥።၊။៖។]+$/u;

interface WordForm {
  /** White space and marks before it. */
  before: string;
  core: string;
  /** Marks and white space after it. */
  after: string;
}

/** @returns its parts, which joined are the text; without a core, everything is in `before` */
export function wordForm(text: string): WordForm {
  const before = LEADING.exec(text)?.[0] ?? "";
  const rest = text.slice(before.length);
  const after = TRAILING.exec(rest)?.[0] ?? "";
  const core = rest.slice(0, rest.length - after.length);
  return core === "" ? { before: text, core: "", after: "" } : { before, core, after };
}

/** The same for words that differ in case alone. */
export const foldedCase = (core: string): string => normalized(core, "NFC").toLowerCase();

/** Words of a text, each with the white space and the marks around it. */
export const wordsOfText = (text: string, language: string): string[] =>
  isUnspaced(language) ? dictionaryWords(text, language) : (text.match(/(?<!\s)\s*\S+/g) ?? []);

const HAS_INNER_CAPITAL = /\p{L}\p{Lu}/u;
const HAS_DIGIT = /\p{N}/u;
const tailOf = (text: string) => text.replace(/^\P{L}*\p{L}/u, "");

/** Whether a change of case alone is a spelling: GitHub, n8n. A capital at the beginning of a word is none. */
export function isSpelling(before: string, after: string): boolean {
  if (before === after || foldedCase(before) !== foldedCase(after)) return false;
  return tailOf(before) !== tailOf(after) || HAS_INNER_CAPITAL.test(after) || HAS_DIGIT.test(after);
}
