// Language of a channel: named by the request, or detected. The language of a final depends only on the audio and the
// earlier finals. For partials, it may be a guess.

import { LanguageLock, type LanguageLockState } from "../../../speech/recognition/language-lock.ts";
import { stayingOdds } from "../../../speech/recognition/language-path.ts";
import type { LanguageBias } from "../../../speech/recognition/recognizer.ts";
import type { SpeechPlan } from "../../models/speech-plan.ts";

/** Model and languages for recognising a section of speech. */
export interface RecognitionRoute {
  model: string;
  languages: readonly string[];
  languageBias?: readonly LanguageBias[];
  /** Specialised model for this language: transcribes the speech if the language is detected. */
  specialist?: { language: string; model: string };
  /** The specialised model runs first, without language detection, unless its words look like another language. */
  isSpecialistLikely?: boolean;
  /**
   * Too little speech has decided the language. The specialised model then also transcribes speech in which the other model finds no
   * words.
   */
  isUnsure?: boolean;
}

/** The language of a section of speech. */
export interface SpeechLanguage {
  language: string;
  /** Undefined if the request named the language. */
  probability?: number;
  /** Of the candidate languages, if they were detected. */
  probabilities?: readonly (readonly [language: string, probability: number])[];
}

const ENGLISH = "en";
/** Shortest audio from which a partial's language is used for later partials. */
const GUESS_SECONDS = 1;
/** Probability reported for English that was confirmed by its words, without language detection. */
const CONFIRMED_PROBABILITY = 0.95;
/** Weight of the language in states of earlier versions, which contain only its name. */
const EARLIER_LOCK_SECONDS = 3;

const lockOf = (state: LanguageLockState | string | undefined) =>
  new LanguageLock(typeof state === "string" ? { behind: { [state]: 0 }, seconds: EARLIER_LOCK_SECONDS } : state);

export class SpokenLanguage {
  /** Language of the current utterance, once a part of it is settled. */
  private ofUtterance: string | undefined;
  private guess: string | undefined;
  private readonly lock: LanguageLock;

  /** @param kept  state before a restart */
  constructor(
    private readonly plan: SpeechPlan,
    kept: LanguageLockState | string | undefined,
  ) {
    this.lock = lockOf(kept);
  }

  /** State persisted for a restart; undefined before the first evidence. */
  get state(): LanguageLockState | undefined {
    return this.lock.language === undefined ? undefined : this.lock.state;
  }

  /** Whether the request leaves the language to detection. */
  get isDetected(): boolean {
    return this.plan.languages.length !== 1;
  }

  /** Starts a new utterance. */
  begin(): void {
    this.ofUtterance = undefined;
    this.guess = undefined;
  }

  /** @param seconds  length of the speech @param isExact  whether it is for a final */
  route(seconds: number, isExact: boolean): RecognitionRoute {
    const { isSwitching } = this.plan;
    const { language, isLocked } = this.lock;
    const kept = isLocked && !isSwitching ? language : undefined;
    const { model, englishModel, languages } = this.plan;
    const known = this.ofUtterance ?? (isExact ? undefined : (this.guess ?? kept));
    if (!this.isDetected) return { model, languages };
    if (known !== undefined) {
      const usesSpecialist = known === ENGLISH && englishModel !== undefined;
      return { model: usesSpecialist ? englishModel : model, languages: [known] };
    }
    const bias = this.biasFor(seconds);
    return {
      model,
      languages,
      ...(bias.length === 0 ? {} : { languageBias: bias }),
      ...(englishModel === undefined ? {} : { specialist: { language: ENGLISH, model: englishModel } }),
      ...(kept === ENGLISH && englishModel !== undefined ? { isSpecialistLikely: true } : {}),
      ...(isLocked ? {} : { isUnsure: true }),
    };
  }

  private biasFor(seconds: number): LanguageBias[] {
    if (!this.plan.isSwitching) return this.lock.bias(seconds);
    const { language } = this.lock;
    return language === undefined ? [] : [{ language, logOdds: stayingOdds(seconds) }];
  }

  /** Uses the language that a partial detected for later partials. */
  guessFrom({ language }: SpeechLanguage, seconds: number): void {
    if (seconds >= GUESS_SECONDS) this.guess = language;
  }

  /** Fixes the language of the utterance, as a part of it is settled. */
  settle({ language }: SpeechLanguage): void {
    this.ofUtterance = language;
  }

  /** Adds the evidence of a final. @returns whether its language was detected and was not certain before */
  addFinal({ language, probability, probabilities }: SpeechLanguage, seconds: number): boolean {
    if (!this.isDetected) return false;
    const before = this.lock.language;
    const wasLocked = this.lock.isLocked;
    if (this.plan.isSwitching) this.lock.setLanguage(language);
    else this.lock.add({ seconds, probabilities: probabilities ?? [[language, probability ?? CONFIRMED_PROBABILITY]] });
    const isReported = this.plan.isSwitching || !wasLocked || before !== this.lock.language;
    return isReported && probability !== undefined;
  }
}
