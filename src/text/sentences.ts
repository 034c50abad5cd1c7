// Sentences out of utterances, each with its own words and times.
import { meanConfidence } from "../transcript/mean-confidence.ts";
import type { Utterance, Word } from "../transcript/transcript.ts";
import { SENTENCE_END } from "./scripts.ts";

export interface Sentence {
  sentence: string;
  start: number;
  end: number;
  words: Word[];
  confidence: number;
  language: string;
  channel: number;
  speaker?: number;
}

/** Titles and the like, whose full stop ends no sentence. */
const ABBREVIATION = /^\s?(mr|mrs|ms|dr|prof|st|vs|etc|inc|jr|sr|no|[a-z])\.$/i;
/** Letters with a full stop each. */
const INITIALS = /^\s?(?:\p{L}\.){2,}$/u;

/** Whether the full stop behind a word is part of it. */
export const isAbbreviation = (word: string): boolean => ABBREVIATION.test(word) || INITIALS.test(word);

function sentenceOf(words: Word[], utterance: Utterance): Sentence {
  return {
    sentence: words
      .map((word) => word.word)
      .join("")
      .trim(),
    start: (words[0] as Word).start,
    end: (words.at(-1) as Word).end,
    words,
    confidence: meanConfidence(words),
    language: utterance.language,
    channel: utterance.channel,
    ...(utterance.speaker === undefined ? {} : { speaker: utterance.speaker }),
  };
}

/** Splits each utterance at the ends of its sentences; an utterance without any is one sentence. */
export function splitSentences(utterances: Utterance[]): Sentence[] {
  const sentences: Sentence[] = [];
  for (const utterance of utterances) {
    let open: Word[] = [];
    for (const word of utterance.words) {
      open.push(word);
      if (SENTENCE_END.test(word.word) && !isAbbreviation(word.word)) {
        sentences.push(sentenceOf(open, utterance));
        open = [];
      }
    }
    if (open.length > 0) sentences.push(sentenceOf(open, utterance));
  }
  return sentences;
}
