// Decides for each final whether a channel's speech is in a language that the English model does not support. Short
// utterances are judged together with the previous ones.
import {
  type BothModels,
  canBeJudged,
  ENGLISH_SCORE,
  englishScore,
  FOREIGN_SCORE,
  isDoubtful,
  levelRange,
  spanOf,
} from "../../recognition/english-evidence.ts";
import { meanConfidence } from "../../transcript/mean-confidence.ts";
import type { PlacedWord } from "./speech-context.ts";

/** Partials of at least this many words with a lower mean confidence are hidden: they are rarely English. */
const LEAST_PARTIAL_WORDS = 5;
const LEAST_PARTIAL_CONFIDENCE = 0.6;
/**
 * Duration of low scores after English speech that means another language. Within a few sentences, names in noise score
 * as low.
 */
const SECONDS_AFTER_ENGLISH = 16;

export class ForeignGuard {
  /** Recent utterances that are not clearly English. */
  private undecided: BothModels[] = [];
  private hasEnglish = false;
  private isForeignNow = false;

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
  async isForeign(
    samples: Float32Array,
    first: readonly PlacedWord[],
    second: () => Promise<readonly PlacedWord[]>,
  ): Promise<boolean> {
    const part = {
      first,
      second: isDoubtful(first) ? await second() : first,
      rangeDecibels: levelRange(samples),
    };
    if (canBeJudged(first.length, spanOf(first)) && englishScore([part]) >= ENGLISH_SCORE) return this.noteEnglish();
    this.undecided.push(part);
    const words = this.undecided.reduce((sum, utterance) => sum + utterance.first.length, 0);
    let seconds = this.undecidedSeconds();
    if (!canBeJudged(words, seconds)) return this.isForeignNow;
    const score = englishScore(this.undecided);
    if (score >= ENGLISH_SCORE) return this.noteEnglish();
    const isLow = score < FOREIGN_SCORE;
    if (isLow && (!this.hasEnglish || seconds >= SECONDS_AFTER_ENGLISH)) this.isForeignNow = true;
    while (seconds > SECONDS_AFTER_ENGLISH && this.undecided.length > 1) {
      this.undecided.shift();
      seconds = this.undecidedSeconds();
    }
    return this.isForeignNow;
  }

  private undecidedSeconds(): number {
    return this.undecided.reduce((sum, { first }) => sum + spanOf(first), 0);
  }

  private noteEnglish(): false {
    this.undecided = [];
    this.hasEnglish = true;
    this.isForeignNow = false;
    return false;
  }
}
