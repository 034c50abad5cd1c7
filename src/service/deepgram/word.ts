// Words and their languages as Deepgram's interface prints them.
import type { ListenWord } from "../../contract/deepgram-recorded.ts";
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
export function languagesOf(words: readonly Pick<SpokenWord, "language">[]): string[] {
  const counts = new Map<string, number>();
  for (const { language } of words) if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].toSorted(([, left], [, right]) => right - left).map(([language]) => language);
}
