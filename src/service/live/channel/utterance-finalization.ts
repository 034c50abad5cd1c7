// The end of an utterance: its final, with the words up to a boundary, or none where another channel is transcribed or the
// speech is in another language.

import { milliseconds } from "../../../contract/transcript/transcript.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { digitsOf } from "../../../speech/text/numerals/digits-of.ts";
import type { SpeechPlan } from "../../models/speech-plan.ts";
import type { ChannelEvents, ChannelOptions, ChannelState } from "./channel-contract.ts";
import type { ChannelRecognizer, Hypothesis } from "./channel-recognizer.ts";
import type { CurrentUtterance } from "./current-utterance.ts";
import { CUT_LEAD_SAMPLES, type FinalRecognition } from "./final-recognition.ts";
import type { SampleBuffer } from "./sample-buffer.ts";
import type { PlacedWord } from "./speech-context.ts";
import type { UnrecognizedSpeech } from "./unrecognized-speech.ts";

/** Words that end later than this before the end of the audio are not settled within an utterance. */
const STEP_MARGIN_SECONDS = 2;

/** At the maximum length, a word is included only if it ends this long before the end of the recognised audio. */
const CUT_MARGIN_SECONDS = 0.3;

/** Audio without words between two states that are persisted: a restart processes at most about as much of it again. */
const WORDLESS_SECONDS = 60;

/** Which words a final contains, and where a restart resumes. */
export interface Ending {
  /** Sample to resume from after a restart; defaults to the end of the last word. */
  position?: number;
  isIncluded: (word: PlacedWord) => boolean;
  /** Whether the recogniser's context for the following audio begins at `position`. It begins earlier where a turn may have ended within a word. */
  isApart?: boolean;
}

export interface FinalizationParts {
  options: ChannelOptions;
  events: ChannelEvents;
  utterance: CurrentUtterance;
  samples: SampleBuffer;
  recognizer: ChannelRecognizer;
  finals: FinalRecognition;
  signal: AbortSignal;
  /** Samples that voice activity detection has processed. */
  detectedUntil(): number;
  unrecognized: UnrecognizedSpeech;
  /** A final was decided. @param seconds  no later final has words before this time */
  onDecided(seconds: number): void;
  /** Words remain after a final; they belong to the next utterance. */
  onRemaining(): void;
  /** Its words up to its position are in the finals of another channel, if that was transcribed in place of this one. */
  resumed: ChannelState | undefined;
}

export class UtteranceFinalization {
  /** Whether another channel was transcribed in place of this one during the current utterance. */
  private wasCarried = false;
  /** End of the words of earlier utterances that are in another channel's finals, seconds. */
  private distinctBefore: number;
  /** Position of the last state, samples. */
  private statedAt = 0;

  constructor(private readonly parts: FinalizationParts) {
    const { resumed } = parts;
    this.distinctBefore = resumed?.carriedBy === undefined ? 0 : resumed.position / SAMPLE_RATE;
  }

  /** Whether another channel is transcribed in place of this one. */
  get isCarried(): boolean {
    return this.carrier !== undefined;
  }

  private get carrier(): number | undefined {
    const { channel, sources } = this.parts.options;
    return sources.carrierOf(channel, this.detectedSeconds);
  }

  /** Decisions about sources are used up to this time. */
  private get detectedSeconds(): number {
    return this.parts.detectedUntil() / SAMPLE_RATE;
  }

  /** Another channel is transcribed in place of this one. */
  markCarried(): void {
    this.wasCarried = true;
  }

  /** Words before this time are in another channel's finals, seconds. */
  get distinctSince(): number {
    const { channel, sources } = this.parts.options;
    if (!this.wasCarried) return this.distinctBefore;
    const since = sources.distinctSince(channel, this.detectedSeconds);
    return this.isCarried ? Math.max(since, this.distinctBefore) : since;
  }

  /** The words of the utterance that are in no other channel's finals. @param found  those after the settled ones */
  ownWords(found: readonly PlacedWord[]): PlacedWord[] {
    const { distinctSince } = this;
    return [...this.parts.utterance.settledWords, ...found].filter(({ endSeconds }) => endSeconds > distinctSince);
  }

