// The text of an utterance normalised for comparing spellings: lower case, composed characters (NFC), straight apostrophes, single
// spaces. Each character is mapped to its place in the words of the utterance.

import { normalized } from "../../contract/normalized.ts";
import type { Utterance } from "../../contract/transcript/transcript.ts";
import { wordSegments } from "../../platform/text/word-segments.ts";
import { isUnspaced } from "../../speech/text/scripts.ts";

/** A character of the utterance, with its combining marks. */
export interface Place {
  /** Index of the word. */
  word: number;
  /** First code unit of the character in the word, and one past the last. */
  from: number;
  to: number;
}

const CHARACTERS = /\P{M}\p{M}*|\p{M}+/gu;
const WHITE_SPACE = /^\s+$/u;
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
/** Signs that are part of a word: "C" is not "C++", "50" is not "50%" or "$50". */
const WORD_SIGN = /[+#%&@°=_$€£¥]/u;
/** Between characters of one word: "example.com", "well-known", "4,000". */
const INNER_MARK = /[-.,'@:&/]/u;
const POSSESSIVE = /^'s?(?![\p{L}\p{N}])/u;

function normalised(character: string): string {
  return normalized(character, "NFC")
    .toLowerCase()
    .replace(/[’ʼ＇]/gu, "'");
}

/** @returns the form in which spellings are compared */
export function comparable(phrase: string): string {
  const characters = phrase.trim().match(CHARACTERS) ?? [];
  return characters.map(normalised).join("").replace(/\s+/gu, " ");
}

const isOfWord = (character: string) => WORD_CHARACTER.test(character);

export class SpelledText {
  /** Answers of `canEnd`, by the place. */
  private readonly ends = new Map<number, boolean>();

  /** @param boundaries  places at which a phrase may start or end although letters are on both sides */
  constructor(
    private readonly text: string,
    private readonly places: readonly Place[],
    private readonly boundaries: ReadonlySet<number>,
    readonly hasSpaces: boolean,
  ) {}

  get length(): number {
    return this.text.length;
  }

  characterAt(at: number): string {
    return this.text.charAt(at);
  }

  placeOf(at: number): Place {
    return this.places[at] as Place;
  }

  slice(from: number, to: number): string {
    return this.text.slice(from, to);
  }

  /** Whether a word starts at this place. */
  canStart(at: number): boolean {
    if (this.boundaries.has(at)) return true;
    const before = this.text.charAt(at - 1);
    if (WORD_SIGN.test(before) || isOfWord(before)) return false;
    return !(INNER_MARK.test(before) && isOfWord(this.text.charAt(at - 2)) && isOfWord(this.text.charAt(at)));
  }

  /** Whether a word ends before this place. Thousands of spellings may end at each. */
  canEnd(end: number): boolean {
    const known = this.ends.get(end);
    if (known !== undefined) return known;
    const isEnd = this.endsWord(end);
    this.ends.set(end, isEnd);
    return isEnd;
  }

  private endsWord(end: number): boolean {
    if (this.boundaries.has(end)) return true;
    const rest = this.text.slice(end, end + 3);
    if (POSSESSIVE.test(rest)) return true;
    const [after = "", next = ""] = rest;
    if (WORD_SIGN.test(after)) return false;
    // After a sign, a letter begins another word only after a space.
    if (isOfWord(after)) return false;
    return !(INNER_MARK.test(after) && isOfWord(next) && isOfWord(this.text.charAt(end - 1)));
  }
}

/** In scripts without spaces, phrases start and end with words of the recogniser or of the dictionary. */
function boundariesOf(text: string, places: readonly Place[], language: string): Set<number> {
  const found = new Set<number>([0, text.length]);
  for (const [at, { word }] of places.entries()) if (at > 0 && places[at - 1]?.word !== word) found.add(at);
  for (const { index } of wordSegments(text, language)) found.add(index);
  return found;
}

export function spelledText({ words, language }: Utterance): SpelledText {
  const hasSpaces = !isUnspaced(language);
  let text = "";
  const places: Place[] = [];
  for (const [word, { word: spelling }] of words.entries()) {
    for (const match of spelling.matchAll(CHARACTERS)) {
      const [character] = match;
      const isSpace = WHITE_SPACE.test(character);
      if (isSpace && (!hasSpaces || text.endsWith(" "))) continue;
      const written = isSpace ? " " : normalised(character);
      text += written;
      const place = { word, from: match.index, to: match.index + character.length };
      for (let unit = 0; unit < written.length; unit++) places.push(place);
    }
  }
  return new SpelledText(text, places, hasSpaces ? new Set() : boundariesOf(text, places, language), hasSpaces);
}
