// Where a phrase occurs in a transcript as it reads, and how each place would read with another phrase. Spaced scripts are searched word by
// word, so that "sam" is not found in "same"; scripts without spaces character by character.
import { lowestPlace } from "../../../contract/lowest-place.ts";
import { normalized } from "../../../contract/normalized.ts";
import type { Transcription, Word } from "../../../contract/transcript/transcript.ts";
import { beginningOf } from "../../../platform/storable.ts";
import { upperCase } from "../../../speech/text/letter-case.ts";
import { isUnspaced, UNSPACED_SCRIPT } from "../../../speech/text/scripts.ts";
import { joined } from "../spoken-parts.ts";
import type { SpokenUtterance } from "../spoken-utterance.ts";
import { type Change, SpokenUtterances } from "../spoken-utterances.ts";
import { middleOf, WordMiddles } from "../word-middles.ts";
import { foldedCase, isSpelling, wordForm, wordsOfText } from "./word-forms.ts";

export interface Phrase {
  before: string;
  after: string;
}

/** Words that a correction replaces. */
export interface PhrasePlace {
  /** As in a correction: of the recognised utterance, and seconds. */
  index: number;
  start: number;
  end: number;
  channel: number;
  language: string;
  /** The words as they read. */
  text: string;
  /** As they would read. */
  replacement: string;
  text_before: string;
  text_after: string;
  words: Word[];
}

/** Where a place is: places are in the order of their utterances and times. */
export type PlaceTime = Pick<PhrasePlace, "index" | "start">;

/** Words around a place that are shown with it. */
const WORDS_AROUND = 8;
const CHARACTERS_AROUND = 200;

/** Words `from` to before `until`, and what is in their place. */
interface Hit {
  from: number;
  until: number;
  replacement: string;
}

const textOf = (words: readonly Word[]) => words.map(({ word }) => word).join("");
const isCapital = (text: string) => /^\p{Lu}/u.test(text);
const IS_PLAIN = /^\p{Ll}[\p{Ll}\p{M}]*$/u;

/** The new phrase at a place; at the beginning of a sentence, an ordinary word gets its capital. */
function inCaseOf(found: string, { before, after }: Phrase, language: string): string {
  const keepsCapital = isCapital(found) && !isCapital(before) && IS_PLAIN.test(after);
  return keepsCapital ? after.replace(/^\p{Ll}/u, (letter) => upperCase(letter, language)) : after;
}

/** Place of the phrase within the new one, so that "John Smith" for "Smith" is not found in itself; -1 if it is not in it. */
function placeWithin(before: readonly string[], after: readonly string[]): number {
  for (let at = 0; at + before.length <= after.length; at++) {
    if (before.every((word, offset) => after[at + offset] === word)) return at;
  }
  return -1;
}

function spacedHits(words: readonly Word[], phrase: Phrase, isExact: boolean, language: string): Hit[] {
  const forms = words.map(({ word }) => wordForm(word));
  const compared = (core: string) => (isExact ? normalized(core, "NFC") : foldedCase(core));
  const cores = forms.map(({ core }) => compared(core));
  const split = (text: string) => wordsOfText(text, "").map((word) => compared(wordForm(word).core));
  const [before, after] = [split(phrase.before), split(phrase.after)];
  const within = placeWithin(before, after);
  const hits: Hit[] = [];
  for (let from = 0; from + before.length <= cores.length; from++) {
    const until = from + before.length;
    if (!before.every((core, offset) => cores[from + offset] === core)) continue;
    // A comma between two words divides the phrase.
    if (forms.slice(from, until - 1).some((form) => form.after.trim() !== "")) continue;
    const begin = from - within;
    if (within >= 0 && begin >= 0 && after.every((core, offset) => cores[begin + offset] === core)) continue;
    const [first, last] = [forms[from], forms[until - 1]];
    const found = first?.core ?? "";
    hits.push({ from, until, replacement: `${first?.before}${inCaseOf(found, phrase, language)}${last?.after}` });
    from = until - 1;
  }
  return hits;
}

