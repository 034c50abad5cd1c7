// Builds the transcript from recognised segments.

import { mostFrequentFirst } from "../../contract/most-frequent.ts";
import { meanConfidence } from "../../contract/transcript/mean-confidence.ts";
import { milliseconds, type Transcription, type Utterance, type Word } from "../../contract/transcript/transcript.ts";
import { type Gap, recordingClock } from "../../speech/audio/decode/gaps.ts";
import type { Segment } from "../../speech/audio/voice-activity/segmentation.ts";
import type { RecognizedWord } from "../../speech/recognition/recognizer.ts";
import { separatedWords } from "../../speech/recognition/word-spans.ts";
import { continued } from "../../speech/text/continued-sentences.ts";
import { joinedTexts } from "../../speech/text/joined-texts.ts";
import { withNumerals, wordsOfNumberAcross } from "../../speech/text/numerals/numerals.ts";
import { withoutNumerals } from "../../speech/text/numerals/spoken-numbers.ts";
import { withoutStrayDashes } from "../../speech/text/stray-dashes.ts";
import { endsSentence, goingOn, withoutMark, written } from "../../speech/text/writing.ts";
import { isInsideSentence, type SentencePause, withSentencesEnded } from "./sentence-pauses.ts";

/** One line of the file of recognised segments. Times are seconds from the start of the stored samples. */
export interface RecognizedSegment {
  channel: number;
  segment: Segment;
  language: string;
  words: Omit<RecognizedWord, "tokens">[];
}

/** Unique name of a segment within its job. */
export const segmentName = ({ channel, segment }: Pick<RecognizedSegment, "channel" | "segment">) =>
  `${channel}:${segment.startSample}`;

/** Converts word times to recording time. @param gaps  omitted from the stored samples */
export function onRecordingClock(recognized: RecognizedSegment[], gaps: readonly Gap[]): RecognizedSegment[] {
  if (gaps.length === 0) return recognized;
  const timeOf = recordingClock(gaps);
  return recognized.map((segment) => ({
    ...segment,
    words: segment.words.map((word) => ({
      ...word,
      startSeconds: timeOf(word.startSeconds),
      endSeconds: timeOf(word.endSeconds),
    })),
  }));
}

export const rounded = (confidence: number) => Math.round(Math.min(1, Math.max(0, confidence)) * 1000) / 1000;

function wordOf(word: RecognizedSegment["words"][number], index: number): Word {
  return {
    word: index === 0 || word.isJoined ? word.text : ` ${word.text}`,
    start: milliseconds(word.startSeconds),
    end: milliseconds(word.endSeconds),
    confidence: rounded(word.confidence),
  };
}

/** @returns undefined if the segment has no words */
function utteranceOf(recognized: RecognizedSegment): Utterance | undefined {
  const { words } = recognized;
  const first = words[0];
  if (!first) return undefined;
  const confidence = meanConfidence(words);
  const wireWords = words.map(wordOf);
  return {
    text: wireWords.map((word) => word.word).join(""),
    language: recognized.language,
    start: milliseconds(first.startSeconds),
    end: milliseconds(Math.max(...words.map((word) => word.endSeconds))),
    confidence: rounded(confidence),
    channel: recognized.channel,
    words: wireWords,
  };
}

/** The pause between two segments of a channel, if it is inside a sentence. */
function sentencePause(before: RecognizedSegment, after: RecognizedSegment): SentencePause | undefined {
  const [start = 0, end = 0] = [before.words.at(-1)?.endSeconds, after.words[0]?.startSeconds];
  const [left = [], right = []] = [before, after].map(({ words }) => words.map(({ text }) => text));
  const languages = [before.language, after.language] as const;
  if (!isInsideSentence({ languages, before: left, after: right, seconds: end - start })) return undefined;
  return { channel: before.channel, start: milliseconds(start), end: milliseconds(end), hasCapital: true };
}

/**
 * Adjusts punctuation and capitals at the boundaries of one channel's segments.
 * @param segments  in time order
 * @param pauses    those inside sentences are added
 */
function joinSegments(segments: readonly RecognizedSegment[], pauses: SentencePause[]): RecognizedSegment[] {
  const spoken = segments.filter(({ words }) => words.length > 0);
  let isAfterStop = false;
  let isContinued = false;
  return spoken.map((recognized, at) => {
    const next = spoken[at + 1];
    const texts = recognized.words.map(({ text }) => text);
    if (isContinued) texts[0] = continued(texts[0] ?? "", recognized.language);
    const pause = next && sentencePause(recognized, next);
    isContinued = pause !== undefined;
    if (pause) {
      pauses.push(pause);
      texts.push(withoutMark(texts.pop() ?? "", recognized.language));
    }
    // A long segment was cut here without a pause.
    if (next && next.segment.startSample === recognized.segment.endSample) {
      texts.push(goingOn(texts.pop() ?? "", next.words[0]?.text ?? "", recognized.language));
    }
    const marked = written(texts, isAfterStop, recognized.language);
    isAfterStop = endsSentence(marked.at(-1) ?? "", recognized.language);
    return { ...recognized, words: recognized.words.map((word, index) => ({ ...word, text: marked[index] ?? "" })) };
  });
}

