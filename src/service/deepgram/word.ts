// A word as Deepgram's interface prints it.
import type { ListenWord } from "../../contract/deepgram-recorded.ts";
import { bare, type SpokenWord } from "../../speech/text/spoken-words.ts";

export const listenWord = (
  { word, start, end, confidence, speaker, language }: SpokenWord,
  punctuates: boolean,
): ListenWord => ({
  word: bare(word.trim(), language),
  ...{ start, end, confidence },
  ...(punctuates ? { punctuated_word: word.trim() } : {}),
  ...(speaker === undefined ? {} : { speaker }),
});
