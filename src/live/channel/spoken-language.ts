// Which language a channel is in: told by the request, or heard and kept, or heard anew for every utterance. What a final
// is written down in depends on the audio and the finals before it alone; partials may guess.
import type { SpeechPlan } from "../../models/speech-plan.ts";
import { stayingOdds } from "../../recognition/language-path.ts";
import type { LanguageBias } from "../../recognition/recognizer.ts";

/** How a stretch of speech is to be heard. */
export interface HearingWay {
  model: string;
  languages: readonly string[];
  languageBias?: LanguageBias;
  /** Written down by another model when it is this language. */
  left?: { language: string; model: string };
}

/** A language that was heard. */
export interface HeardLanguage {
  language: string;
  /** Where it was not told. */
  probability?: number;
}

const ENGLISH = "en";
/** The first language that is heard with so much certainty, or for so long, is kept. */
const SURE_PROBABILITY = 0.7;
const SURE_SECONDS = 3;
/** A guess for partials stands from this much audio on. */
const GUESS_SECONDS = 1;

export class SpokenLanguage {
  /** Of the utterance that goes on, once a part of it is settled. */
  private ofUtterance: string | undefined;
  private guess: string | undefined;

  /** @param kept  what was kept before a restart */
  constructor(
    private readonly plan: SpeechPlan,
    private kept: string | undefined,
  ) {}

  /** What survives a restart. */
  get state(): string | undefined {
    return this.kept;
  }

  /** A new utterance. */
  begin(): void {
    this.ofUtterance = undefined;
    this.guess = undefined;
  }

  /** @param seconds  length of the speech @param isExact  for finals */
  way(seconds: number, isExact: boolean): HearingWay {
    const known =
      this.ofUtterance ?? (this.plan.isSwitching ? undefined : this.kept) ?? (isExact ? undefined : this.guess);
    const { model, englishModel, languages } = this.plan;
    if (known !== undefined) {
      const isLeft = known === ENGLISH && englishModel !== undefined;
      return { model: isLeft ? englishModel : model, languages: [known] };
    }
    const bias = this.kept === undefined ? undefined : { language: this.kept, logOdds: stayingOdds(seconds) };
    return {
      model,
      languages,
      ...(bias ? { languageBias: bias } : {}),
      ...(englishModel === undefined ? {} : { left: { language: ENGLISH, model: englishModel } }),
    };
  }

  /** What a partial heard. */
  suppose({ language }: HeardLanguage, seconds: number): void {
    if (seconds >= GUESS_SECONDS) this.guess = language;
  }

  /** A part of an utterance is settled. */
  settle({ language }: HeardLanguage): void {
    this.ofUtterance = language;
  }

  /** A final is out. @returns whether its language was heard, not told */
  decide({ language, probability }: HeardLanguage, seconds: number): boolean {
    const wasHeard = probability !== undefined;
    if (this.plan.isSwitching || (probability ?? 1) >= SURE_PROBABILITY || seconds >= SURE_SECONDS) {
      this.kept = language;
    }
    return wasHeard;
  }
}
