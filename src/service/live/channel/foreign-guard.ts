// Decides for each final whether a channel's speech is, or may be, in a language that the English model does not support.
// Short utterances are judged together with the previous ones.

import { meanConfidence } from "../../../contract/transcript/mean-confidence.ts";
import {
  type BothModels,
  canBeJudged,
  canBeScored,
  ENGLISH_SCORE,
  type EnglishVerdict,
  englishScore,
  FOREIGN_SCORE,
  isDoubtful,
  levelRange,
  spanOf,
} from "../../../speech/recognition/english-evidence.ts";
import type { PlacedWord } from "./speech-context.ts";

/** Partials of at least this many words with a lower mean confidence are hidden: they are rarely English. */
const LEAST_PARTIAL_WORDS = 5;
const LEAST_PARTIAL_CONFIDENCE = 0.6;
/**
 * Duration of low scores after English speech that means another language. Within a few sentences, names in noise score
 * as low.
 */
const SECONDS_AFTER_ENGLISH = 16;

/** What the finals so far have shown; absent fields are false. */
export interface ForeignGuardState {
  hasEnglish?: boolean;
  isForeign?: boolean;
}

export class ForeignGuard {
  /** Recent utterances that are not clearly English. */
  private undecided: BothModels[] = [];
  private hasEnglish: boolean;
  private isForeignNow: boolean;

  /** @param state  of an earlier process */
  constructor({ hasEnglish = false, isForeign = false }: ForeignGuardState = {}) {
    this.hasEnglish = hasEnglish;
    this.isForeignNow = isForeign;
  }

  /** Undefined before the first decision. */
  get state(): ForeignGuardState | undefined {
    const { hasEnglish, isForeignNow: isForeign } = this;
    return hasEnglish || isForeign ? { hasEnglish, isForeign } : undefined;
  }

  /** @returns whether a partial with these words is shown */
  isPlausible(words: readonly PlacedWord[]): boolean {
    if (words.length < LEAST_PARTIAL_WORDS) return !this.isForeignNow;
    return meanConfidence(words) >= LEAST_PARTIAL_CONFIDENCE;
  }

  /**
   * Judges a final.
   * @param samples  its audio
   * @param first   words of the English model
   * @param second  recognises the audio with the second model; called only if the first result is doubtful
   */
  async judge(
    samples: Float32Array,
    first: readonly PlacedWord[],
    second: () => Promise<readonly PlacedWord[]>,
  ): Promise<EnglishVerdict> {
    const part = {
      first,
      second: isDoubtful(first) ? await second() : first,
      rangeDecibels: levelRange(samples),
    };
    if (canBeJudged(first.length, spanOf(first)) && englishScore([part]) >= ENGLISH_SCORE) return this.noteEnglish();
    this.undecided.push(part);
    const words = this.undecided.reduce((sum, utterance) => sum + utterance.first.length, 0);
    const seconds = this.undecidedSeconds();
    const score = canBeScored(words, seconds) ? englishScore(this.undecided) : ENGLISH_SCORE;
    if (canBeJudged(words, seconds)) {
      if (score >= ENGLISH_SCORE) return this.noteEnglish();
      if (score < FOREIGN_SCORE && this.isEnough(seconds)) this.isForeignNow = true;
      this.forgetOldest();
    }
    if (this.isForeignNow) return "foreign";
    return score < ENGLISH_SCORE && this.isEnough(seconds) ? "doubtful" : "english";
  }

  /** After English speech, a few uncertain utterances are English in noise. @param seconds  undecided */
  private isEnough(seconds: number): boolean {
    return !this.hasEnglish || seconds >= SECONDS_AFTER_ENGLISH;
  }

  private forgetOldest(): void {
    while (this.undecided.length > 1 && this.undecidedSeconds() > SECONDS_AFTER_ENGLISH) this.undecided.shift();
  }

  private undecidedSeconds(): number {
    return this.undecided.reduce((sum, { first }) => sum + spanOf(first), 0);
  }

  private noteEnglish(): EnglishVerdict {
    this.undecided = [];
    this.hasEnglish = true;
    this.isForeignNow = false;
    return "english";
  }
}
