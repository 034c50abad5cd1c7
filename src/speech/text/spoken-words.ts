// Words of a transcript with their channel and speaker, and texts that are made of them, for the interfaces that list words.
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { bareMaskedWord } from "./bare-word.ts";
import { spaceBefore } from "./joined-texts.ts";
import { foldedLetters, lowerCase } from "./letter-case.ts";

/** A word with what is known of it by its utterance. */
export interface SpokenWord extends Word {
  speaker?: number;
  channel: number;
  /** ISO 639 code of its utterance. */
  language?: string;
}

/** Redaction writes a marker such as [SSN_1] in the place of words. */
const MARKER = /^\[[^\]]*\]/;
export const isMarker = (word: string) => MARKER.test(word);

/** In small letters and without marks at its ends, except for those of a masked word and for signs such as %. @param language  ISO 639 code */
export const bare = (word: string, language?: string) =>
  MARKER.exec(word)?.[0] ?? (lowerCase(bareMaskedWord(word), language) || word);
/** A search for a number finds it with and without the sign of its unit. */
const UNIT_SIGN = /^\p{Sc}(?=\p{N})|(?<=\p{N})[%‰°\p{Sc}]$/gu;
const sought = (word: string) => foldedLetters(bare(word)).replace(UNIT_SIGN, "");

export function spokenWords(
  utterances: readonly (Pick<Utterance, "words" | "channel"> & { speaker?: number; language?: string })[],
): SpokenWord[] {
  const last = new Map<number, { text: string; language?: string | undefined }>();
  return utterances.flatMap(({ words, speaker, channel, language }) => {
    const [previous, first] = [last.get(channel), words[0]];
    const space = previous && first ? spaceBefore(previous, { text: first.word, language }) : " ";
    if (first) last.set(channel, { text: words.at(-1)?.word ?? "", language });
    return words.map((word, at) => ({
      ...word,
      // Words of live utterances have their space already.
      word: at === 0 ? space + word.word.trimStart() : word.word,
      channel,
      ...(language === undefined ? {} : { language }),
      ...(speaker === undefined ? {} : { speaker }),
    }));
  });
}

/** @param form  of a word without spaces at its ends, in its language */
export const wordsInForm = (
  words: readonly SpokenWord[],
  form: (word: string, language: string | undefined) => string,
): string =>
  words
    .map(({ word, language }) => `${/^\s/.test(word) ? " " : ""}${form(word.trim(), language)}`)
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

/** Finds phrases in words. A search takes time for the places of the first word of its phrase, not for all words. */
export class WordPlaces {
  private readonly known: string[];
  private readonly places = new Map<string, number[]>();

  constructor(words: readonly SpokenWord[]) {
    this.known = words.map(({ word }) => sought(word.trim()));
    for (const [at, word] of this.known.entries()) {
      const places = this.places.get(word);
      if (places) places.push(at);
      else this.places.set(word, [at]);
    }
  }

  /**
   * Places of a phrase, by the words alone; they do not overlap.
   * @param most  further places are not looked for
   * @returns number of the first word of each place, and how many words each has
   */
  find(phrase: string, most: number): { starts: number[]; length: number } {
    const wanted = phrase
      .split(/\s+/)
      .map((word) => sought(word))
      .filter((word) => word !== "");
    const { length } = wanted;
    const starts: number[] = [];
    let from = 0;
    for (const at of this.places.get(wanted[0] ?? "") ?? []) {
      if (starts.length >= most) break;
      if (length === 0 || at < from || !wanted.every((word, index) => this.known[at + index] === word)) continue;
      starts.push(at);
      from = at + length;
    }
    return { starts, length };
  }
}
