// Divides a spoken utterance where its speaker or its paragraph changes.
import { meanConfidence } from "../../contract/transcript/mean-confidence.ts";
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import type { RecognisedPart } from "./joined-sources.ts";
import { LastStarts, middleOf } from "./word-middles.ts";

export type Speaker = number | undefined;

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

/** An utterance with the corrections that were applied to it. */
export interface SpokenContent {
  source: Utterance;
  /** The recognised utterances of which it is, in order. */
  sources: readonly RecognisedPart[];
  words: readonly Word[];
  text: string;
  speakerAt(at: number): Speaker;
}

export const joined = (words: readonly Word[]) =>
  words
    .map(({ word }) => word)
    .join("")
    .trim();

/** The space before a word belongs to it, except at the start of an utterance. */
function withoutLeadingSpace(words: readonly Word[]): Word[] {
  return words.map((word, index) => (index === 0 ? { ...word, word: word.word.trimStart() } : word));
}

function partOf(content: SpokenContent, from: number, until: number): Utterance {
  const { source, words: all } = content;
  const words = withoutLeadingSpace(all.slice(from, until));
  const [first, last] = [words[0] as Word, words.at(-1) as Word];
  const speaker = content.speakerAt(from);
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

/** @param isStart  whether a part begins at a word after the first one */
function partsFrom(content: SpokenContent, isStart: (at: number) => boolean): { utterance: Utterance; from: number }[] {
  const { words } = content;
  const starts = words.flatMap((_, at) => (at === 0 || isStart(at) ? [at] : []));
  if (starts.length <= 1) {
    const { speaker: _, words: __, text: ___, ...rest } = content.source;
    const speaker = content.speakerAt(0);
    const one = { ...rest, text: content.text, words: [...words], ...(speaker === undefined ? {} : { speaker }) };
    return [{ utterance: one, from: 0 }];
  }
  return starts.map((from, at) => ({ utterance: partOf(content, from, starts[at + 1] ?? words.length), from }));
}

/** @returns stretches of one speaker, in order; at least one */
export function speakerRuns(content: SpokenContent): SpeakerRun[] {
  const { sources, words } = content;
  const starts = new LastStarts(sources.map(({ source }) => source.start));
  // By its time, which corrections keep.
  const recognised = (at: number) => {
    const word = words[at];
    return sources[word ? Math.max(0, starts.placeAt(middleOf(word))) : 0]?.source as Utterance;
  };
  const isStart = (at: number) =>
    content.speakerAt(at) !== content.speakerAt(at - 1) || recognised(at) !== recognised(at - 1);
  return partsFrom(content, isStart).map(({ utterance: { speaker, start, end }, from }) => ({
    speaker,
    start,
    end,
    recognised: recognised(from).speaker,
  }));
}

/** @param breaks  places of the words that begin a paragraph @returns the corrected utterances, in order; at least one */
export function dividedParts(content: SpokenContent, breaks: ReadonlySet<number>): SpokenPart[] {
  const isStart = (at: number) => content.speakerAt(at) !== content.speakerAt(at - 1) || breaks.has(at);
  return partsFrom(content, isStart).map(({ utterance, from }) => ({
    utterance,
    isBreak: from > 0 && breaks.has(from),
  }));
}
