// Decides whether a short answer was spoken. An attention decoder produces words for any audio; noise mostly gives one
// word ("You") with a high confidence, so confidence alone does not separate it from a short answer. Three measures
// together do.
import { meanConfidence } from "../../../contract/transcript/mean-confidence.ts";
import { frameEnergies } from "../../audio/frame-energies.ts";
import { SAMPLE_RATE } from "../../audio/sample-rate.ts";
import type { SpeechActivity } from "../recognizer.ts";

/** Weights of a logistic model: the weighted sum of the log-odds plus the bias is positive for speech. */
export interface EvidenceWeights {
  /** Weight of the decoder's probability of a text without words. */
  empty: number;
  /** Weight of the highest voice activity within the words. */
  activity: number;
  /** Weight of the mean confidence of the words. */
  confidence: number;
  bias: number;
}

export interface SpeechEvidence {
  /** All 0 to 1. */
  empty: number;
  activity: number;
  confidence: number;
}

/** Probabilities are clipped to this distance from 0 and 1: log-odds from -4.6 to 4.6. */
const MARGIN = 0.01;
/** The same for the probability of an empty text, which is closer to 0 and informative there. */
const EMPTY_MARGIN = 1e-6;

function logOdds(probability: number, margin: number): number {
  const bounded = Math.min(1 - margin, Math.max(margin, probability));
  return Math.log(bounded / (1 - bounded));
}

/** @returns log-odds that the words were spoken */
function spokenLogOdds({ empty, activity, confidence }: SpeechEvidence, weights: EvidenceWeights): number {
  return (
    weights.empty * logOdds(empty, EMPTY_MARGIN) +
    weights.activity * logOdds(activity, MARGIN) +
    weights.confidence * logOdds(confidence, MARGIN) +
    weights.bias
  );
}

/**
 * Highest voice activity within the words.
 * @param windowSeconds   length of a window
 */
export function peakActivity(
  words: readonly { startSeconds: number; endSeconds: number }[],
  { probabilities, startSeconds: first }: SpeechActivity,
  windowSeconds: number,
): number {
  let peak = 0;
  for (const { startSeconds, endSeconds } of words) {
    const from = Math.max(0, Math.min(probabilities.length - 1, Math.floor((startSeconds - first) / windowSeconds)));
    const to = Math.max(from + 1, Math.ceil((endSeconds - first) / windowSeconds));
    for (const probability of probabilities.subarray(from, to)) peak = Math.max(peak, probability);
  }
  return peak;
}

/** Speech probability of each window of some audio, 16 kHz mono in -1 to 1. */
export interface VoiceActivity {
  windowSeconds: number;
  probabilities(samples: Float32Array): Promise<Float32Array>;
}

/** No hallucination longer than four words was observed. */
const MOST_INVENTED_WORDS = 5;
/**
 * In the shared recordings, all 735 words spoken alone are audible for at least 0.15 s, in both halves of the recordings. A piece of
 * 0.1 s of such a word is audible for at most 0.1 s, and is recognised as "You".
 */
const SHORTEST_ANSWER_SECONDS = 0.12;
/** A frame is audible if it is at most this much quieter than the reference: the third loudest one, because a click can be louder. */
const AUDIBLE_DECIBELS = 30;
const REFERENCE_FRAME = 2;
const FRAME_SAMPLES = SAMPLE_RATE / 100;

/**
 * Whether the audio is too short for the words: everything but a moment of it is much quieter. Not for partials: the first ones have a moment
 * of a word. More words were spoken more quietly than a bump beside them.
 */
export function isTooShort(samples: Float32Array, words: number): boolean {
  if (words > MOST_INVENTED_WORDS) return false;
  const levels = frameEnergies(samples, Math.ceil(samples.length / FRAME_SAMPLES), FRAME_SAMPLES);
  const reference = levels.toSorted((left, right) => right - left)[REFERENCE_FRAME];
  if (reference === undefined) return true;
  const audible = levels.filter((level) => level > reference - AUDIBLE_DECIBELS).length;
  return (audible * FRAME_SAMPLES) / SAMPLE_RATE < SHORTEST_ANSWER_SECONDS;
}

type ShortAnswer = readonly { startSeconds: number; endSeconds: number; confidence: number }[];

/**
 * Whether a short answer was spoken. Runs the detector only if the result depends on it.
 * @param words    with times in seconds from the start of the samples
 * @param empty    the decoder's probability of a text without words
 * @param activity of the samples in the whole of the audio. In a short section alone, the detector is unsure of a
 *   telephone voice
 */
export async function isSpoken(
  words: ShortAnswer,
  { samples, activity }: { samples: Float32Array; activity?: SpeechActivity | undefined },
  empty: number,
  weights: EvidenceWeights,
  detector: VoiceActivity,
): Promise<boolean> {
  if (words.length > MOST_INVENTED_WORDS) return true;
  const confidence = meanConfidence(words);
  const isSpeechAt = (peak: number) => spokenLogOdds({ empty, activity: peak, confidence }, weights) > 0;
  if (isSpeechAt(0)) return true;
  if (!isSpeechAt(1)) return false;
  const { windowSeconds } = detector;
  if (activity && isSpeechAt(peakActivity(words, activity, windowSeconds))) return true;
  const alone = { probabilities: await detector.probabilities(samples), startSeconds: 0 };
  return isSpeechAt(peakActivity(words, alone, windowSeconds));
}
