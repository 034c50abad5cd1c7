// Sentences out of utterances, each with its own words and times.
import { meanConfidence } from "../../contract/transcript/mean-confidence.ts";
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { abbreviationEnds } from "./abbreviations.ts";
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

/** The full stop of a word. Several full stops are the mark of a pause. */
const FULL_STOP = /(?<!\.)\.["'”’»)\]]*$/u;
/** A word in small letters. Names like "iPhone", "macOS" and "n8n" begin sentences, too. */
const SMALL_WORD = /^\s*["'“‘«([{]*\p{Ll}(?!\p{Ll}*[\p{Lu}\p{N}])/u;

/**
 * Whether a sentence may end behind a word. The letters of the next word do not matter: the caller may be about to change them.
 * @param next      the word behind it; undefined at the end of a text
 * @param language  ISO 639 code
 */
export const mayEndSentence = (word: string, next: string | undefined, language = "en"): boolean =>
  SENTENCE_END.test(word.trimEnd()) && abbreviationEnds(word, next, language);

/** Whether a sentence ends behind a word. Before a small letter, a full stop belongs to an abbreviation that no table has: "44 v. Chr. in Rom". */
export const isSentenceEnd = (word: string, next: string | undefined, language = "en"): boolean =>
  mayEndSentence(word, next, language) &&
  !(next !== undefined && FULL_STOP.test(word.trimEnd()) && SMALL_WORD.test(next));

/** The sentences of a text; joined with spaces, they are the text. */
export function textSentences(text: string, language = "en"): string[] {
  const words = text.split(/(?<=\S)\s+|(?<=[。！？])(?=\S)/u).filter((word) => word !== "");
  const sentences: string[] = [];
  let open: string[] = [];
  for (const [at, word] of words.entries()) {
    open.push(word);
    if (!isSentenceEnd(word, words[at + 1], language)) continue;
    sentences.push(open.join(" "));
    open = [];
  }
  return open.length > 0 ? [...sentences, open.join(" ")] : sentences;
}

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
    for (const [at, word] of utterance.words.entries()) {
      open.push(word);
      if (isSentenceEnd(word.word, utterance.words[at + 1]?.word, utterance.language)) {
        sentences.push(sentenceOf(open, utterance));
        open = [];
      }
    }
    if (open.length > 0) sentences.push(sentenceOf(open, utterance));
  }
  return sentences;
}