  /**
   * @param until  end of the utterance, samples
   * @returns the start of what the channel itself says, seconds; undefined if another channel's finals have it
   */
  ownStart(until: number): number | undefined {
    const start = Math.max(this.parts.utterance.start, this.distinctSince);
    return this.isCarriedUntil(until) || start >= until / SAMPLE_RATE ? undefined : start;
  }

  /** Whether another channel's finals have all of the utterance so far. @param until  samples */
  hasNothingOwn(until: number): boolean {
    return this.isCarried && this.ownStart(until) === undefined;
  }

  private isCarriedUntil(until: number): boolean {
    const { utterance, options } = this.parts;
    const range = [utterance.start, until / SAMPLE_RATE] as const;
    return options.sources.isCarried(options.channel, range, this.detectedSeconds);
  }

  /** @param startSeconds  of the next utterance */
  begin(startSeconds: number): void {
    this.wasCarried = false;
    this.parts.utterance.begin(startSeconds);
    this.parts.finals.cancel();
  }

  /** Switches to other models. */
  usePlan(plan: SpeechPlan): void {
    this.parts.utterance.usePlan(plan);
    // A final that is awaited has the words of the earlier models: an aborted recognition would end the session.
    this.parts.finals.forget();
  }

  /**
   * Emits the included words as a final; the others are recognised again with the following audio.
   * @param until  end of the audio of the final, samples
   */
  async finalize(until: number, { position, isIncluded, isApart = false }: Ending): Promise<void> {
    const { utterance, finals, events } = this.parts;
    const { context } = utterance;
    if (this.isCarriedUntil(until)) return this.skipCarried(until, position);
    const checked = await this.checkLanguage(until, await finals.recognize(until));
    if (this.parts.signal.aborted) return;
    const language = utterance.settledLanguage ?? "";
    // If no audio follows the settled words, the final consists of them.
    const found = checked ?? { until, language, words: [] };
    const detectedUntil = this.parts.detectedUntil();
    const included = found.words.filter(isIncluded);
    const words = this.ownWords(included);
    this.distinctBefore = this.distinctSince;
    this.begin(detectedUntil / SAMPLE_RATE);
    if (isApart && position !== undefined) context.restart(position);
    this.parts.unrecognized.cover(words);
    this.parts.onDecided(Math.max(context.start / SAMPLE_RATE, words[0]?.startSeconds ?? 0));
    if (!isApart) {
      // Words that another channel's final has are settled, too: otherwise, the next utterance would repeat them.
      context.settle(included);
      context.shorten(detectedUntil);
    }
    if (words.length === 0) {
      if (position === undefined) this.stateWordless(() => this.stateAfterCut(detectedUntil), context.start);
      return;
    }
    const id = utterance.takeId();
    this.decideLanguage(found, words);
    const final = utterance.finalOf(words, found.language);
    const state = position === undefined ? this.stateAfterCut(detectedUntil) : this.stateAt(position);
    this.statedAt = state.position;
    await events.final(id, final, state);
    if (position !== undefined) return;
    // The remaining words are the first hypothesis of the next utterance.
    utterance.start = Math.min(utterance.start, context.settledUntil);
    utterance.hypothesis = { ...found, words: found.words.filter((word) => !isIncluded(word)) };
    this.parts.onRemaining();
  }

  /**
   * The utterance has reached its maximum length: emits the words that are complete.
   * @param position  samples
   * @returns time before which all words are in finals, seconds
   */
  async cut(position: number): Promise<number> {
    const until = position - CUT_LEAD_SAMPLES;
    const seconds = until / SAMPLE_RATE - CUT_MARGIN_SECONDS;
    await this.finalize(until, { isIncluded: (word) => word.endSeconds <= seconds });
    return seconds;
  }

  /** Whether the utterance ends in a number so far, which later words may continue. @param until  samples */
  async endsInNumber(until: number): Promise<boolean> {
    const { finals, utterance } = this.parts;
    if (this.hasNothingOwn(until)) return false;
    const found = await finals.recognize(until);
    const last = found?.words.at(-1) ?? utterance.settledWords.at(-1);
    return found !== undefined && last !== undefined && digitsOf(last.text, found.language) !== undefined;
  }

