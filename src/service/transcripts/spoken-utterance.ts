// A recognised utterance while corrections are applied to it: its words, each with its speaker. Where the speaker
// changes, it is divided. Words are selected by time, which corrections of other words do not change.

import { meanConfidence } from "../../contract/transcript/mean-confidence.ts";
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { isUnspaced } from "../../speech/text/scripts.ts";
import { alignCorrection } from "./correction-alignment.ts";
import { joinedSources } from "./joined-sources.ts";

export type Speaker = number | undefined;

/** Seconds; a missing end is open. */
export interface TimeRange {
  start?: number | undefined;
  end?: number | undefined;
}

/** Consecutive words of one speaker. */
export interface SpeakerRun {
  speaker: Speaker;
  /** The speaker of the recognised utterance. */
  recognised: Speaker;
  start: number;
  end: number;
}

/** A part of a corrected utterance. */
export interface SpokenPart {
  utterance: Utterance;
  /** Whether a person began a paragraph here. */
  isBreak: boolean;
}

/** Confidence of words that a person has checked. */
const CHECKED = 1;

const middleOf = ({ start, end }: Word) => (start + end) / 2;

/** @returns positions of the first selected word and after the last one; equal if none is selected */
export function selectWords(words: readonly Word[], { start, end }: TimeRange): [from: number, until: number] {
  const isSelected = (word: Word) =>
    middleOf(word) >= (start ?? Number.NEGATIVE_INFINITY) && middleOf(word) <= (end ?? Number.POSITIVE_INFINITY);
  const from = words.findIndex(isSelected);
  return from < 0 ? [0, 0] : [from, words.findLastIndex(isSelected) + 1];
}

const joined = (words: readonly Word[]) =>
  words
    .map(({ word }) => word)
    .join("")
    .trim();

/** The space before a word belongs to it, except at the start of an utterance. */
function withoutLeadingSpace(words: readonly Word[]): Word[] {
  return words.map((word, index) => (index === 0 ? { ...word, word: word.word.trimStart() } : word));
}

export class SpokenUtterance {
  private words: readonly Word[];
  private text: string;
  /** One for each word, or one for the whole utterance. */
  private speakers: readonly Speaker[];
  /** Middles of the words that begin a paragraph. */
  private breaks: readonly number[] = [];
  /** The recognised utterances that were joined to this one, itself first. */
  private sources: readonly Utterance[];
  private isChecked = false;

  constructor(public source: Utterance) {
    this.words = source.words;
    this.text = source.text;
    this.speakers = [source.speaker];
    this.sources = [source];
  }

  setText(text: string, range?: TimeRange): void {
    if (range) this.replaceWords(text, range);
    else this.replaceText(text);
  }

  setSpeaker(speaker: number, range?: TimeRange): void {
    if (!range) {
      this.speakers = [speaker];
      return;
    }
    const [from, until] = selectWords(this.words, range);
    if (until === from) return;
    this.speakers = this.words.map((_, at) => (at >= from && at < until ? speaker : this.speakerAt(at)));
  }

  /** A person has checked words. */
  check(range: TimeRange): void {
    const [from, until] = selectWords(this.words, range);
    this.words = this.words.map((word, at) => (at >= from && at < until ? { ...word, confidence: CHECKED } : word));
    this.isChecked ||= until > from;
  }

  break(start: number): void {
    const word = this.words[this.breakAt(start)];
    if (word) this.breaks = [...this.breaks, middleOf(word)];
  }

  removeBreak(start: number): void {
    const at = this.breakAt(start);
    this.breaks = this.breaks.filter((one) => this.breakAt(one) !== at);
  }

  /** Whether the words of the other utterance follow those of this one, in the same channel. */
  isFollowedBy(other: SpokenUtterance): boolean {
    const [last, first] = [this.words.at(-1)?.start ?? this.source.start, other.words[0]?.start ?? other.source.start];
    return this.source.channel === other.source.channel && last <= first;
  }

  /** Appends the words of another utterance. */
  join(other: SpokenUtterance): void {
    const speakers = [...this.wordSpeakers(), ...other.wordSpeakers()];
    const space = isUnspaced(this.source.language) ? "" : " ";
    const isAppended = this.words.length > 0;
    this.source = joinedSources(this.source, other.source, space);
    this.sources = [...this.sources, ...other.sources];
    this.speakers = speakers.length > 0 ? speakers : this.speakers;
    this.words = [
      ...this.words,
      ...other.words.map((word, at) =>
        at === 0 && isAppended ? { ...word, word: space + word.word.trimStart() } : word,
      ),
    ];
    this.text = [this.fullText, other.fullText].filter((text) => text !== "").join(space);
    this.breaks = [...this.breaks, ...other.breaks];
    this.isChecked ||= other.isChecked;
  }

  merge(speaker: number, into: number): void {
    if (this.speakers.includes(speaker)) this.speakers = this.speakers.map((one) => (one === speaker ? into : one));
  }

  split(speaker: number, start: number, into: number): void {
    if (!this.speakers.includes(speaker)) return;
    const { words } = this;
    if (words.length === 0) {
      if (this.source.start >= start) this.speakers = [into];
    } else if ((words.at(-1) as Word).start >= start) {
      this.speakers = words.map((word, at) => {
        const one = this.speakerAt(at);
        return one === speaker && word.start >= start ? into : one;
      });
    }
  }

