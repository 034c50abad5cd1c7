// Sentences out of utterances, each with its own words and times.
import { meanConfidence } from "../../contract/transcript/mean-confidence.ts";
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { abbreviationEnds, hasStarters, isStarter } from "./abbreviations.ts";
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

/** A word in small letters. Names like "iPhone", "macOS" and "n8n" begin sentences, too, as do "'n" and "'s" in Dutch and Afrikaans. */
const SMALL_WORD = /^\s*["“«([{]*\p{Ll}(?!\p{Ll}*[\p{Lu}\p{N}])/u;
/** A word that may be an abbreviation. */
const SHORT_WORD = /^\s*["'“‘«([{]*\p{L}[\p{L}.'’-]{0,4}\.$/u;
/** Said at the beginning of a sentence, and written with a small letter. */
const FILLER = /^\W*(?:u[hm]+|mm+|hm+|eh+m?|ah|oh|äh+m?|euh)\P{L}*$/u;

/**
 * Whether a sentence may end behind a word. The letters of the next word do not matter: the caller may be about to change them.
 * @param next      the word behind it; undefined at the end of a text
 * @param language  ISO 639 code
 */
export const mayEndSentence = (word: string, next: string | undefined, language = "en"): boolean =>
  SENTENCE_END.test(word.trimEnd()) && abbreviationEnds(word, next, language);

/** "5 sq. ft. by": before a small letter, the full stop of a short word belongs to an abbreviation that no table has. */
function isUnlistedAbbreviation(word: string, next: string, language: string): boolean {
  if (!hasStarters(language) || !SHORT_WORD.test(word.trimEnd()) || !SMALL_WORD.test(next)) return false;
  const core = next.replace(/[^\p{L}\p{M}'’]+/gu, "");
  return !isStarter(core, language) && !FILLER.test(next.trim());
}

/** Whether a sentence ends behind a word. @param next, language  as in `mayEndSentence` */
export const isSentenceEnd = (word: string, next: string | undefined, language = "en"): boolean =>
  mayEndSentence(word, next, language) && !(next !== undefined && isUnlistedAbbreviation(word, next, language));

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
