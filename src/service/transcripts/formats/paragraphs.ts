// Utterances as paragraphs for readers: a new one where the speaker changes, after a long pause, and where the subject changes in a long
// turn. Sentences stay whole.

import type { Utterance, Word } from "../../../contract/transcript/transcript.ts";
import { speakerName } from "../../../contract/transcript/transcript.ts";
import { contentWords } from "../../../speech/text/keywords.ts";
import { isUnspaced } from "../../../speech/text/scripts.ts";
import { isSentenceEnd, type Sentence, splitSentences } from "../../../speech/text/sentences.ts";
import type { CorrectedTranscription } from "../corrections.ts";
import type { TranscriptSource } from "./format.ts";

export interface Paragraph {
  /** Seconds. */
  start: number;
  end: number;
  channel: number;
  words: Word[];
  language: string;
  /** Missing without diarization. */
  speaker?: string;
  text: string;
}

const LONG_PAUSE_SECONDS = 2;
/** From so many words on a paragraph may end where the subject changes … */
const LEAST_WORDS = 45;
/** … and with so many it ends at its best place. About eight lines of print. */
const MOST_WORDS = 110;
/** Speech without full stops is cut between utterances. */
const MOST_WORDS_WITHOUT_STOP = 220;
/** Sentences that are compared on either side of a place. */
const WINDOW_SENTENCES = 3;
/** Weight of a second of pause against the difference of words, which is from 0 to 1. */
const PAUSE_WEIGHT = 0.25;

const wordCount = ({ sentence, language, words }: Sentence) =>
  isUnspaced(language) ? Math.ceil(sentence.length / 2) : words.length;

/** Shared words of two stretches, from 0 to 1. */
function likeness(before: readonly Sentence[], after: readonly Sentence[]): number {
  const wordsOf = (sentences: readonly Sentence[]) =>
    new Set(sentences.flatMap(({ sentence, language }) => contentWords(sentence, language)));
  const [left, right] = [wordsOf(before), wordsOf(after)];
  const common = [...left].filter((word) => right.has(word)).length;
  return common / (Math.min(left.size, right.size) || 1);
}

const lastWord = (text: string) => text.slice(text.trimEnd().lastIndexOf(" ") + 1);

function isWholeAt(sentences: readonly Sentence[], at: number): boolean {
  const { sentence = "", language = "" } = sentences[at - 1] ?? {};
  return isSentenceEnd(lastWord(sentence), sentences[at]?.sentence.split(/\s/, 1)[0], language);
}

/** How good a place before a sentence is for a new paragraph. */
function breakScore(sentences: readonly Sentence[], at: number): number {
  const [before, after] = [
    sentences.slice(Math.max(0, at - WINDOW_SENTENCES), at),
    sentences.slice(at, at + WINDOW_SENTENCES),
  ];
  const pause = (sentences[at]?.start ?? 0) - (sentences[at - 1]?.end ?? 0);
  return 1 - likeness(before, after) + PAUSE_WEIGHT * Math.min(LONG_PAUSE_SECONDS, Math.max(0, pause));
}

/** Numbers of the sentences of one turn that begin a paragraph. */
function paragraphStarts(sentences: readonly Sentence[]): number[] {
  const starts = [0];
  let words = 0;
  let best: { at: number; score: number } | undefined;
  for (let at = 1; at <= sentences.length; at++) {
    words += wordCount(sentences[at - 1] as Sentence);
    if (at === sentences.length) break;
    const isWhole = isWholeAt(sentences, at);
    if (words >= LEAST_WORDS && isWhole) {
      const score = breakScore(sentences, at);
      if (!best || score > best.score) best = { at, score };
    }
    if (words < MOST_WORDS) continue;
    const chosen = best?.at ?? (words >= MOST_WORDS_WITHOUT_STOP ? at : undefined);
    if (chosen === undefined) continue;
    starts.push(chosen);
    words = sentences.slice(chosen, at).reduce((sum, sentence) => sum + wordCount(sentence), 0);
    best = undefined;
  }
  return starts;
}

