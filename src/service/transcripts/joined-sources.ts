// Two recognised utterances as one, which a correction joined.
import { meanConfidence } from "../../contract/transcript/mean-confidence.ts";
import type { Utterance } from "../../contract/transcript/transcript.ts";

/** @param space  between their words */
export function joinedSources(first: Utterance, second: Utterance, space: string): Utterance {
  const [head, ...rest] = second.words;
  const isAppended = first.words.length > 0;
  const words = [
    ...first.words,
    ...(head ? [isAppended ? { ...head, word: space + head.word.trimStart() } : head] : []),
    ...rest,
  ];
  return {
    ...first,
    text: [first.text.trim(), second.text.trim()].filter((text) => text !== "").join(space),
    words,
    start: Math.min(first.start, second.start),
    end: Math.max(first.end, second.end),
    confidence: meanConfidence(words),
  };
}
