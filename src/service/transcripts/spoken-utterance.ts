// A recognised utterance while corrections are applied to it: its words, each with its speaker. Where the speaker
// changes, it is divided. Words are selected by time, which corrections of other words do not change.

import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { isUnspaced } from "../../speech/text/scripts.ts";
import { BreakTimes } from "./break-times.ts";
import { alignCorrection, alignWords } from "./correction-alignment.ts";
import { joinedSource, type RecognisedPart } from "./joined-sources.ts";
import {
  dividedParts,
  joined,
  type Speaker,
  type SpeakerRun,
  type SpokenContent,
  type SpokenPart,
  speakerRuns,
} from "./spoken-parts.ts";
import { LastStarts, middleOf, type TimeRange, WordMiddles } from "./word-middles.ts";

/** Confidence of words that a person has checked. */
const CHECKED = 1;

export class SpokenUtterance {
  readonly channel: number;
  private readonly language: string;
  private words: Word[];
  private readonly middles = new WordMiddles();
  /** Missing after a change of words: it is that of the words. */
  private text: string | undefined;
  /** One for each word, or one for the whole utterance. */
  private speakers: Speaker[];
  /** Middles of the words that begin a paragraph. */
  private readonly breaks = new BreakTimes();
  /** The recognised utterances that were joined to this one, itself first. */
  private readonly sources: RecognisedPart[];
  private isChecked = false;
  /** The first and the last utterance whose words are not appended yet. */
  private pending: { first: SpokenUtterance; last: SpokenUtterance } | undefined;
  /** The pending one after this one. */
  private next: SpokenUtterance | undefined;
  /** Between the words before and its own, where it is joined to another one. */
  private space = "";
  /** Where the earliest recognised utterance of it starts. */
  start: number;
  /** Starts of the first and the last word, with those that are not appended yet. */
  private wordStarts: { first: number; last: number } | undefined;
  private whole: Utterance | undefined;

  constructor(source: Utterance) {
    this.channel = source.channel;
    this.language = source.language;
    this.words = [...source.words];
    this.text = source.text;
    this.speakers = [source.speaker];
    this.sources = [{ source, space: "" }];
    this.start = source.start;
    this.wordsChangedFrom(0);
  }

  /** As recognised, and joined. */
  get source(): Utterance {
    this.appendPending();
    this.whole ??= joinedSource(this.sources);
    return this.whole;
  }

  /** The recognised utterances of which it consists, in order; at least one. */
  readonly recognised = (): readonly Utterance[] => this.content().sources.map(({ source }) => source);

  /** Its words, with those of the utterances that were joined to it. */
  get allWords(): readonly Word[] {
    this.appendPending();
    return this.words;
  }

  /** The speaker of each word; of an utterance without words, its own. */
  get allSpeakers(): readonly Speaker[] {
    return this.allWords.length === 0 ? this.speakers.slice(0, 1) : this.wordSpeakers();
  }

  setText(text: string, range?: TimeRange): void {
    if (range) this.replaceWords(text, range);
    else this.replaceText(text);
  }

  setSpeaker(speaker: number, range?: TimeRange): void {
    const words = this.allWords;
    if (!range) {
      this.speakers = [speaker];
      return;
    }
    const [from, until] = this.middles.select(words, range);
    if (until === from) return;
    if (this.speakers.length < words.length) this.speakers = this.wordSpeakers();
    this.speakers.fill(speaker, from, until);
  }

  check(range: TimeRange): void {
    const [from, until] = this.middles.select(this.allWords, range);
    for (let at = from; at < until; at++) this.words[at] = { ...(this.words[at] as Word), confidence: CHECKED };
    this.isChecked ||= until > from;
  }

  /** @returns whether a word after the first one begins a paragraph that did not before */
  break(start: number): boolean {
    const at = this.breakAt(start);
    const word = this.words[at];
    if (!word) return false;
    const isThere = this.breaks.has(this.middles.timesOf(this.words, at));
    this.breaks.add(middleOf(word));
    return at > 0 && !isThere;
  }

  /** @returns whether a word after the first one began a paragraph */
  removeBreak(start: number): boolean {
    const at = this.breakAt(start);
    return this.takeBreaks(at) && at > 0;
  }

  /** Whether the words of the other utterance follow those of this one, in the same channel. */
  isFollowedBy(other: SpokenUtterance): boolean {
    const [last, first] = [this.wordStarts?.last ?? this.start, other.wordStarts?.first ?? other.start];
    return this.channel === other.channel && last <= first;
  }

  /** Appends the words of another utterance, which is not used by itself afterwards. The work is done when they are needed. */
  join(other: SpokenUtterance): void {
    other.space = isUnspaced(this.language) ? "" : " ";
    if (this.pending) this.pending.last.next = other;
    this.pending = { first: this.pending?.first ?? other, last: other.pending?.last ?? other };
    other.next = other.pending?.first;
    this.start = Math.min(this.start, other.start);
    const [own, others] = [this.wordStarts, other.wordStarts];
    this.wordStarts = own && others ? { first: own.first, last: others.last } : (own ?? others);
    this.isChecked ||= other.isChecked;
    this.whole = undefined;
  }

  merge(speaker: number, into: number): void {
    this.appendPending();
    if (this.speakers.includes(speaker)) this.speakers = this.speakers.map((one) => (one === speaker ? into : one));
  }

  split(speaker: number, start: number, into: number): void {
    const words = this.allWords;
    if (!this.speakers.includes(speaker)) return;
    if (words.length === 0) {
      if (this.start >= start) this.speakers = [into];
    } else if ((words.at(-1) as Word).start >= start) {
      this.speakers = words.map((word, at) => {
        const one = this.speakerAt(at);
        return one === speaker && word.start >= start ? into : one;
      });
    }
  }

