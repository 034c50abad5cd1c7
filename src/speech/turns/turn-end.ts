// How long a pause must be for the turn to be over: a logistic model of the detector's probability, the words so far and the length of the
// silence. Pure. The weights of the probability and the silence were chosen on half of the recordings of bench/turns.ts; those of
// the words are a rule (docs/decisions/2026-11-27-turns.md).
import { bareWord } from "../text/bare-word.ts";
import { textSentences } from "../text/sentences.ts";

export interface TurnEvidence {
  /** The detector's, that the turn is complete, 0 to 1. */
  probability: number;
  /** Words of the utterance so far, with their punctuation. */
  words: readonly string[];
  /** ISO 639 code. */
  language: string;
  /** The utterance ends in a number, which a further group may continue. */
  endsInNumber: boolean;
}

/** Log-odds that the turn is over after REFERENCE_SECONDS of silence. */
const BIAS = 0.75;
const REFERENCE_SECONDS = 0.3;
/** For each unit of the detector's log-odds. */
const PROBABILITY_WEIGHT = 0.34;
/** For each unit of the logarithm of the silence. */
const SILENCE_WEIGHT = 2.06;
const COMMA_WEIGHT = -0.8;
const UNFINISHED_WEIGHT = -2.5;
const FIRST_CLAUSE_WEIGHT = -1.5;
/**
 * An utterance that ends in a number ends after at least this much silence: pauses between the groups of a telephone number
 * or within a year are shorter.
 */
export const NUMBER_SILENCE_SECONDS = 0.5;
/** The detector's probabilities are rounded to its integer steps: values near 0 and 1 differ less than their logarithms. */
const LEAST_PROBABILITY = 0.005;

/** English words with which a sentence rarely ends, and fillers. */
const UNFINISHED = new Set(
  "the a an and or but so if because than although unless whether my your our their whose every of to from with at by as um uh er erm i'm it's we're they're i we they he she".split(
    " ",
  ),
);
/** Words that begin a subordinate clause before its main clause, with the words that may precede them. */
const FIRST_CLAUSE =
  /^(?:(?:and|but|so|or|for|well|especially|even|only),? )*(?:although|though|if|when|whenever|while|unless|whereas|once|as) /;
const LEAST_CLAUSE_WORDS = 3;
const FIRST_WORDS = /^\S+, /;
const INNER_COMMA = /, \S/;

/** Whether an English sentence consists of a subordinate clause so far. */
function isFirstClause(sentence: string): boolean {
  const text = sentence.toLowerCase();
  return (
    text.split(" ").length >= LEAST_CLAUSE_WORDS &&
    FIRST_CLAUSE.test(text) &&
    !INNER_COMMA.test(text.replace(FIRST_WORDS, "")) &&
    !text.includes("?")
  );
}

function wordsWeight(words: readonly string[], language: string): number {
  const plain = words.map((word) => word.trim()).filter((word) => word !== "");
  const last = plain.at(-1) ?? "";
  const comma = /[,、，]$/.test(last) ? COMMA_WEIGHT : 0;
  if (language !== "en") return comma;
  const unfinished = UNFINISHED.has(bareWord(last.toLowerCase())) ? UNFINISHED_WEIGHT : 0;
  const sentence = textSentences(plain.join(" ")).at(-1) ?? "";
  return comma + unfinished + (isFirstClause(sentence) ? FIRST_CLAUSE_WEIGHT : 0);
}

/** Log-odds that the turn is over after REFERENCE_SECONDS of silence. */
function oddsOf({ probability, words, language }: TurnEvidence): number {
  const bounded = Math.max(LEAST_PROBABILITY, Math.min(1 - LEAST_PROBABILITY, probability));
  return BIAS + PROBABILITY_WEIGHT * logOdds(bounded) + wordsWeight(words, language);
}

const logOdds = (probability: number) => Math.log(probability / (1 - probability));

/**
 * @param threshold  probability from which the turn counts as over, 0 to 1
 * @returns seconds of silence after which it does; the caller bounds them
 */
export function silenceOfTurnEnd(evidence: TurnEvidence, threshold: number): number {
  const seconds = REFERENCE_SECONDS * Math.exp((logOdds(threshold) - oddsOf(evidence)) / SILENCE_WEIGHT);
  return evidence.endsInNumber ? Math.max(NUMBER_SILENCE_SECONDS, seconds) : seconds;
}

/** @returns probability that the turn is over after this much silence, 0 to 1 */
export function probabilityOfTurnEnd(evidence: TurnEvidence, silenceSeconds: number): number {
  const odds = oddsOf(evidence) + SILENCE_WEIGHT * Math.log(silenceSeconds / REFERENCE_SECONDS);
  return 1 / (1 + Math.exp(-odds));
}
