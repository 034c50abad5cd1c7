// Words and texts as the interfaces of Deepgram and AssemblyAI print them.
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { bareWord } from "../../speech/text/bare-word.ts";

/** A word with what is known of it by its utterance. */
export interface SpokenWord extends Word {
  speaker?: number;
  channel: number;
}

/** Redaction writes a marker such as [SSN_1] in the place of words. */
const MARKER = /^\[[^\]]*\]/;

export const bare = (word: string) => MARKER.exec(word)?.[0] ?? (bareWord(word).toLowerCase() || word);

export function spokenWords(
  utterances: readonly (Pick<Utterance, "words" | "channel"> & { speaker?: number })[],
): SpokenWord[] {
  return utterances.flatMap(({ words, speaker, channel }) =>
    words.map((word, at) => ({
      ...word,
      // Words of live utterances have their space already.
      word: at === 0 ? ` ${word.word.trimStart()}` : word.word,
      channel,
      ...(speaker === undefined ? {} : { speaker }),
    })),
  );
}

/** Words with the space that stands before each, if there is one. */
export function textOf(words: readonly SpokenWord[], punctuates: boolean): string {
  return words
    .map(({ word }) => (punctuates ? word : `${/^\s/.test(word) ? " " : ""}${bare(word.trim())}`))
    .join("")
    .trim();
}
