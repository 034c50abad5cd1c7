// Writes the words of an utterance with some of them replaced or removed. Marks around them, possessives and the capital at the start
// of a sentence stay.

import { meanConfidence } from "../../contract/transcript/mean-confidence.ts";
import type { Word } from "../../contract/transcript/transcript.ts";
import { upperCase } from "../../speech/text/letter-case.ts";
import { SENTENCE_END } from "../../speech/text/scripts.ts";
import { mayEndSentence } from "../../speech/text/sentences.ts";
import type { Place } from "./spelled-text.ts";

const isSpoken = (text: string) => /[\p{L}\p{N}]/u.test(text);
/** Punctuation and signs, which are written directly behind a word. An emoji is written as a separate word. */
const MARKS_ONLY = /^[\p{P}\p{Sc}\p{Sm}\p{Sk}°©®™]+$/u;
/** Signs of a number or name: the mark behind them belongs to the sentence ("It rose 5%."). */
const SIGN = /[%‰&@#°©®™\p{Sc}\p{Sm}\p{Sk}]/u;
/** Marks within a sentence. A mark that ends a sentence replaces them. */
const WEAK_MARKS = /(?<![,;:、，،–—-])[,;:、，،–—-]+$/u;
const FIRST_LETTER = /\p{L}/u;

const startsSmall = (text: string) => /^[^\p{L}]*\p{Ll}/u.test(text);
const startsCapital = (text: string) => /^[^\p{L}]*\p{Lu}/u.test(text);
/** Words such as "iPhone", "@handle" and ".net" keep their spelling at the start of a sentence. */
const isPlainWord = (text: string) => !/\p{Lu}|^[.@#]/u.test(text.split(/\s/)[0] ?? "");

/** A mark behind a replaced word. "Inc." has its full stop already, and "Yahoo!" ends a sentence as it is. */
const markBehind = (word: string, rest: string): string =>
  SENTENCE_END.test(word) && (rest.startsWith(".") || rest.startsWith(word.slice(-1))) ? rest.slice(1) : rest;
const capitalised = (text: string, language: string) =>
  text.replace(FIRST_LETTER, (letter) => upperCase(letter, language));

export class RespelledWords {
  private readonly written: Word[] = [];
  /** Index of the next word of the utterance, and the start of its part that is not written yet. */
  private next = 0;
  private offset = 0;
  /** Whether the start of a sentence was removed: the next word then gets its capital. */
  private needsCapital = false;
  isChanged = false;

  constructor(
    private readonly words: readonly Word[],
    private readonly language: string,
  ) {}

  /** @param first  first and last character that `wanted` replaces */
  replace(first: Place, last: Place, wanted: string): void {
    this.isChanged = true;
    this.copyUntil(first.word);
    const start = this.words[first.word] as Word;
    const end = this.words[last.word] as Word;
    const replaced = this.words.slice(first.word, last.word + 1);
    const before = start.word.slice(first.word === this.next ? this.offset : 0, first.from);
    const original = first.word === last.word ? start.word.slice(first.from, last.to) : start.word.slice(first.from);
    const times = { start: start.start, end: end.end, confidence: Math.round(meanConfidence(replaced) * 1000) / 1000 };
    this.next = last.word;
    this.offset = last.to;
    if (wanted === "") this.remove(before, original);
    else if (wanted.trim() === "" && !isSpoken(before)) this.breakLine(wanted, original, times);
    else if (MARKS_ONLY.test(wanted) && !isSpoken(before)) this.attach(wanted, times);
    else this.write({ ...times, word: before + this.cased(wanted, original) });
  }

  /** @returns all words */
  end(): Word[] {
    this.copyUntil(this.words.length);
    return this.written;
  }

  private get isSentenceStart(): boolean {
    const previous = this.written.findLast(({ word }) => word.trim() !== "");
    return (
      previous === undefined || mayEndSentence(previous.word.trimEnd(), this.words[this.next]?.word, this.language)
    );
  }

  private cased(wanted: string, original: string): string {
    const keepsCapital = this.needsCapital || (this.isSentenceStart && startsCapital(original));
    return keepsCapital && startsSmall(wanted) && isPlainWord(wanted) ? capitalised(wanted, this.language) : wanted;
  }

  private remove(before: string, original: string): void {
    this.needsCapital ||= this.isSentenceStart && startsCapital(original);
    const rest = this.takeRest();
    if (isSpoken(before) || isSpoken(rest)) {
      this.write({ ...(this.words[this.next - 1] as Word), word: before + rest });
      return;
    }
    this.keepMark(rest);
  }

  /** Writes a line break. The marks of the spoken words are not written behind it: "new paragraph." */
  private breakLine(wanted: string, original: string, times: Pick<Word, "start" | "end" | "confidence">): void {
    this.needsCapital ||= this.isSentenceStart && startsCapital(original);
    const rest = this.takeRest();
    if (!isSpoken(rest)) this.keepMark(rest);
    this.written.push({ ...times, word: isSpoken(rest) ? wanted + rest : wanted });
  }

  /** One mark stays: that of the word before, or a stronger one behind what was removed. */
  private keepMark(rest: string): void {
    const previous = this.written.at(-1);
    if (!previous || rest === "" || previous.word.trim() === "" || SENTENCE_END.test(previous.word)) return;
    const isStronger = SENTENCE_END.test(rest);
    const stem = isStronger ? previous.word.replace(WEAK_MARKS, "") : previous.word;
    const isMarked = WEAK_MARKS.test(stem);
    this.written[this.written.length - 1] = { ...previous, word: isMarked ? stem : stem + rest };
  }

  /** Appends a mark to the word before it. It replaces marks of that word and, unless it is a sign, of the spoken mark. */
  private attach(mark: string, times: Pick<Word, "start" | "end" | "confidence">): void {
    const rest = this.takeRest();
    const previous = this.written.at(-1);
    const kept = isSpoken(rest) || SIGN.test(mark) ? rest : "";
    if (!previous) {
      this.write({ ...times, word: mark + kept });
      return;
    }
    this.written[this.written.length - 1] = {
      ...previous,
      word: previous.word.replace(WEAK_MARKS, "") + mark + kept,
      end: times.end,
    };
  }

  /** The rest of the word that is being replaced. */
  private takeRest(): string {
    const rest = this.words[this.next]?.word.slice(this.offset) ?? "";
    this.next++;
    this.offset = 0;
    return rest;
  }

  /** Writes the remaining words before this one. */
  private copyUntil(word: number): void {
    while (this.next < word) {
      const copied = this.words[this.next] as Word;
      const { offset } = this;
      const rest = this.takeRest();
      const previous = this.written.at(-1);
      if (offset === 0) this.write(copied);
      else if (previous && rest !== "") {
        const joined = markBehind(previous.word, rest);
        this.written[this.written.length - 1] = { ...previous, word: previous.word + joined };
      }
    }
  }

  private write(word: Word): void {
    const isFirst = this.written.length === 0;
    let text = isFirst && this.isChanged ? word.word.trimStart() : word.word;
    if (this.needsCapital && FIRST_LETTER.test(text)) {
      if (startsSmall(text) && isPlainWord(text.trim())) text = capitalised(text, this.language);
      this.needsCapital = false;
    }
    this.written.push({ ...word, word: text });
  }
}
