// Matches the voice of a speaker with the voices of known people. Pure. The constants were chosen on one half of the people of
// `npm run bench -- voices` and are reported for the other half.
import { dotProduct } from "./vectors.ts";

/** One person's voices. */
export interface KnownPerson {
  id: string;
  name: string;
  /** Of unit length, one for each sample. */
  prints: readonly Float32Array[];
  /** Seconds of speech, one number for each sample. */
  seconds: readonly number[];
}

/** The voice of one speaker of a recording. */
export interface SpeakerVoice {
  /** Number in the transcript. */
  speaker: number;
  /** Of unit length. */
  print: readonly number[];
  /** Of speech of this speaker alone. */
  seconds: number;
}

export interface VoiceMatch {
  speaker: number;
  id: string;
  name: string;
  /** Cosine of the angle between the voices. */
  similarity: number;
  /** Estimated probability that it is this person, 0 to 1. */
  confidence: number;
}

/** Least similarity of a speaker with `LONG_SECONDS` of speech. */
export const LEAST_SIMILARITY = 0.45;
/** Speech from which a voice counts as fully reliable, seconds. */
const LONG_SECONDS = 3;
/** Additional similarity required for each second of speech below LONG_SECONDS. */
const SIMILARITY_PER_SECOND = 0.03;
/** Least lead over the similarity of the second person. */
export const LEAST_MARGIN = 0.05;
/** Shorter speech is not matched. */
const LEAST_SECONDS = 0.6;
/** Slope of the logistic function from similarity to confidence; at the least similarity the confidence is 0.5. */
const STEEPNESS = 16;
/** A confidence of 1 means that a user stated the name. */
const MOST_CONFIDENCE = 0.999;

/** Mean of voices, weighted, of unit length. */
export function meanVoice(prints: readonly ArrayLike<number>[], weights: readonly number[]): Float32Array {
  const mean = new Float32Array(prints[0]?.length ?? 0);
  for (const [index, print] of prints.entries()) {
    const weight = weights[index] ?? 0;
    for (let at = 0; at < mean.length; at++) mean[at] = (mean[at] as number) + weight * (print[at] ?? 0);
  }
  const length = Math.hypot(...mean) || 1;
  return mean.map((value) => value / length);
}

/** Least similarity of a match, by seconds of speech. */
const needed = (seconds: number) => LEAST_SIMILARITY + SIMILARITY_PER_SECOND * Math.max(0, LONG_SECONDS - seconds);

/**
 * Finds the known person whose voice a speaker has. May be called with the voice of a live speaker at any time.
 * @param people  with prints of the same model as `print`; those of other lengths are left out
 * @returns undefined if no person is similar enough, or if two are about as similar
 */
export function matchVoice(
  { print, seconds }: Pick<SpeakerVoice, "print" | "seconds">,
  people: readonly KnownPerson[],
): Omit<VoiceMatch, "speaker"> | undefined {
  if (seconds < LEAST_SECONDS) return undefined;
  const ranked = people
    .map(({ id, name, prints, seconds: weights }) => {
      const fitting = prints.flatMap((one, at) =>
        one.length === print.length ? [{ one, weight: weights[at] ?? 1 }] : [],
      );
      if (fitting.length === 0) return { id, name, similarity: -1 };
      const mean = meanVoice(
        fitting.map(({ one }) => one),
        fitting.map(({ weight }) => weight),
      );
      return { id, name, similarity: dotProduct(mean, print) };
    })
    .sort((left, right) => right.similarity - left.similarity);
  const [best, second] = ranked;
  const least = needed(seconds);
  if (!best || best.similarity < least) return undefined;
  if (second && best.similarity - second.similarity < LEAST_MARGIN) return undefined;
  const confidence = 1 / (1 + Math.exp(-STEEPNESS * (best.similarity - least)));
  return { ...best, confidence: Math.min(MOST_CONFIDENCE, Math.round(confidence * 1000) / 1000) };
}

/** Several speakers can be one person, as diarization may divide a voice. */
export function matchVoices(speakers: readonly SpeakerVoice[], people: readonly KnownPerson[]): VoiceMatch[] {
  return speakers.flatMap((voice) => {
    const match = matchVoice(voice, people);
    return match ? [{ speaker: voice.speaker, ...match }] : [];
  });
}
