// The utterance in progress of a channel: its context, language and words so far, and the state that a restart needs.

import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { endsSentence } from "../../../speech/text/writing.ts";
import type { SpeechPlan } from "../../models/speech-plan.ts";
import type { ChannelModels, ChannelOptions, ChannelState } from "./channel-contract.ts";
import type { Hypothesis } from "./channel-recognizer.ts";
import { ForeignGuard } from "./foreign-guard.ts";
import { Partials } from "./partials.ts";
import { type PlacedWord, SpeechContext } from "./speech-context.ts";
import { SpokenLanguage } from "./spoken-language.ts";
import { utteranceOf } from "./utterance.ts";

export class CurrentUtterance {
  readonly context: SpeechContext;
  language: SpokenLanguage;
  /** Checks whether the speech is English; undefined if no check is needed. */
  guard: ForeignGuard | undefined;
  /** Model with which the guard compares the speech. */
  secondEnglishModel: string | undefined;
  /** Newest recognition result. */
  hypothesis: Hypothesis | undefined;
  /** Words that were settled before the end of the utterance. */
  settledWords: PlacedWord[] = [];
  /** Language of the last of them. */
  settledLanguage: string | undefined;
  /** Seconds. */
  start = 0;
  /** Start of the audio of partials if it is not the whole utterance, seconds. */
  partialSince: number | undefined;
  /** Counts utterances: a result that arrives after the end of its utterance is discarded. */
  generation = 0;
  /** Words that partials have shown. */
  readonly partials = new Partials();
  private number: number;
  /** Whether the previous final ended a sentence. */
  private isAfterStop: boolean;
  /** Sample of the change that named the languages; undefined for those of the request. */
  private languageSince: number | undefined;

  constructor(
    private readonly options: Pick<ChannelOptions, "channel" | "models">,
    private readonly resumed?: ChannelState,
  ) {
    this.context = new SpeechContext(SAMPLE_RATE, resumed?.context);
    this.language = this.begunWith(options.models);
    this.number = resumed?.nextUtterance ?? 0;
    // States of earlier versions have it only where the context does not contain the last words.
    this.isAfterStop = resumed?.isAfterStop ?? endsSentence(resumed?.context.settled.at(-1)?.text ?? "");
  }

  get id(): string {
    return `${String(this.options.channel).padStart(2, "0")}_${String(this.number).padStart(8, "0")}`;
  }

  /** Begins the next utterance. */
  begin(startSeconds: number): void {
    this.start = startSeconds;
    this.generation++;
    this.settledWords = [];
    this.settledLanguage = undefined;
    this.language.begin();
    this.discardHypotheses();
    this.partials.reset();
  }

  discardHypotheses(): void {
    this.hypothesis = undefined;
    this.partialSince = undefined;
  }

  /** The languages change. @param since  sample from which other ones may be spoken */
  useModels(models: ChannelModels, since: number): void {
    this.languageSince = since;
    this.language = this.begunWith(models);
    // Earlier words may be in another language. A resumed channel begins after the changes of an earlier process.
    if (since > this.context.start) this.context.restart(since);
    this.discardHypotheses();
  }

  /** Evidence that an earlier process found counts for the languages of that time alone. */
  private begunWith({ plan, secondEnglishModel }: ChannelModels): SpokenLanguage {
    this.secondEnglishModel = secondEnglishModel;
    const kept = this.resumed?.languageSince === this.languageSince ? this.resumed : undefined;
    this.guard = secondEnglishModel === undefined ? undefined : new ForeignGuard(kept?.guard);
    return new SpokenLanguage(plan, kept?.language);
  }

  /** Switches to other models. */
  usePlan(plan: SpeechPlan): void {
    this.language = new SpokenLanguage(plan, undefined);
    this.guard = undefined;
    this.discardHypotheses();
  }

  /** @returns the id of the final; later ones belong to the next utterance */
  takeId(): string {
    const { id } = this;
    this.number++;
    return id;
  }

  /** Builds the final. Whether it ends a sentence determines how the next utterance begins: call once for each utterance. */
  finalOf(words: readonly PlacedWord[], language: string): Utterance {
    const utterance = this.toUtterance(words, language);
    this.isAfterStop = endsSentence(utterance.words.at(-1)?.word.trim() ?? "", language);
    return utterance;
  }

  toUtterance(words: readonly PlacedWord[], language: string): Utterance {
    return utteranceOf(words, { language, channel: this.options.channel, isAfterStop: this.isAfterStop });
  }

  /** State to persist. @param position  sample to resume from after a restart */
  stateAt(position: number): ChannelState {
    const language = this.language.state;
    const guard = this.guard?.state;
    return {
      position,
      nextUtterance: this.number,
      context: this.context.state,
      isAfterStop: this.isAfterStop,
      ...(language === undefined ? {} : { language }),
      ...(guard === undefined ? {} : { guard }),
      ...(this.languageSince === undefined ? {} : { languageSince: this.languageSince }),
    };
  }
}
