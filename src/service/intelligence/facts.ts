// Compares names, numbers, times and quotes in the answer of a language model with the transcript. Reports those that the transcript
// does not contain, or removes the sentences with them.

import { normalized } from "../../contract/normalized.ts";
import { textSentences } from "../../speech/text/sentences.ts";
import { parseEnglish } from "./english-grammar.ts";

/** Languages in which every noun has a capital, so that capitals do not identify names. */
const CAPITALISED_NOUNS = new Set(["de", "lb"]);
const ENGLISH = "en";
/** Words with a capital that are not names. */
const NO_NAMES = new Set("i i'm i'll i've i'd ok okay mr mrs ms dr prof".split(" "));
const NUMBER_WORDS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ENGLISH_NUMBERS = new Map([
  ...NUMBER_WORDS.map((word, value) => [word, value] as const),
  ...TENS.map((word, at) => [word, (at + 2) * 10] as const),
]);
/** In other languages small numbers are often words, which are not compared. */
const SMALL_NUMBER = 12;
const LEAST_QUOTED_WORDS = 2;

const NUMBER = /\d+(?:[.,:]\d+)*/g;
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu;
const QUOTE = /["“”„«»]([^"“”„«»]{3,400})["“”„«»]/g;

const folded = (word: string) =>
  normalized(word, "NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("’", "'").replace(/'s$/, "");

/** 1,200 and 1200 are one number; 12:30 is a time. */
const numberOf = (text: string) => text.replace(/(?<=\d),(?=\d{3}\b)/g, "").replace(/\.0+$/, "");

const wordsOf = (text: string) => (text.match(WORD) ?? []).map(folded);

/** Values of number words, alone and combined: twenty, five, twenty-five. */
function spelledNumbers(words: readonly string[]): number[] {
  const values = words.flatMap((word) => word.split("-")).map((word) => ENGLISH_NUMBERS.get(word));
  return values.flatMap((value, at) => {
    if (value === undefined) return [];
    const next = values[at + 1];
    const isPair = value >= 20 && next !== undefined && next > 0 && next < 10;
    return isPair ? [value, value + next] : [value];
  });
}

export interface FactOptions {
  /** Every word may have a capital. */
  isTitle?: boolean;
}

export class TranscriptFacts {
  private readonly words: ReadonlySet<string>;
  private readonly numbers: ReadonlySet<string>;
  private readonly running: string;

  /**
   * @param source    texts whose facts an answer may contain: the transcript, the prompt, names of speakers
   * @param language  ISO 639 code of the answer
   */
  constructor(
    source: string,
    private readonly language = ENGLISH,
  ) {
    const words = wordsOf(source);
    this.words = new Set(words.flatMap((word) => [word, ...word.split("-")]));
    const digits = (source.match(NUMBER) ?? []).map(numberOf);
    this.numbers = new Set([
      ...digits,
      ...digits.flatMap((number) => number.split(/[.,:]/)),
      ...spelledNumbers(words).map(String),
    ]);
    this.running = ` ${words.join(" ")} `;
  }

  /** Names, numbers and quotes that are not in the transcript, as they are written in the text. */
  missing(text: string, { isTitle = false }: FactOptions = {}): string[] {
    return [
      ...new Set([...this.missingNumbers(text), ...this.missingNames(text, isTitle), ...this.missingQuotes(text)]),
    ];
  }

  /** Whether the transcript contains one of the longer words of the text; any word if there are no longer ones. */
  mentions(text: string): boolean {
    const words = wordsOf(text);
    const long = words.filter((word) => word.length > 3 || /\d/.test(word));
    return (long.length > 0 ? long : words).some((word) => this.words.has(word));
  }

  /** The text without the sentences or list items that contain missing facts. */
  withoutUnsupported(text: string): { text: string; dropped: number } {
    let dropped = 0;
    const lines = text.split("\n").map((line) => {
      const sentences = textSentences(line, this.language);
      const kept = sentences.filter((sentence) => this.missing(sentence).length === 0);
      dropped += sentences.length - kept.length;
      return { line: kept.join(" "), isEmptied: kept.length < sentences.length && kept.length === 0 };
    });
    const kept = lines.filter(({ isEmptied }) => !isEmptied).map(({ line }) => line);
    return { text: kept.join("\n").trim(), dropped };
  }

  private hasNumber(text: string): boolean {
    const number = numberOf(text);
    if (this.numbers.has(number)) return true;
    return this.language !== ENGLISH && Number(number) <= SMALL_NUMBER;
  }

  private missingNumbers(text: string): string[] {
    // The number of a point in a list is not a fact.
    const facts = text.replace(/(?<![^\n])[^\S\n]*\d{1,2}[.)]\s/g, "");
    const digits = (facts.match(NUMBER) ?? []).filter((number) => !this.hasNumber(number));
    if (this.language !== ENGLISH) return digits;
    const words = wordsOf(text).flatMap((word) => word.split("-"));
    const spelled = words.filter((word) => {
      const value = ENGLISH_NUMBERS.get(word);
      return value !== undefined && value > 1 && !this.words.has(word) && !this.numbers.has(String(value));
    });
    return [...digits, ...spelled];
  }

  private missingNames(text: string, isTitle: boolean): string[] {
    const found = this.language === ENGLISH ? this.namesByGrammar(text) : [];
    if (isTitle || CAPITALISED_NOUNS.has(this.language)) return found;
    for (const sentence of text.split("\n").flatMap((line) => textSentences(line, this.language))) {
      const matches = [...sentence.matchAll(WORD)];
      for (const [at, { 0: word, index }] of matches.entries()) {
        const isAtStart = at === 0 || /[:"“„«(]\s*$/.test(sentence.slice(0, index));
        const hasCapital = /^\p{Lu}/u.test(word);
        if (!hasCapital || isAtStart || this.isKnown(word)) continue;
        found.push(word);
      }
    }
    return found;
  }

  private isKnown(word: string): boolean {
    const plain = folded(word);
    return NO_NAMES.has(plain) || plain.split("-").every((part) => this.words.has(part) || this.words.has(`${part}s`));
  }

  /** Names at the start of a sentence too, where a capital does not identify them. */
  private namesByGrammar(text: string): string[] {
    const named = parseEnglish(text)
      .match("(#FirstName|#LastName|#Person|#Place|#Organization)")
      .out("array") as string[];
    return named
      .flatMap((name) => name.match(WORD) ?? [])
      .filter((word) => /^\p{Lu}/u.test(word) && !this.isKnown(word));
  }

  private missingQuotes(text: string): string[] {
    return [...text.matchAll(QUOTE)]
      .map(([, quote = ""]) => quote)
      .filter((quote) => wordsOf(quote).length >= LEAST_QUOTED_WORDS)
      .filter((quote) => !this.running.includes(` ${wordsOf(quote).join(" ")} `));
  }
}
