// Decides whether the words of an English model were spoken in English. Speech in another language gives English words
// of low confidence in two models, and the models disagree. Measured with Moonshine base and tiny on recordings in six
// languages: docs/decisions/2026-11-25-foreign-speech.md.

import { meanConfidence } from "../../contract/transcript/mean-confidence.ts";
import { frameEnergies } from "../audio/frame-energies.ts";

/** Below this mean confidence the second model is run; no foreign recording reached 0.7. */
const DOUBTFUL_CONFIDENCE = 0.75;
/** Weight of the disagreement between the models. */
const DISAGREEMENT_WEIGHT = 0.3;
/** Speech with a lower score is foreign: most foreign recordings score below 0.8, English ones above. */
export const FOREIGN_SCORE = 0.82;
/**
 * Largest difference between scores of the same foreign speech with inaudible noise, if one of them is near FOREIGN_SCORE.
 * Rounding errors differ between processors and have the same effect: other words, other confidences.
 */
export const SCORE_NOISE = 0.35;
/** Added to the score of speech under three seconds, and of noisy speech, in which English scores lower. */
const SHORT_OR_NOISY_ALLOWANCE = 0.22;
const SHORT_SECONDS = 3;
const NOISY_RANGE_DECIBELS = 17;
/** Frame for level measurement: 32 ms. */
const LEVEL_SAMPLES = 512;
/**
 * Speech with a higher score is English; between both scores it is doubtful. Above FOREIGN_SCORE by more than SCORE_NOISE, so that
 * rounding does not turn foreign speech into English.
 */
export const ENGLISH_SCORE = 1.2;
/** Fewest words and shortest speech that can be foreign. */
const LEAST_WORDS = 5;
const LEAST_SECONDS = 2;
/** Fewest words and shortest speech that can be doubtful: numbers and times of words have noise, too. */
const LEAST_DOUBTFUL_WORDS = 4;
const LEAST_DOUBTFUL_SECONDS = 1.5;
/** Speech that is judged together: single English sentences with names in noise can score as low as foreign ones. */
const BLOCK_SECONDS = 12;

export interface EvidenceWord {
  text: string;
  startSeconds: number;
  endSeconds: number;
  /** 0 to 1. */
  confidence: number;
}

/** Words of both models for the same audio. */
export interface BothModels {
  first: readonly EvidenceWord[];
  second: readonly EvidenceWord[];
  /** Level range of the audio. */
  rangeDecibels: number;
}

/**
 * Decibels from background to loud speech: 10th and 95th percentiles of the levels. @param samples  mono, with pauses
 */
export function levelRange(samples: Float32Array): number {
  const levels = frameEnergies(samples, Math.floor(samples.length / LEVEL_SAMPLES), LEVEL_SAMPLES).sort();
  const at = (share: number) => levels[Math.floor(share * levels.length)] ?? 0;
  return at(0.95) - at(0.1);
}

/** Seconds from the first word to the end of the last. */
export function spanOf(words: readonly EvidenceWord[]): number {
  return (words.at(-1)?.endSeconds ?? 0) - (words[0]?.startSeconds ?? 0);
}

/** Whether the words may be in another language. Cheap: English words are rarely doubtful. */
export function isDoubtful(words: readonly Pick<EvidenceWord, "confidence">[]): boolean {
  return words.length > 0 && meanConfidence(words) < DOUBTFUL_CONFIDENCE;
}

export type EnglishVerdict = "english" | "doubtful" | "foreign";

/** Whether there is enough speech for a score. */
export function canBeScored(words: number, seconds: number): boolean {
  return words >= LEAST_DOUBTFUL_WORDS && seconds >= LEAST_DOUBTFUL_SECONDS;
}

/** Whether there is enough speech to call it foreign or English. */
export function canBeJudged(words: number, seconds: number): boolean {
  return words >= LEAST_WORDS && seconds >= LEAST_SECONDS;
}

const normalizedTexts = (words: readonly EvidenceWord[]) =>
  words.map(({ text }) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));

