// Recognised utterances as one, which corrections joined.
import { meanConfidence } from "../../contract/transcript/mean-confidence.ts";
import type { Utterance } from "../../contract/transcript/transcript.ts";

export interface RecognisedPart {
  source: Utterance;
  /** Between its words and those before. */
  space: string;
}

/** @param parts  in order, at least one */
export function joinedSource(parts: readonly RecognisedPart[]): Utterance {
  const first = (parts[0] as RecognisedPart).source;
  if (parts.length === 1) return first;
  const one = { ...first, text: first.text.trim(), words: [...first.words] };
  for (const { source, space } of parts.slice(1)) {
    const text = source.text.trim();
    one.text += one.text === "" || text === "" ? text : space + text;
    for (const [at, word] of source.words.entries()) {
      one.words.push(at === 0 && one.words.length > 0 ? { ...word, word: space + word.word.trimStart() } : word);
    }
    one.start = Math.min(one.start, source.start);
    one.end = Math.max(one.end, source.end);
  }
  return { ...one, confidence: meanConfidence(one.words) };
}