  /**
   * Returns the result if its language is known; otherwise the result of the model for its language, or one without
   * words. In the latter two cases, words settled earlier in the utterance are discarded too.
   */
  private async checkLanguage(until: number, found: Hypothesis | undefined): Promise<Hypothesis | undefined> {
    const { options, events, utterance, samples, recognizer, finals } = this.parts;
    const { guard, context, secondEnglishModel: model } = utterance;
    if (!found || !guard || model === undefined || found.words.length === 0) return found;
    const verdict = await guard.judge(samples.slice(context.start, until), found.words, async () => {
      const route = { model, languages: ["en"] };
      return (await recognizer.recognize({ ...finals.requestUntil(until), route }))?.words ?? [];
    });
    if (verdict === "doubtful") events.doubtfulSpeech(options.channel);
    if (verdict !== "foreign") return found;
    const range = rangeOf([...utterance.settledWords, ...found.words]);
    utterance.settledWords = [];
    this.parts.unrecognized.clear();
    const plan = await events.foreignSpeech(options.channel, range);
    if (!plan) return { ...found, words: [] };
    this.usePlan(plan);
    return recognizer.recognize(finals.requestUntil(until));
  }

  /** Settles the words of a long utterance, at positions that depend on the audio alone. @param position  samples */
  async settleWords(position: number): Promise<void> {
    const { utterance, finals } = this.parts;
    const found = await finals.recognize(position);
    const settledUntil = position / SAMPLE_RATE - STEP_MARGIN_SECONDS;
    const settled = found?.words.filter((word) => word.endSeconds <= settledUntil) ?? [];
    utterance.settledWords.push(...settled);
    this.parts.unrecognized.cover(settled);
    if (found && settled.length > 0) {
      utterance.language.settle(found);
      utterance.settledLanguage = found.language;
    }
    utterance.context.settle(settled);
    utterance.context.advance(position, found?.words[settled.length]?.startSeconds);
    utterance.discardHypotheses();
    finals.cancel();
  }

  /**
   * The utterance is transcribed in another channel.
   * @param until     end of its audio, samples
   * @param position  sample to resume from after a restart, unless the speech continues
   */
  private skipCarried(until: number, position = until): void {
    const { options, events, utterance } = this.parts;
    const detectedUntil = this.parts.detectedUntil();
    this.parts.unrecognized.clear();
    // The other channel's final has its words: no later final may repeat them, even if this channel is transcribed by then.
    if (position === until) utterance.context.advance(detectedUntil);
    else utterance.context.restart(position);
    this.distinctBefore = position / SAMPLE_RATE;
    this.begin(detectedUntil / SAMPLE_RATE);
    events.carried(options.channel, this.stateAt(position));
  }

  /** In silence: no later final has words before this sample. */
  silentUntil(sample: number): void {
    this.stateWordless(() => ({ ...this.stateAt(sample), context: { startSample: sample, settled: [] } }), sample);
  }

  private stateWordless(state: () => ChannelState, position: number): void {
    if (position - this.statedAt < WORDLESS_SECONDS * SAMPLE_RATE) return;
    this.statedAt = position;
    this.parts.events.wordless(this.parts.options.channel, state());
  }

  /** @param continuedAt  where the next utterance began, samples */
  private stateAfterCut(continuedAt: number): ChannelState {
    return { ...this.stateAt(Math.ceil(this.parts.utterance.context.settledUntil * SAMPLE_RATE)), continuedAt };
  }

  private stateAt(position: number): ChannelState {
    const { options, utterance } = this.parts;
    const carriedBy = this.carrier;
    const distinctions = options.sources.distinctionsOf(options.channel, this.detectedSeconds);
    return {
      ...utterance.stateAt(position),
      ...(carriedBy === undefined ? {} : { carriedBy }),
      ...(distinctions.length === 0 ? {} : { distinctions }),
    };
  }

  private decideLanguage(found: Hypothesis, words: readonly PlacedWord[]): void {
    const [start, end] = rangeOf(words);
    const { options, events, utterance } = this.parts;
    if (!utterance.language.addFinal(found, end - start)) return;
    events.languageDetected(options.channel, [start, end], found);
  }
}

/** Seconds. */
const rangeOf = (words: readonly PlacedWord[]): [start: number, end: number] => [
  milliseconds(words[0]?.startSeconds ?? 0),
  milliseconds(words.at(-1)?.endSeconds ?? 0),
];