  /** Stretches of one speaker, in order; at least one. */
  runs(): SpeakerRun[] {
    const isStart = (at: number) =>
      this.speakerAt(at) !== this.speakerAt(at - 1) || this.sourceAt(at) !== this.sourceAt(at - 1);
    return this.partsFrom(isStart).map(({ utterance: { speaker, start, end }, from }) => ({
      speaker,
      start,
      end,
      recognised: this.sourceAt(from).speaker,
    }));
  }

  /** The corrected utterances, in order; at least one. */
  parts(): SpokenPart[] {
    const breaks = new Set(this.breaks.map((start) => this.breakAt(start)));
    const isStart = (at: number) => this.speakerAt(at) !== this.speakerAt(at - 1) || breaks.has(at);
    return this.partsFrom(isStart).map(({ utterance, from }) => ({ utterance, isBreak: from > 0 && breaks.has(from) }));
  }

  /** @param isStart  whether a part begins at a word after the first one */
  private partsFrom(isStart: (at: number) => boolean): { utterance: Utterance; from: number }[] {
    const starts = this.words.flatMap((_, at) => (at === 0 || isStart(at) ? [at] : []));
    if (starts.length <= 1) {
      const { speaker: _, words: __, text: ___, ...rest } = this.source;
      const speaker = this.speakerAt(0);
      const one = { ...rest, text: this.text, words: [...this.words], ...(speaker === undefined ? {} : { speaker }) };
      return [{ utterance: one, from: 0 }];
    }
    return starts.map((from, at) => ({ utterance: this.part(from, starts[at + 1] ?? this.words.length), from }));
  }

  /** Whether its text, its paragraphs or one of its speakers is not as recognised. */
  get isChanged(): boolean {
    return (
      this.text.trim() !== this.source.text.trim() ||
      this.speakers.some((speaker) => speaker !== this.source.speaker) ||
      this.breaks.some((start) => this.breakAt(start) > 0) ||
      this.sources.length > 1
    );
  }

  /** Whether it, or the confidence of its words, is not as recognised. */
  get differs(): boolean {
    return this.isChecked || this.isChanged;
  }

  /** The whole text, of all speakers. */
  get fullText(): string {
    return this.text.trim();
  }

  private speakerAt(at: number): Speaker {
    return this.speakers.length === 1 ? this.speakers[0] : this.speakers[at];
  }

  private wordSpeakers(): Speaker[] {
    return this.words.map((_, at) => this.speakerAt(at));
  }

  /** Position of the word that a break at a time begins; 0 if there is none. */
  private breakAt(start: number): number {
    return Math.max(
      0,
      this.words.findIndex((word) => middleOf(word) >= start),
    );
  }

  /** The recognised utterance that a word is of, by its time. */
  private sourceAt(at: number): Utterance {
    const word = this.words[at];
    const found = word && this.sources.findLast(({ start }) => start <= middleOf(word));
    return found ?? (this.sources[0] as Utterance);
  }

  private part(from: number, until: number): Utterance {
    const { source, words: all } = this;
    const words = withoutLeadingSpace(all.slice(from, until));
    const [first, last] = [words[0] as Word, words.at(-1) as Word];
    const speaker = this.speakerAt(from);
    return {
      text: joined(words),
      language: source.language,
      start: from === 0 ? Math.min(source.start, first.start) : first.start,
      end: until === all.length ? Math.max(source.end, last.end) : last.end,
      confidence: meanConfidence(words),
      channel: source.channel,
      ...(speaker === undefined ? {} : { speaker }),
      words,
    };
  }

  private replaceText(text: string): void {
    const { source } = this;
    const isRecognised = text === source.text.trim();
    const words = isRecognised ? source.words : alignCorrection(source, text);
    if (this.speakers.length > 1) {
      const speakers = this.speakersOf(words, 0, this.words.length);
      this.speakers = speakers.length > 0 ? speakers : [this.speakerAt(0)];
    }
    this.words = words;
    this.text = isRecognised ? source.text : text;
  }

  private replaceWords(text: string, range: TimeRange): void {
    const [from, until] = selectWords(this.words, range);
    const replaced = this.words.slice(from, until);
    const [first, last] = [replaced[0], replaced.at(-1)];
    if (!first || !last || joined(replaced) === text) return;
    const { language } = this.source;
    const aligned =
      text === "" ? [] : alignCorrection({ words: replaced, start: first.start, end: last.end, language }, text);
    const space = /^\s*/.exec(first.word)?.[0] ?? "";
    const now = aligned.map((word, at) => (at === 0 ? { ...word, word: `${space}${word.word}` } : word));
    const [before, after] = [this.words.slice(0, from), this.words.slice(until)];
    const begins = this.breaks.map((one) => this.breakAt(one) === from);
    if (this.speakers.length > 1) {
      const speakers = this.wordSpeakers();
      const own = this.speakersOf(now, from, until);
      this.speakers = [...speakers.slice(0, from), ...own, ...speakers.slice(until)];
      if (this.speakers.length === 0) this.speakers = speakers.slice(0, 1);
    }
    this.words = withoutLeadingSpace([...before, ...now, ...after]);
    const beginning = this.words[from];
    this.breaks = this.breaks.map((one, at) => (begins[at] && beginning ? middleOf(beginning) : one));
    this.text = joined(this.words);
  }

  /** The speakers of new words: those of the former words from..until at their times. */
  private speakersOf(words: readonly Word[], from: number, until: number): Speaker[] {
    return words.map((word) => {
      const at = this.words.findLastIndex(({ start }) => start <= middleOf(word));
      return this.speakerAt(Math.min(Math.max(at, from), until - 1));
    });
  }
}
