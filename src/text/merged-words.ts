import type { Word } from "../transcript/transcript.ts";

const EDGES = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/su;

/** Several words written as one text, with the marks before the first and behind the last. */
export function mergedWords(words: readonly Word[], text: string): Word {
  const [first, last] = [words[0] as Word, words.at(-1) as Word];
  const space = /^\s*/.exec(first.word)?.[0] ?? "";
  const before = EDGES.exec(first.word.trim())?.[1] ?? "";
  const after = EDGES.exec(last.word.trim())?.[3] ?? "";
  const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / words.length;
  return {
    word: `${space}${before}${text}${after}`,
    start: first.start,
    end: last.end,
    confidence: Math.round(confidence * 1000) / 1000,
  };
}
