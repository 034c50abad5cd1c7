// Spreads the words of a translation over the time of the original utterance, if they are not aligned with source words.

import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { dictionaryWords, isUnspaced } from "../text/scripts.ts";

/** The duration of each word is proportional to its number of letters. */
export function spreadWords(text: string, original: Utterance, target: string): Word[] {
  const texts = isUnspaced(target)
    ? dictionaryWords(text.trim(), target)
    : text.split(/\s+/).filter((word) => word !== "");
  const letters = texts.reduce((sum, word) => sum + word.length, 0) || 1;
  const seconds = original.end - original.start;
  let before = 0;
  const at = (count: number) => Math.round((original.start + (seconds * count) / letters) * 1000) / 1000;
  return texts.map((word, index) => {
    const start = at(before);
    before += word.length;
    const spaced = index === 0 || isUnspaced(target) ? word : ` ${word}`;
    return { word: spaced, start, end: at(before), confidence: original.confidence };
  });
}