const isSpacedLetter = (character = "") => /[\p{L}\p{M}\p{N}]/u.test(character) && !UNSPACED_SCRIPT.test(character);

/** Whether a phrase of Latin letters begins or ends inside of a longer word. */
function dividesWord(text: string, at: number, end: number): boolean {
  return (
    (isSpacedLetter(text[at]) && isSpacedLetter(text[at - 1])) ||
    (isSpacedLetter(text[end - 1]) && isSpacedLetter(text[end]))
  );
}

function unspacedHits(words: readonly Word[], { before, after }: Phrase, isExact: boolean): Hit[] {
  const text = textOf(words);
  // Places in both texts are the same while no letter becomes two.
  const folded = (value: string) =>
    isExact || value.toLowerCase().length !== value.length ? value : value.toLowerCase();
  const [all, wanted, whole] = [folded(text), folded(before), folded(after)];
  const within = whole.indexOf(wanted);
  const ends: number[] = [];
  for (const { word } of words) ends.push((ends.at(-1) ?? 0) + word.length);
  const hits: Hit[] = [];
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (dividesWord(text, at, end) || (within >= 0 && all.startsWith(whole, at - within))) continue;
    const from = lowestPlace(ends.length, (place) => (ends[place] as number) > at);
    const until = lowestPlace(ends.length, (place) => (ends[place] as number) >= end) + 1;
    const [first, last] = [from === 0 ? 0 : (ends[from - 1] as number), ends[until - 1] as number];
    const former = hits.at(-1);
    if (former && former.until > from) continue;
    hits.push({ from, until, replacement: text.slice(first, at) + after + text.slice(end, last) });
    at = end - 1;
  }
  return hits;
}

/** The last characters of a text, each whole. */
const endOf = (text: string) => [...text.slice(-2 * CHARACTERS_AROUND)].slice(-CHARACTERS_AROUND).join("");

/** @param middles  those of the words of the utterance */
function placeOf(
  one: SpokenUtterance,
  index: number,
  { from, until, replacement }: Hit,
  middles: WordMiddles,
): PhrasePlace | undefined {
  const words = one.allWords;
  const [start, end] = [middleOf(words[from] as Word), middleOf(words[until - 1] as Word)];
  // Where words overlap in time, their times select others, too.
  const [first, beyond] = middles.select(words, { start, end });
  if (first > from || beyond < until) return undefined;
  const text = joined(words.slice(first, beyond));
  const [before, after] = [words.slice(first, from), words.slice(until, beyond)].map(textOf) as [string, string];
  return {
    index,
    start,
    end,
    channel: one.channel,
    language: one.source.language,
    text,
    replacement: `${before}${replacement}${after}`.trim(),
    text_before: endOf(textOf(words.slice(Math.max(0, first - WORDS_AROUND), first)).trim()),
    text_after: beginningOf(textOf(words.slice(beyond, beyond + WORDS_AROUND)).trim(), CHARACTERS_AROUND),
    words: words.slice(first, beyond),
  };
}

/** Every place, in the order of the utterances. @param corrections  those of the transcript */
export function phrasePlaces(
  transcription: Transcription,
  corrections: readonly Change[],
  phrase: Phrase,
): PhrasePlace[] {
  const isExact = isSpelling(phrase.before, phrase.after);
  const utterances = new SpokenUtterances(transcription);
  utterances.applyAll(corrections);
  return utterances.current().flatMap(({ one, index }) => {
    const { language } = one.source;
    const hitsOf = isUnspaced(language) ? unspacedHits : spacedHits;
    const middles = new WordMiddles();
    return hitsOf(one.allWords, phrase, isExact, language).flatMap((hit) => placeOf(one, index, hit, middles) ?? []);
  });
}

/** @returns whether a place is behind another one */
export const isBehind = (place: PlaceTime, { index, start }: PlaceTime): boolean =>
  place.index > index || (place.index === index && place.start > start);
