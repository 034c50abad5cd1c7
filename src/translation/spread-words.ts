// Words of a translation over the time of the original utterance, where it is not known which words they render.

import { dictionaryWords, isUnspaced } from "../text/scripts.ts";
import type { Utterance, Word } from "../transcript/transcript.ts";

/** Each word as long as its letters are many. */
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
