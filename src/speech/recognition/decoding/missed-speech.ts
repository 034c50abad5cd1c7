// Recovers speech that a decoder pass skipped. Whisper may end a text at a pause although speech follows, or skip a
// sentence between two others. Voice activity outside the words shows where.

import type { RecognizedWord } from "../recognizer.ts";
import { separatedWords } from "../word-spans.ts";
import { withRepeatedAnswers } from "./repeated-answers.ts";
import { withoutRepeatedDigits } from "./repeated-digits.ts";
import type { VoiceActivity } from "./speech-evidence.ts";

/** A section of audio, seconds from its start. */
export interface AudioSpan {
  startSeconds: number;
  endSeconds: number;
}

/** Shorter speech without words is a breath, a laugh or the uncertain edge of a word. */
const LEAST_SPEECH_SECONDS = 0.6;
/** Uncertainty of word times at both ends. */
const WORD_MARGIN_SECONDS = 0.1;
/** The last token before a pause may be aligned to all following audio: a word's time is bounded by its length. */
const LONGEST_WORD_SECONDS = 0.7;
const SECONDS_PER_CHARACTER = 0.09;
/** Duration of a written digit, which is said as a word, with the pauses between groups of digits. */
const SECONDS_PER_DIGIT = 0.45;
/** Windows with at least this probability count as speech. */
const SPEECH_PROBABILITY = 0.5;
/** Audio kept before the speech in a gap: the detector reports the first sound late. */
const LEAD_SECONDS = 0.3;
/** Shortest pause at which speech without words is divided, windows; and shortest part. */
const LEAST_PAUSE_WINDOWS = 3;
const LEAST_PHRASE_SECONDS = 1;
/** Bounds the processing time for music with vocals. */
const MOST_FURTHER_PASSES = 8;

/** Audio without words. */
interface Gap extends AudioSpan {
  /** A pass over all of it found no words: only its parts are worth another one. */
  isTried?: boolean;
}

type Word = AudioSpan & { text: string };

function latestEndOf({ text, startSeconds, endSeconds }: Word): number {
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0;
  const spokenSeconds = SECONDS_PER_CHARACTER * ([...text].length - digits) + SECONDS_PER_DIGIT * digits;
  return Math.min(endSeconds, startSeconds + LONGEST_WORD_SECONDS + spokenSeconds);
}

/**
 * Audio outside the words that is long enough for speech.
 * @param words        in the order of their starts
 * @param fromSeconds  start of the audio that the words are from: earlier audio was recognised before
 * @param toSeconds    end of the audio
 * @param isTranslation  the words are not in the order of the speech: only the audio before and after all of them is a
 *   gap
 */
export function gapsBetween(
  words: readonly Word[],
  fromSeconds: number,
  toSeconds: number,
  isTranslation = false,
): AudioSpan[] {
  const gaps: AudioSpan[] = [];
  let startSeconds = fromSeconds;
  const add = (endSeconds: number) => {
    if (endSeconds - startSeconds >= LEAST_SPEECH_SECONDS) gaps.push({ startSeconds, endSeconds });
  };
  const inOrder = isTranslation ? words.toSorted((left, right) => left.startSeconds - right.startSeconds) : words;
  for (const [at, word] of inOrder.entries()) {
    if (at === 0 || !isTranslation) add(word.startSeconds - WORD_MARGIN_SECONDS);
    startSeconds = Math.max(startSeconds, latestEndOf(word) + WORD_MARGIN_SECONDS);
  }
  add(toSeconds);
  return gaps;
}

/** The phrases of a gap: its audio divided in the middle of pauses. @returns none if it has no pause */
function phrasesOf({ startSeconds, endSeconds }: AudioSpan, probabilities: Float32Array, windowSeconds: number): Gap[] {
  const leastSeconds = Math.max(LEAST_PHRASE_SECONDS, (endSeconds - startSeconds) / MOST_FURTHER_PASSES);
  const phrases: Gap[] = [];
  let from = startSeconds;
  let speechEnd = -1;
  for (const [at, probability] of probabilities.entries()) {
    if (probability < SPEECH_PROBABILITY) continue;
    const pause = at - speechEnd;
    const cut = startSeconds + (at - pause / 2) * windowSeconds;
    if (speechEnd >= 0 && pause >= LEAST_PAUSE_WINDOWS && cut - from >= leastSeconds) {
      phrases.push({ startSeconds: from, endSeconds: cut });
      from = cut;
    }
    speechEnd = at + 1;
  }
  return phrases.length > 0 ? [...phrases, { startSeconds: from, endSeconds }] : [];
}

