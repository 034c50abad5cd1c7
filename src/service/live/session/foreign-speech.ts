// Speech that is or may be in a language that no installed model supports: warns the client once of each, fetches the model
// for foreign speech if that is allowed, and adds a warning to the result.
import type { Logger } from "pino";
import { errors, type ParlanceError } from "../../../platform/errors.ts";
import { doubtfulSpeech } from "../../models/doubtful-speech.ts";
import type { LanguageRequest, SpeechPlan } from "../../models/speech-plan.ts";
import type { LiveEvent } from "../events/live-event.ts";
import type { MultilingualModel } from "./session-contract.ts";

export interface ForeignSpeechEvents {
  /** Sends an event once, and stores it: `observe` receives it again after a restart. */
  report(event: LiveEvent): void;
  /** Switches to other models from now on, where these languages are still in force. */
  usePlan(plan: SpeechPlan, request: LanguageRequest): void;
}

export class ForeignSpeech {
  private wasFound = false;
  private wasDoubted = false;
  private isFetching = false;

  constructor(
    private readonly multilingual: MultilingualModel,
    private readonly logger: Logger,
    private readonly events: ForeignSpeechEvents,
  ) {}

  /** Warning for the result; undefined if all speech is English. */
  get warning(): string | undefined {
    if (this.problem) return this.problem.message;
    return this.wasDoubted ? this.doubt : undefined;
  }

  private get doubt(): string {
    return `Some ${doubtfulSpeech(this.multilingual.id)}`;
  }

  /** @param event  of this process, or of an earlier one of the session */
  observe(event: LiveEvent): void {
    if (event.kind !== "error") return;
    if (event.code === "language_uncertain") this.wasDoubted = true;
    if (event.code === "language_unavailable") this.wasFound = true;
  }

  /** Called for an utterance that may not be in English. */
  doubted(): void {
    if (this.wasDoubted || this.wasFound) return;
    this.wasDoubted = true;
    this.events.report({ kind: "error", code: "language_uncertain", reason: this.doubt });
  }

  /** Why a session has no words; undefined if all speech was recognised. */
  get problem(): ParlanceError | undefined {
    return this.wasFound ? errors.speechNotEnglish(this.multilingual.id, false) : undefined;
  }

  /**
   * Called for an utterance that is not in English.
   * @param request  languages in force
   * @returns models for recognising it, if they are installed
   */
  async found(request: LanguageRequest): Promise<SpeechPlan | undefined> {
    const installed = await this.multilingual.installedPlan(request);
    if (installed) return installed;
    if (!this.wasFound) {
      this.wasFound = true;
      const problem = errors.speechNotEnglish(this.multilingual.id, false);
      this.events.report({ kind: "error", code: "language_unavailable", reason: problem.message });
    }
    if (!this.isFetching) this.fetch(request);
    return undefined;
  }

  private fetch(request: LanguageRequest): void {
    this.isFetching = true;
    this.multilingual.plan(request).then(
      (plan) => this.events.usePlan(plan, request),
      (error: unknown) =>
        this.logger.info(
          { err: error, model: this.multilingual.id },
          "the multilingual model is not available to a live session",
        ),
    );
  }
}