/** Removes overlaps between words, within and between the segments of one channel. */
function withoutOverlaps(segments: readonly RecognizedSegment[], latestSeconds?: number): RecognizedSegment[] {
  const words = separatedWords(
    segments.flatMap((recognized) => recognized.words),
    latestSeconds,
  );
  let from = 0;
  return segments.map((recognized) => {
    const own = words.slice(from, from + recognized.words.length);
    from += own.length;
    return { ...recognized, words: own };
  });
}

/**
 * A long segment may have been cut inside of a number: its words before the cut move to the next segment.
 * @param segments  of one channel, in time order
 */
function withNumbersWhole(segments: readonly RecognizedSegment[], kept: readonly string[]): RecognizedSegment[] {
  const whole = [...segments];
  for (const [at, after] of segments.entries()) {
    const before = whole[at - 1];
    if (before?.segment.endSample !== after.segment.startSample || before.language !== after.language) continue;
    const [left, right] = [before.words.map(wordOf), after.words.map(wordOf)];
    const count = wordsOfNumberAcross(left, right, after.language, kept);
    // Each segment keeps its utterance.
    if (count === 0 || count === before.words.length) continue;
    whole[at - 1] = { ...before, words: before.words.slice(0, -count) };
    whole[at] = { ...after, words: [...before.words.slice(-count), ...after.words] };
  }
  return whole;
}

/** How text is written. */
export interface Writing {
  /** Whether numbers are written in digits; the default is true. */
  numerals?: boolean;
  /** Phrases of the caller in small letters; numbers in them are not changed. */
  kept?: readonly string[];
  /** End of the recording, seconds; no word ends after it. */
  latestSeconds?: number;
}

/** Utterances by their time, and the pauses inside their sentences. */
function writtenUtterances(
  recognized: RecognizedSegment[],
  { numerals = true, kept = [], latestSeconds }: Writing,
): { utterances: Utterance[]; pauses: SentencePause[] } {
  const cleaned = recognized.map((segment) => ({ ...segment, words: withoutStrayDashes(segment.words) }));
  const inOrder = cleaned.toSorted((left, right) => left.segment.startSample - right.segment.startSample);
  const channels = [...new Set(inOrder.map(({ channel }) => channel))];
  const pauses: SentencePause[] = [];
  const joined = channels
    .map((channel) => inOrder.filter((segment) => segment.channel === channel))
    .map((segments) => joinSegments(withoutOverlaps(segments, latestSeconds), pauses))
    .flatMap((segments) => (numerals ? withNumbersWhole(segments, kept) : segments))
    .map(utteranceOf)
    .filter((utterance) => utterance !== undefined)
    .sort((left, right) => left.start - right.start || left.channel - right.channel);
  const utterances = withSentencesEnded(joined, pauses);
  if (numerals) return { utterances: utterances.map((utterance) => withNumerals(utterance, kept)), pauses };
  const ends = new Map<number, string>();
  const spoken = utterances.map((utterance) => {
    const before = ends.get(utterance.channel);
    ends.set(utterance.channel, utterance.text.trim());
    return withoutNumerals(utterance, kept, before !== undefined && !endsSentence(before, utterance.language));
  });
  return { utterances: spoken, pauses };
}

/** Utterances by their time. Appending segments changes only the end of the last utterance. */
export const utterancesOf = (recognized: RecognizedSegment[], writing: Writing = {}): Utterance[] =>
  writtenUtterances(recognized, writing).utterances;

/**
 * @param recognized  segments in any order
 * @returns `pauses` for `withSentencesEnded`, when the speakers are known
 */
export function transcribed(
  recognized: RecognizedSegment[],
  writing: Writing = {},
): { transcription: Transcription; pauses: SentencePause[] } {
  const { utterances, pauses } = writtenUtterances(recognized, writing);
  const transcription = {
    full_transcript: joinedTexts(utterances),
    languages: mostFrequentFirst(utterances.map(({ language }) => language)),
    utterances,
  };
  return { transcription, pauses };
}

export const transcriptionOf = (recognized: RecognizedSegment[], writing: Writing = {}): Transcription =>
  transcribed(recognized, writing).transcription;
