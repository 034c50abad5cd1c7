// Finds the term that a stretch of words sounds like. A vocabulary may have 10,000 forms, and live sessions search it for every partial
// on the service's thread: forms are grouped by their number of words and by sound, and most groups are left out by two comparisons of
// numbers. The work of one utterance has a bound.

import { atOnce, type Steps } from "../../platform/process/steps.ts";
import type { VocabularyTerm } from "../../speech/recognition/vocabulary.ts";
import { editDistanceWithin, lettersOf, soundOf } from "../../speech/text/sound.ts";
import { foldedLetters, type Said, signForms, standFor } from "./sign-forms.ts";

/** Terms with fewer sounds resemble too many other words. */
const LEAST_SOUNDS = 4;
/** Largest share of differing sounds at an intensity of 0, and its increase at 1. */
const LEAST_TOLERANCE = 0.1;
const TOLERANCE_GROWTH = 0.2;
/** Letters may differ more than sounds: vowels are recognised worst. */
const MOST_DIFFERENT_LETTERS = 0.5;
const MOST_DIFFERENT_LENGTH = 2;
/**
 * Cells of edit distances of one utterance, about 100 ms. Ten thousand names against sixty words take a fiftieth of it; above it, words
 * stay as they were recognised.
 */
const MOST_CELLS = 20_000_000;
/** Words of "AT & T" in a text: the sign may be one. */
const MOST_SIGN_WORDS = 3;
/** Rounding errors of sums of shares. */
const EPSILON = 1e-9;

interface Form {
  value: string;
  letters: string;
  /** Largest share of differing sounds. */
  tolerance: number;
  /** Place among the forms of the request: of equal ones, the first applies. */
  order: number;
}

/** Forms that sound the same. */
interface Group {
  sound: string;
  /** A bit for each sound that occurs. */
  sounds: number;
  tolerance: number;
  forms: Form[];
}

export interface SoundMatch {
  value: string;
  /** Differing sounds and letters as shares, summed: less is better. */
  difference: number;
}

/** A term that a text stands for, letter by letter. */
interface Pronounced {
  value: string;
  /** Of the texts in which it applies; undefined for all. */
  language: string | undefined;
  /** Words of the form with spoken signs; undefined for other pronunciations. */
  spoken: readonly string[] | undefined;
}

