// Dashes that recognisers write where another voice begins ("- Yeah, yeah"): no dash of the sentence.

import { mayEndSentence } from "./sentences.ts";

interface DashedWord {
  text: string;
  isJoined?: boolean;
}

const LONE_DASH = /^[-‐‑–—]+$/u;
const LEADING_DASH = /^[-‐‑–—]+\s*(?=[\p{L}\p{N}"'“‘¿¡])/u;

/**
 * @param words  of one utterance; a dash between two words of a sentence stays
 * @returns the words without stray dashes; a word of dashes alone is left out
 */
export function withoutStrayDashes<Word extends DashedWord>(words: readonly Word[]): Word[] {
  if (!words.some(({ text }) => /^[-‐‑–—]/u.test(text))) return [...words];
  const kept: Word[] = [];
  let opensNext = false;
  for (const [at, word] of words.entries()) {
    const isFirst = kept.length === 0 || mayEndSentence(kept.at(-1)?.text ?? "", word.text);
    // "-5" is a number.
    const isNumber = /^[-–]\d/u.test(word.text);
    const isAtEnd = words.slice(at).every(({ text }) => LONE_DASH.test(text));
    if (LONE_DASH.test(word.text) && (isFirst || isAtEnd || word.text === "-")) {
      opensNext = opensNext || word.isJoined !== true;
      continue;
    }
    const isGlued = word.isJoined === true && !opensNext;
    const text =
      (isFirst && !isNumber) || (LEADING_DASH.test(word.text) && !isGlued && !isNumber)
        ? word.text.replace(LEADING_DASH, "")
        : word.text;
    kept.push({ ...word, text, ...(opensNext && word.isJoined ? { isJoined: false } : {}) });
    opensNext = false;
  }
  return kept;
}
