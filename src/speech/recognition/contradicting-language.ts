// Whether speech that was recognised in the language of a recording or session is clearly in another one.
import { meanConfidence } from "../../contract/transcript/mean-confidence.ts";
import type { RecognizedWord } from "./recognizer.ts";

type Words = readonly Pick<RecognizedWord, "confidence">[];

/** Detection is unreliable below. */
const LEAST_SECONDS = 2;
/** Whisper base reads its own language with 0.7 to 0.9, another one with 0.3 to 0.4. */
const DOUBTFUL_CONFIDENCE = 0.5;
const LEAST_GAIN = 0.15;
const LEAST_PROBABILITY = 0.8;

/** Whether detection is worth its time. @param seconds  length of the speech */
export function mayContradict(words: Words, seconds: number): boolean {
  return words.length > 0 && seconds >= LEAST_SECONDS && meanConfidence(words) < DOUBTFUL_CONFIDENCE;
}

/**
 * @param words        in the expected language
 * @param others       in the detected language, which is another one
 * @param probability  of the detected language
 */
export function isContradicted(words: Words, others: Words, probability: number): boolean {
  const gain = meanConfidence(others) - meanConfidence(words);
  return others.length > 0 && probability >= LEAST_PROBABILITY && gain >= LEAST_GAIN;
}