  /** Stretches of one speaker, in order; at least one. */
  runs(): SpeakerRun[] {
    return speakerRuns(this.content());
  }

  /** The corrected utterances, in order; at least one. */
  parts(): SpokenPart[] {
    return dividedParts(this.content(), new Set(this.breakPlaces()));
  }

  /** Whether its text, its paragraphs or one of its speakers is not as recognised. */
  get isChanged(): boolean {
    if (this.pending || this.sources.length > 1) return true;
    const { text, speaker: recognised } = this.source;
    return (
      this.fullText !== text.trim() ||
      this.speakers.some((speaker) => speaker !== recognised) ||
      this.breakPlaces().some((at) => at > 0)
    );
  }

  /** Whether it, or the confidence of its words, is not as recognised. */
  get differs(): boolean {
    return this.isChecked || this.isChanged;
  }

  /** The whole text, of all speakers. */
  get fullText(): string {
    this.appendPending();
    return this.textBefore().trim();
  }

  private content(): SpokenContent {
    const { source, sources, words } = this;
    return { source, sources, words, text: this.textBefore(), speakerAt: (at) => this.speakerAt(at) };
  }

  private speakerAt(at: number): Speaker {
    return this.speakers.length === 1 ? this.speakers[0] : this.speakers[at];
  }

  private wordSpeakers(): Speaker[] {
    return this.words.map((_, at) => this.speakerAt(at));
  }

  /** Position of the word that a break at a time begins; 0 if there is none. */
  private breakAt(start: number): number {
    const words = this.allWords;
    const at = this.middles.placeAt(words, start);
    return at < words.length ? at : 0;
  }

  private breakPlaces(): number[] {
    this.appendPending();
    return this.breaks.all.map((start) => this.breakAt(start));
  }

  /** @returns whether there were breaks at a word */
  private takeBreaks(at: number): boolean {
    if (this.breaks.all.length === 0) return false;
    const isTaken = this.breaks.remove(this.middles.timesOf(this.words, at));
    if (at > 0) return isTaken;
    return this.breaks.remove(this.middles.timesOf(this.words, this.words.length)) || isTaken;
  }

  private textBefore(): string {
    this.text ??= joined(this.words);
    return this.text;
  }

  private appendPending(): void {
    if (!this.pending) return;
    let text = this.textBefore().trim();
    for (let one: SpokenUtterance | undefined = this.pending.first; one; one = one.next) {
      const added = one.textBefore().trim();
      text += text === "" || added === "" ? added : one.space + added;
      this.appendWords(one);
      this.breaks.addAll(one.breaks);
      for (const [at, part] of one.sources.entries()) {
        this.sources.push(at === 0 ? { ...part, space: one.space } : part);
      }
    }
    this.text = text;
    this.pending = undefined;
  }

  private appendWords({ words, speakers, space }: SpokenUtterance): void {
    const [head] = words;
    if (!head) return;
    const isAppended = this.words.length > 0;
    if (!isAppended) this.speakers = [...speakers];
    else if (this.speakers.length > 1 || speakers.length > 1 || this.speakers[0] !== speakers[0]) {
      if (this.speakers.length < this.words.length) this.speakers = this.wordSpeakers();
      for (const at of words.keys()) this.speakers.push(speakers.length === 1 ? speakers[0] : speakers[at]);
    }
    for (const word of words) this.words.push(word);
    if (isAppended) this.words[this.words.length - words.length] = { ...head, word: space + head.word.trimStart() };
  }

  private replaceText(text: string): void {
    const { source } = this;
    const isRecognised = text === source.text.trim();
    const words = isRecognised ? source.words : alignCorrection(source, text);
    if (this.speakers.length > 1) {
      const speakers = this.speakersOf(words, 0, this.words.length);
      this.speakers = speakers.length > 0 ? speakers : [this.speakerAt(0)];
    }
    this.words = [...words];
    this.wordsChangedFrom(0);
    this.text = isRecognised ? source.text : text;
  }

  private replaceWords(text: string, range: TimeRange): void {
    const [from, until] = this.middles.select(this.allWords, range);
    const replaced = this.words.slice(from, until);
    if (until === from || joined(replaced) === text) return;
    const now = alignWords(replaced, this.language, text);
    const begins = this.takeBreaks(from);
    if (this.speakers.length > 1) {
      const before = this.speakerAt(0);
      this.speakers.splice(from, until - from, ...this.speakersOf(now, from, until));
      if (this.speakers.length === 0) this.speakers = [before];
    }
    this.words.splice(from, until - from, ...now);
    const [head] = this.words;
    if (head) this.words[0] = { ...head, word: head.word.trimStart() };
    this.wordsChangedFrom(from);
    const beginning = this.words[from];
    if (begins && beginning) this.breaks.add(middleOf(beginning));
    this.text = undefined;
  }

  private wordsChangedFrom(at: number): void {
    this.middles.changedFrom(at);
    const [first, last] = [this.words[0], this.words.at(-1)];
    this.wordStarts = first && last && { first: first.start, last: last.start };
  }

  /** The speakers of new words: those of the former words from..until at their times. */
  private speakersOf(words: readonly Word[], from: number, until: number): Speaker[] {
    const former = new LastStarts(this.words.slice(from, until).map(({ start }) => start));
    return words.map((word) => this.speakerAt(from + Math.max(0, former.placeAt(middleOf(word)))));
  }
}
