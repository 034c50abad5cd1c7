// Joins utterances into sentences for translation. A pause ends an utterance, but not always the sentence: the next utterance of the same
// speaker may continue it.

import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { isSentenceEnd } from "../text/sentences.ts";

export interface SentenceWord {
  word: Word;
  /** Index of the utterance that it belongs to. */
  utterance: number;
}

export interface WholeSentence {
  language: string;
  words: SentenceWord[];
}

/** A longer pause ends a sentence, also without a full stop. */
const LONGEST_PAUSE_SECONDS = 4;
/** A sentence of this many words ends at the next comma or utterance: the runtime itself divides sentences above 128 tokens. */
const MOST_WORDS = 60;
/** A sentence of this many words within one utterance ends after any word. */
const MOST_WORDS_OF_UTTERANCE = 80;

const isDivided = ({ words }: WholeSentence, word: string) =>
  words.length >= MOST_WORDS_OF_UTTERANCE || (words.length >= MOST_WORDS && /[,;:、，]$/.test(word.trim()));

interface Open extends WholeSentence {
  speaker: number | undefined;
}

/** For each utterance, the first word of the next one of its channel. */
function firstWordsBehind(utterances: readonly Utterance[]): (string | undefined)[] {
  const newest = new Map<number, string | undefined>();
  return utterances
    .toReversed()
    .map(({ channel, words }) => {
      const next = newest.get(channel);
      newest.set(channel, words[0]?.word ?? next);
      return next;
    })
    .reverse();
}

/** @returns the sentences in the order of their starts; every word is in exactly one */
export function wholeSentences(utterances: readonly Utterance[]): WholeSentence[] {
  const sentences: WholeSentence[] = [];
  const open = new Map<number, Open>();
  const following = firstWordsBehind(utterances);
  for (const [index, { words, language, channel, speaker }] of utterances.entries()) {
    const before = open.get(channel);
    const pause = (words[0]?.start ?? 0) - (before?.words.at(-1)?.word.end ?? 0);
    const isContinued =
      before?.language === language &&
      before.speaker === speaker &&
      pause <= LONGEST_PAUSE_SECONDS &&
      before.words.length < MOST_WORDS;
    if (!isContinued) open.delete(channel);
    for (const [at, word] of words.entries()) {
      let sentence = open.get(channel);
      if (!sentence) {
        sentence = { language, speaker, words: [] };
        open.set(channel, sentence);
        sentences.push(sentence);
      }
      sentence.words.push({ word, utterance: index });
      const isEnd = isSentenceEnd(word.word, words[at + 1]?.word ?? following[index], language);
      if (isEnd || isDivided(sentence, word.word)) open.delete(channel);
    }
  }
  return sentences;
}
