// Recognised segments → the transcript as clients read it.
import type { Segment } from "../audio/voice-activity/segmentation.ts";
import type { RecognizedWord } from "../recognition/recognizer.ts";
import { numberStyle, withNumbers } from "../text/numbers.ts";
import { endsSentence, goingOn, written } from "../text/writing.ts";
import type { Transcription, Utterance, Word } from "./transcript.ts";

/** One line of the file of recognised segments. Times are seconds from the start of the recording. */
export interface RecognizedSegment {
  channel: number;
  segment: Segment;
  language: string;
  words: Omit<RecognizedWord, "tokens">[];
}

export const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;
export const rounded = (confidence: number) => Math.round(Math.min(1, Math.max(0, confidence)) * 1000) / 1000;

function wordOf(word: RecognizedSegment["words"][number], index: number): Word {
  return {
    word: index === 0 || word.isJoined ? word.text : ` ${word.text}`,
    start: milliseconds(word.startSeconds),
    end: milliseconds(word.endSeconds),
    confidence: rounded(word.confidence),
  };
}

/** @returns undefined when the segment holds no words */
function utteranceOf(recognized: RecognizedSegment): Utterance | undefined {
  const { words } = recognized;
  const first = words[0];
  if (!first) return undefined;
  const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / words.length;
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

/** Languages by how many utterances are in them, most frequent first. */
function languagesOf(utterances: Utterance[]): string[] {
  const counts = new Map<string, number>();
  for (const { language } of utterances) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].sort((left, right) => right[1] - left[1]).map(([language]) => language);
}

/** Marks and capitals of one channel's segments as one text has them. @param segments  in time order */
function asOneText(segments: readonly RecognizedSegment[]): RecognizedSegment[] {
  const spoken = segments.filter(({ words }) => words.length > 0);
  let isAfterStop = false;
  return spoken.map((recognized, at) => {
    const next = spoken[at + 1];
    const texts = recognized.words.map(({ text }) => text);
    // Nobody paused where a long segment was cut.
    if (next && next.segment.startSample === recognized.segment.endSample) {
      texts.push(goingOn(texts.pop() ?? "", next.words[0]?.text ?? ""));
    }
    const marked = written(texts, isAfterStop);
    isAfterStop = endsSentence(marked.at(-1) ?? "");
    return { ...recognized, words: recognized.words.map((word, index) => ({ ...word, text: marked[index] ?? "" })) };
  });
}

/** Utterances by their time, numbers as they were heard: more segments behind these change nothing but the last one's end. */
export function utterancesOf(recognized: RecognizedSegment[]): Utterance[] {
  const inOrder = recognized.toSorted((left, right) => left.segment.startSample - right.segment.startSample);
  const channels = [...new Set(inOrder.map(({ channel }) => channel))];
  return channels
    .flatMap((channel) => asOneText(inOrder.filter((segment) => segment.channel === channel)))
    .map(utteranceOf)
    .filter((utterance) => utterance !== undefined)
    .sort((left, right) => left.start - right.start || left.channel - right.channel);
}

function withNumbersOneWay(utterances: Utterance[], kept: readonly string[]): Utterance[] {
  const style = numberStyle(utterances, kept);
  const lastWords = new Map<number, string>();
  return utterances.map((utterance) => {
    const before = lastWords.get(utterance.channel) ?? "";
    lastWords.set(utterance.channel, utterance.words.at(-1)?.word ?? "");
    return withNumbers(utterance, style, endsSentence(before), kept);
  });
}

/**
 * @param recognized  segments in any order
 * @param kept        phrases in small letters whose numbers stay as they are
 */
export function transcriptionOf(recognized: RecognizedSegment[], kept: readonly string[] = []): Transcription {
  const utterances = withNumbersOneWay(utterancesOf(recognized), kept);
  return {
    full_transcript: utterances.map((utterance) => utterance.text).join(" "),
    languages: languagesOf(utterances),
    utterances,
  };
}