/** Sentences of one speaker without a long pause at the end of a sentence. */
function turnsOf(utterances: readonly Utterance[]): Sentence[][] {
  const turns: Sentence[][] = [];
  for (const sentence of correctedSentences(utterances)) {
    const current = turns.at(-1);
    const last = current?.at(-1);
    const isSameVoice = last?.speaker === sentence.speaker && last?.channel === sentence.channel;
    const isPause = last !== undefined && sentence.start - last.end >= LONG_PAUSE_SECONDS;
    if (current && last && isSameVoice && !isPause) current.push(sentence);
    else turns.push([sentence]);
  }
  return turns;
}

/** An utterance without words, as a correction may leave it, is one sentence. */
function sentencesOf(utterance: Utterance): Sentence[] {
  if (utterance.words.length > 0) return splitSentences([utterance]);
  const { text, start, end, words, confidence, language, channel, speaker } = utterance;
  const sentence = { sentence: text.trim(), start, end, words, confidence, language, channel };
  return [{ ...sentence, ...(speaker === undefined ? {} : { speaker }) }];
}

/** Without utterances whose text a correction removed. */
export const correctedSentences = (utterances: readonly Utterance[]): Sentence[] =>
  utterances.filter(({ text }) => text.trim() !== "").flatMap((utterance) => sentencesOf(utterance));

/** The sentences of each paragraph, of which there is at least one. */
export function sentencesByParagraph(utterances: readonly Utterance[]): [Sentence, ...Sentence[]][] {
  return turnsOf(utterances).flatMap((turn) => {
    const starts = paragraphStarts(turn);
    return starts.map((start, at) => turn.slice(start, starts[at + 1]) as [Sentence, ...Sentence[]]);
  });
}

export const paragraphText = (sentences: readonly [Sentence, ...Sentence[]]): string =>
  sentences.map(({ sentence }) => sentence).join(isUnspaced(sentences[0].language) ? "" : " ");

/** The same of a corrected transcript: paragraphs that a person began stay apart. */
export function correctedParagraphs({
  utterances,
  paragraph_starts,
}: Pick<CorrectedTranscription, "paragraph_starts" | "utterances">): [Sentence, ...Sentence[]][] {
  const starts = [0, ...paragraph_starts];
  return starts.flatMap((from, at) => sentencesByParagraph(utterances.slice(from, starts[at + 1])));
}

/** @param groups  the sentences of each paragraph */
export function paragraphsOf(
  transcription: CorrectedTranscription,
  groups = correctedParagraphs(transcription),
): Paragraph[] {
  const { speaker_names } = transcription;
  return groups.map((sentences) => {
    const [{ start, channel, language, speaker }] = sentences;
    const text = paragraphText(sentences);
    return {
      start,
      end: Math.max(...sentences.map(({ end }) => end)),
      channel,
      words: sentences.flatMap(({ words }) => words),
      language,
      text,
      ...(speaker === undefined ? {} : { speaker: speakerName(speaker, speaker_names) }),
    };
  });
}

const sentencesByUtterance = (utterances: readonly Utterance[]) =>
  utterances
    .map((utterance) => correctedSentences([utterance]))
    .filter((sentences): sentences is [Sentence, ...Sentence[]] => sentences.length > 0);

/** @returns what txt, md and docx show: paragraphs or single utterances, with or without names of speakers */
export function shownParagraphs({
  transcription,
  paragraphs = true,
  speakers = true,
}: Pick<TranscriptSource, "transcription" | "paragraphs" | "speakers">): Paragraph[] {
  const all = paragraphsOf(transcription, paragraphs ? undefined : sentencesByUtterance(transcription.utterances));
  return speakers ? all : all.map(({ speaker: _, ...paragraph }) => paragraph);
}

/** 1:02:03, or 02:03 below an hour. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  return `${hours > 0 ? `${hours}:` : ""}${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}