function bitsOf(sound: string): number {
  let bits = 0;
  for (let at = 0; at < sound.length; at++) bits |= 1 << (sound.charCodeAt(at) & 31);
  return bits;
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

const cellsOf = (length: number, most: number) => (2 * most + 1) * length;

/** Searches for one utterance. */
export interface VocabularySearch {
  /** @param words  number of words of the text @param text  their letters, without spaces */
  best(words: number, text: string): SoundMatch | undefined;
}

export class VocabularyIndex {
  /** By number of words, then by number of sounds. */
  private readonly groups = new Map<number, Map<number, Group[]>>();
  /** Least and most letters of the forms, by number of words. */
  private readonly letters = new Map<number, [least: number, most: number]>();

  /** Terms by their pronunciations, as `foldedLetters`. */
  private readonly pronunciations = new Map<string, Pronounced[]>();
  /** Words of the longest pronunciation. */
  private longestPronunciation = 0;
  /** Letters of the pronunciation with the most. */
  private mostPronounced = 0;

  constructor(terms: readonly VocabularyTerm[]) {
    atOnce(this.addTerms(terms));
  }

  static *making(terms: readonly VocabularyTerm[]): Steps<VocabularyIndex> {
    const index = new VocabularyIndex([]);
    yield* index.addTerms(terms);
    return index;
  }

  private *addTerms(terms: readonly VocabularyTerm[]): Steps<void> {
    yield* this.addPronunciations(terms);
    const bySound = new Map<string, Group>();
    let order = 0;
    for (const { value, intensity, pronunciations, language = "en" } of terms) {
      if (intensity <= 0 || language !== "en") continue;
      yield;
      const tolerance = LEAST_TOLERANCE + TOLERANCE_GROWTH * intensity;
      for (const form of [value, ...pronunciations]) {
        this.add(bySound, form, { value, letters: lettersOf(form), tolerance, order: order++ });
      }
    }
  }

  private *addPronunciations(terms: readonly VocabularyTerm[]): Steps<void> {
    const values = new Map<string, string>();
    for (const { value } of terms) {
      yield;
      values.set(foldedLetters(value), value);
    }
    const add = (letters: string, length: number, one: Pronounced) => {
      // A pronunciation that is another term of the vocabulary stays as it is.
      if (letters === "" || (values.get(letters) ?? one.value) !== one.value) return;
      const known = this.pronunciations.get(letters);
      if (known) known.push(one);
      else this.pronunciations.set(letters, [one]);
      this.mostPronounced = Math.max(this.mostPronounced, letters.length);
      this.longestPronunciation = Math.max(this.longestPronunciation, length);
    };
    for (const { value, language, intensity, pronunciations } of terms) {
      yield;
      if (intensity <= 0) continue;
      const plain = { value, language, spoken: undefined };
      for (const pronunciation of pronunciations)
        add(foldedLetters(pronunciation), pronunciation.trim().split(/\s+/).length, plain);
      for (const { letters, spoken } of language === undefined || language === "en" ? signForms(value) : [])
        add(letters, spoken?.length ?? MOST_SIGN_WORDS, { value, language: "en", spoken });
    }
  }

  /**
   * The term of which a text is a pronunciation, letter by letter.
   * @param letters  of the text, folded
   */
  pronounced(letters: string, language: string, said: () => Said): string | undefined {
    if (letters.length > this.mostPronounced) return undefined;
    return this.pronunciations
      .get(letters)
      ?.find((one) => (one.language ?? language) === language && (!one.spoken || standFor(one.spoken, said())))?.value;
  }

  private add(bySound: Map<string, Group>, written: string, form: Form): void {
    const sound = soundOf(written);
    if (sound.length < LEAST_SOUNDS) return;
    const words = written.trim().split(/\s+/).length;
    const [least, most] = this.letters.get(words) ?? [Number.POSITIVE_INFINITY, 0];
    this.letters.set(words, [Math.min(least, form.letters.length), Math.max(most, form.letters.length)]);
    const key = `${words} ${sound}`;
    let group = bySound.get(key);
    if (!group) {
      group = { sound, sounds: bitsOf(sound), tolerance: 0, forms: [] };
      bySound.set(key, group);
      const byLength = this.groups.get(words) ?? new Map<number, Group[]>();
      this.groups.set(words, byLength);
      const same = byLength.get(sound.length) ?? [];
      byLength.set(sound.length, same);
      same.push(group);
    }
    group.tolerance = Math.max(group.tolerance, form.tolerance);
    group.forms.push(form);
  }

  get isEmpty(): boolean {
    return this.groups.size === 0 && this.pronunciations.size === 0;
  }

  /** Words of the longest stretch that can match. */
  longestIn(language: string): number {
    const ofSounds = this.comparesSounds(language) ? Math.max(0, ...this.groups.keys()) : 0;
    return Math.max(ofSounds, this.longestPronunciation) + 1;
  }

  /** Letters of the longest stretch that can match. */
  mostLettersIn(language: string): number {
    const most = this.comparesSounds(language) ? [...this.letters.values()].map(([, most]) => most) : [];
    return Math.max(this.mostPronounced, (1 + MOST_DIFFERENT_LETTERS) * Math.max(0, ...most));
  }

  /** Sounds are compared by English rules. */
  comparesSounds(language: string): boolean {
    return language === "en" && this.groups.size > 0;
  }

  search(): VocabularySearch {
    const known = new Map<string, SoundMatch | undefined>();
    let cells = 0;
    return {
      best: (words, text) => {
        if (this.countsFor(words, text).length === 0) return undefined;
        const key = `${words} ${text}`;
        if (known.has(key) || cells > MOST_CELLS) return known.get(key);
        const candidates = this.candidates(words, text);
        const finding = new Finding(text, candidates.sound, MOST_CELLS - cells);
        for (const group of candidates.groups) finding.consider(group);
        cells += finding.cells;
        known.set(key, finding.best);
        return finding.best;
      },
    };
  }

  /** Numbers of words of forms that a text may resemble. */
  private countsFor(words: number, text: string): number[] {
    return [words - 1, words, words + 1].filter((count) => {
      const [least, most] = this.letters.get(count) ?? [Number.POSITIVE_INFINITY, 0];
      return text.length >= (1 - MOST_DIFFERENT_LETTERS) * least && text.length <= (1 + MOST_DIFFERENT_LETTERS) * most;
    });
  }

  private candidates(words: number, text: string): { sound: string; groups: Group[] } {
    const counts = this.countsFor(words, text);
    const sound = soundOf(text);
    const groups: Group[] = [];
    for (const count of counts) {
      for (let shift = -MOST_DIFFERENT_LENGTH; shift <= MOST_DIFFERENT_LENGTH; shift++) {
        for (const group of this.groups.get(count)?.get(sound.length + shift) ?? []) groups.push(group);
      }
    }
    return { sound, groups };
  }
}

/** The search for one stretch of words. */
class Finding {
  best: (SoundMatch & { order: number }) | undefined;
  cells = 0;
  private readonly sounds: number;

  constructor(
    private readonly text: string,
    private readonly sound: string,
    private readonly mostCells: number,
  ) {
    this.sounds = bitsOf(sound);
  }

  consider({ sound, sounds, tolerance, forms }: Group): void {
    const most = Math.floor(tolerance * sound.length + EPSILON);
    // Each edit changes at most two of the sounds that occur.
    if (this.cells > this.mostCells || countBits(sounds ^ this.sounds) > 2 * most) return;
    this.cells += cellsOf(sound.length, most);
    const distance = editDistanceWithin(this.sound, sound, most);
    if (distance > most) return;
    const share = distance / sound.length;
    for (const form of forms) if (share <= form.tolerance) this.compare(form, share);
  }

  private compare({ value, letters, order }: Form, share: number): void {
    if (this.cells > this.mostCells) return;
    const left = (this.best?.difference ?? Number.POSITIVE_INFINITY) - share;
    const most = Math.floor(Math.min(MOST_DIFFERENT_LETTERS, left) * letters.length + EPSILON);
    if (most < 0) return;
    this.cells += cellsOf(letters.length, most);
    const distance = editDistanceWithin(this.text, letters, most);
    if (distance > most) return;
    const spelled = distance / letters.length;
    const difference = share + spelled;
    if (spelled > MOST_DIFFERENT_LETTERS) return;
    const isBetter = !this.best || difference < this.best.difference;
    const isEarlier = this.best !== undefined && difference === this.best.difference && order < this.best.order;
    if (isBetter || isEarlier) this.best = { value, difference, order };
  }
}
