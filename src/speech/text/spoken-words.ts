// Words of a transcript with their channel and speaker, and texts that are made of them, for the interfaces that list words.
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { bareWord } from "./bare-word.ts";

/** A word with what is known of it by its utterance. */
export interface SpokenWord extends Word {
  speaker?: number;
  channel: number;
}

/** Redaction writes a marker such as [SSN_1] in the place of words. */
const MARKER = /^\[[^\]]*\]/;

/** In small letters and without marks at its ends. */
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

/** @param form  of a word without spaces at its ends */
export const wordsInForm = (words: readonly SpokenWord[], form: (word: string) => string): string =>
  words
    .map(({ word }) => `${/^\s/.test(word) ? " " : ""}${form(word.trim())}`)
    .join("")
    .trim();

/** Words with the space that stands before each, if there is one. */
export const textOf = (words: readonly SpokenWord[], punctuates: boolean): string =>
  punctuates
    ? words
        .map(({ word }) => word)
        .join("")
        .trim()
    : wordsInForm(words, bare);

/**
 * Places of a phrase, by the words alone; they do not overlap.
 * @param known  the words, each as `bare` returns it
 * @param most  further places are not looked for
 * @returns number of the first word of each place, and how many words each has
 */
export function placesOf(query: string, known: readonly string[], most: number): { starts: number[]; length: number } {
  const wanted = query
    .split(/\s+/)
    .map((word) => bare(word))
    .filter((word) => word !== "");
  const starts: number[] = [];
  let at = 0;
  while (wanted.length > 0 && at + wanted.length <= known.length && starts.length < most) {
    const isPlace = wanted.every((word, index) => known[at + index] === word);
    if (isPlace) starts.push(at);
    at += isPlace ? wanted.length : 1;
  }
  return { starts, length: wanted.length };
}