/** Word error rate between both models. @source Levenshtein 1966 */
function disagreement({ first, second }: BothModels): number {
  const [left, right] = [normalizedTexts(first), normalizedTexts(second)];
  let row = right.map((_, at) => at + 1);
  for (const [above, word] of left.entries()) {
    let diagonal = above;
    let last = above + 1;
    row = row.map((up, at) => {
      last = Math.min(up + 1, last + 1, diagonal + Number(word !== right[at]));
      diagonal = up;
      return last;
    });
  }
  const edits = right.length === 0 ? left.length : (row.at(-1) as number);
  return edits / Math.max(1, left.length, right.length);
}

/** @returns about 0 to 2; lower means less likely English. Includes the allowance for short and noisy speech */
export function englishScore(parts: readonly BothModels[]): number {
  const first = parts.flatMap((part) => part.first);
  const second = parts.flatMap((part) => part.second);
  const seconds = parts.reduce((sum, part) => sum + spanOf(part.first), 0);
  const range = parts.reduce((sum, part) => sum + part.rangeDecibels, 0) / Math.max(1, parts.length);
  const isShortOrNoisy = seconds < SHORT_SECONDS || range < NOISY_RANGE_DECIBELS;
  const differing = parts.reduce((sum, part) => sum + disagreement(part) * part.first.length, 0);
  return (
    meanConfidence(first) +
    meanConfidence(second) -
    (DISAGREEMENT_WEIGHT * differing) / Math.max(1, first.length) +
    (isShortOrNoisy ? SHORT_OR_NOISY_ALLOWANCE : 0)
  );
}

/** Segments of one channel that are judged together. */
export interface Block<Segment> {
  segments: Segment[];
  seconds: number;
  words: number;
}

/**
 * @param segments  of one channel, in time order
 * @returns blocks that can be judged; a short rest is merged into the previous block, if there is one
 */
export function blocksOf<Segment extends { words: readonly EvidenceWord[] }>(
  segments: readonly Segment[],
): Block<Segment>[] {
  const blocks: Block<Segment>[] = [];
  let last: Block<Segment> | undefined;
  for (const segment of segments) {
    if (!last || (last.seconds >= BLOCK_SECONDS && canBeJudged(last.words, last.seconds))) {
      last = { segments: [], seconds: 0, words: 0 };
      blocks.push(last);
    }
    last.segments.push(segment);
    last.seconds += spanOf(segment.words);
    last.words += segment.words.length;
  }
  const before = blocks.at(-2);
  if (!last || !before || canBeJudged(last.words, last.seconds)) return blocks;
  before.segments.push(...last.segments);
  before.seconds += last.seconds;
  before.words += last.words;
  return blocks.slice(0, -1);
}

/** A block with its score, which is undefined if it is too short for one. */
export interface ScoredBlock {
  score: number | undefined;
  words: number;
  seconds: number;
}

/** Blocks below a threshold that have a neighbour below it, or no block of the channel above it. */
function lowRuns(scores: readonly (number | undefined)[], threshold: number): boolean[] {
  const isLow = (score: number | undefined) => score !== undefined && score < threshold;
  const areAllLow = scores.every((score) => score === undefined || score < threshold);
  return scores.map((score, at) => isLow(score) && (areAllLow || isLow(scores[at - 1]) || isLow(scores[at + 1])));
}

/**
 * A single uncertain block between English ones is English in noise, not another language. A change of all scores by less than
 * ENGLISH_SCORE - FOREIGN_SCORE never makes a foreign block English.
 * @param blocks  of one channel, in time order
 */
export function verdictsOf(blocks: readonly ScoredBlock[]): EnglishVerdict[] {
  const scores = blocks.map(({ score }) => score);
  const doubtful = lowRuns(scores, ENGLISH_SCORE);
  const foreign = lowRuns(scores, FOREIGN_SCORE);
  return blocks.map(({ words, seconds }, at) => {
    if (foreign[at] && canBeJudged(words, seconds)) return "foreign";
    return doubtful[at] ? "doubtful" : "english";
  });
}
