// Builds an utterance of the API from words.

import { meanConfidence } from "../../../contract/transcript/mean-confidence.ts";
import { milliseconds, type Utterance } from "../../../contract/transcript/transcript.ts";
import { isUnspaced } from "../../../speech/text/scripts.ts";
import { withoutStrayDashes } from "../../../speech/text/stray-dashes.ts";
import { withoutMark, written } from "../../../speech/text/writing.ts";
import { rounded } from "../../transcripts/recognized-segments.ts";
import type { PlacedWord } from "./speech-context.ts";

/**
 * The text and its first word begin with a space, as clients of the API expect.
 * @param recognized   at least one word, with times from the start of the session
 * @param isAfterStop  whether the previous utterance ended a sentence
 */
export function utteranceOf(
  recognized: readonly PlacedWord[],
  { language, channel, isAfterStop }: { language: string; channel: number; isAfterStop: boolean },
): Utterance {
  const cleaned = withoutStrayDashes(isUnspaced(language) ? recognized : withoutJoint(recognized));
  // Where every word was a stray dash, the dashes stay: callers expect at least one word.
  const words = cleaned.length > 0 ? cleaned : recognized;
  const confidence = meanConfidence(words);
  const marked = written(
    words.map(({ text }) => text),
    isAfterStop,
    language,
  );
  const texts = words.map(({ isJoined }, index) => (isJoined && index > 0 ? "" : " ") + marked[index]);
  return {
    text: texts.join(""),
    language,
    start: milliseconds(words[0]?.startSeconds ?? 0),
    end: milliseconds(words.at(-1)?.endSeconds ?? 0),
    confidence: rounded(confidence),
    channel,
    words: words.map((word, index) => ({
      word: texts[index] ?? "",
      start: milliseconds(word.startSeconds),
      end: milliseconds(word.endSeconds),
      confidence: rounded(word.confidence),
    })),
  };
}

/** Removes the mark at the start of a word that continues the last word of the previous utterance ("-4567" after "555-123"). */
function withoutJoint(words: readonly PlacedWord[]): readonly PlacedWord[] {
  const [first, ...rest] = words;
  if (!first?.isJoined) return words;
  return [{ ...first, text: first.text.replace(/^[^\p{L}\p{N}]+(?=[\p{L}\p{N}])/u, "") }, ...rest];
}

/** Removes the punctuation after the last word if more speech follows: the end of a sentence was a guess. */
export function openEnded(words: readonly PlacedWord[], language: string): PlacedWord[] {
  return words.map((word, at) =>
    at === words.length - 1 ? { ...word, text: withoutMark(word.text, language) } : word,
  );
}
