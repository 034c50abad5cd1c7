// Words and their languages as Deepgram's interface prints them.
import type { ListenWord } from "../../contract/deepgram-recorded.ts";
import { mostFrequentFirst } from "../../contract/most-frequent.ts";
import { bare, type SpokenWord } from "../../speech/text/spoken-words.ts";

export interface WordForm {
  punctuates: boolean;
  /** Several languages may be spoken. */
  namesLanguages: boolean;
}

export const listenWord = (
  { word, start, end, confidence, speaker, language }: SpokenWord,
  { punctuates, namesLanguages }: WordForm,
): ListenWord => ({
  word: bare(word.trim(), language),
  ...{ start, end, confidence },
  ...(namesLanguages && language ? { language } : {}),
  ...(punctuates ? { punctuated_word: word.trim() } : {}),
  ...(speaker === undefined ? {} : { speaker }),
});

/** Languages of words, that of most of them first. */
export const languagesOf = (words: readonly Pick<SpokenWord, "language">[]): string[] =>
  mostFrequentFirst(words.flatMap(({ language }) => (language ? [language] : [])));