/**
 * The part of a gap from its first speech on.
 * @param probabilities  of speech, one for each window of the gap
 * @returns undefined if there is too little speech
 */
export function speechWithin(
  gap: AudioSpan,
  probabilities: Float32Array,
  windowSeconds: number,
): AudioSpan | undefined {
  const isSpeech = (probability: number) => probability >= SPEECH_PROBABILITY;
  const first = probabilities.findIndex(isSpeech);
  if (first < 0) return undefined;
  const windows = probabilities.filter(isSpeech).length;
  if (windows * windowSeconds < LEAST_SPEECH_SECONDS) return undefined;
  const startSeconds = Math.max(gap.startSeconds, gap.startSeconds + first * windowSeconds - LEAD_SECONDS);
  return { startSeconds, endSeconds: gap.endSeconds };
}

export interface MissedSpeechOptions {
  /** Start of the audio that the words are from: earlier audio was recognised before. */
  fromSeconds: number;
  sampleRate: number;
  /** The words are not in the order of the speech. */
  isTranslation: boolean;
  /** ISO 639 code of the words. */
  language: string;
  detector: VoiceActivity;
  /**
   * Recognises a section of the audio.
   * @param startSeconds  of the section
   * @returns words with times from its start
   */
  recognize(samples: Float32Array, startSeconds: number): Promise<RecognizedWord[]>;
}

/**
 * Adds the words of skipped speech, found by further passes. A model may also find no words at all in clear speech, for
 * example in a phrase that a speaker repeats. The parts of the phrase are then recognised one by one. Repetitions of short words are
 * added, too.
 * @param words    of the first pass
 * @param samples  mono, all of the audio
 * @returns `words` itself if no speech was skipped
 */
export async function recoverMissedSpeech(
  words: RecognizedWord[],
  samples: Float32Array,
  { fromSeconds, sampleRate, isTranslation, language, detector, recognize }: MissedSpeechOptions,
): Promise<RecognizedWord[]> {
  const seconds = samples.length / sampleRate;
  const between = ({ startSeconds, endSeconds }: AudioSpan) =>
    samples.slice(Math.floor(startSeconds * sampleRate), Math.ceil(endSeconds * sampleRate));
  const inOrder = (all: RecognizedWord[]) =>
    all.toSorted((left, right) => left.startSeconds - right.startSeconds || left.endSeconds - right.endSeconds);
  const gaps: Gap[] = gapsBetween(words, fromSeconds, seconds, isTranslation);
  // The first pass began without settled words: another one over the same audio would give the same result.
  if (words.length === 0 && fromSeconds === 0) for (const gap of gaps) gap.isTried = true;
  let all = words;
  for (let passes = 0, gap = gaps.shift(); gap && passes < MOST_FURTHER_PASSES; gap = gaps.shift()) {
    const probabilities = await detector.probabilities(between(gap));
    const span = speechWithin(gap, probabilities, detector.windowSeconds);
    if (!span) continue;
    if (gap.isTried) {
      gaps.unshift(...phrasesOf(gap, probabilities, detector.windowSeconds));
      continue;
    }
    passes++;
    const { startSeconds, endSeconds } = span;
    const placed = (await recognize(between(span), startSeconds)).map((word) => ({
      ...word,
      startSeconds: word.startSeconds + startSeconds,
      endSeconds: word.endSeconds + startSeconds,
    }));
    if (placed.length === 0) {
      gaps.unshift({ ...span, isTried: true });
      continue;
    }
    const before = all.filter((word) => word.startSeconds < startSeconds);
    const known = inOrder(before).map((word) => ({ ...word, endSeconds: latestEndOf(word) }));
    const found = isTranslation ? placed : withoutRepeatedDigits(known, placed, language);
    if (found.length > 0) all = [...all, ...found];
    gaps.unshift(...gapsBetween(placed, startSeconds, endSeconds, isTranslation));
  }
  const recovered = all === words ? words : separatedWords(inOrder(all), seconds);
  if (isTranslation || fromSeconds > 0) return recovered;
  return withRepeatedAnswers(recovered, samples, { sampleRate, detector, recognize });
}
