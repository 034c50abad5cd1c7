// A recognised utterance while corrections are applied to it: its words, each with its speaker. Where the speaker
// changes, it is divided. Words are selected by time, which corrections of other words do not change.

import { meanConfidence } from "../../contract/transcript/mean-confidence.ts";
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { alignCorrection } from "./correction-alignment.ts";

export type Speaker = number | undefined;

/** Seconds; a missing end is open. */
export interface TimeRange {
  start?: number | undefined;
  end?: number | undefined;
}

/** Consecutive words of one speaker. */
export interface SpeakerRun {
  speaker: Speaker;
  start: number;
  end: number;
}

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

  constructor(readonly source: Utterance) {
    this.words = source.words;
    this.text = source.text;
    this.speakers = [source.speaker];
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
    return this.parts().map(({ speaker, start, end }) => ({ speaker, start, end }));
  }

  /** The corrected utterances, in order; at least one. */
  parts(): Utterance[] {
    const starts = this.words.flatMap((_, at) =>
      at === 0 || this.speakerAt(at) !== this.speakerAt(at - 1) ? [at] : [],
    );
    if (starts.length <= 1) {
      const { speaker: _, words: __, text: ___, ...rest } = this.source;
      const speaker = this.speakerAt(0);
      return [{ ...rest, text: this.text, words: [...this.words], ...(speaker === undefined ? {} : { speaker }) }];
    }
    return starts.map((from, at) => this.part(from, starts[at + 1] ?? this.words.length));
  }

  /** Whether its text, or one of its speakers, is not as recognised. */
  get isChanged(): boolean {
    return (
      this.text.trim() !== this.source.text.trim() || this.speakers.some((speaker) => speaker !== this.source.speaker)
    );
  }

  /** The whole text, of all speakers. */
  get fullText(): string {
    return this.text.trim();
  }

  private speakerAt(at: number): Speaker {
    return this.speakers.length === 1 ? this.speakers[0] : this.speakers[at];
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
    this.keepSpeakers(isRecognised ? source.words : alignCorrection(source, text));
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
    this.keepSpeakers(withoutLeadingSpace([...this.words.slice(0, from), ...now, ...this.words.slice(until)]));
    this.text = joined(this.words);
  }

  /** Replaces the words; each gets the speaker of the former word at its time. */
  private keepSpeakers(words: readonly Word[]): void {
    const before = this.words;
    if (this.speakers.length > 1) {
      const speakers = words.map((word) => {
        const at = before.findLastIndex(({ start }) => start <= middleOf(word));
        return this.speakerAt(Math.max(0, at));
      });
      this.speakers = speakers.length > 0 ? speakers : [this.speakerAt(0)];
    }
    this.words = words;
  }
}
