// One channel of a session: audio in, speech events and transcripts out. Voice activity detection decides where
// utterances begin and end. Partials are recognised during speech; a final contains the words up to a boundary between
// two words. One loop per channel processes the audio in order.

import { quietBeginning } from "../../audio/voice-activity/quiet-beginning.ts";
import {
  type VoiceActivityState,
  WARM_UP_SAMPLES,
  WINDOW_SAMPLES,
  warmUpSamples,
} from "../../audio/voice-activity/silero.ts";
import type { VoiceActivityAnswer } from "../../inference/message.ts";
import type { SpeechPlan } from "../../models/speech-plan.ts";
import { endsSentence } from "../../text/writing.ts";
import { milliseconds, type Utterance } from "../../transcript/transcript.ts";
import {
  type ChannelEvents,
  type ChannelOptions,
  type ChannelServices,
  type ChannelState,
  SAMPLE_RATE,
} from "./channel-contract.ts";
import { ChannelRecognizer, type Hypothesis, type RecognitionRequest } from "./channel-recognizer.ts";
import { Endpointing, type EndpointingEvent } from "./endpointing.ts";
import { EnhancedInput } from "./enhanced-input.ts";
import { ForeignGuard } from "./foreign-guard.ts";
import { PADDING_SECONDS, partialAudio } from "./partial-audio.ts";
import { Partials } from "./partials.ts";
import { SampleBuffer } from "./sample-buffer.ts";
import { type PlacedWord, SpeechContext } from "./speech-context.ts";
import { SpokenLanguage } from "./spoken-language.ts";
import { openEnded, utteranceOf } from "./utterance.ts";

const WINDOW_SECONDS = WINDOW_SAMPLES / SAMPLE_RATE;

/** Most windows in one voice activity request. */
const MOST_WINDOWS = 31;
/** Fewest windows in one request while all recognisers are busy: each request takes time from them. */
const LEAST_WINDOWS_BUSY = 2;
/** Longest wait for a fuller request while all recognisers are busy. */
const BUSY_WAIT_MILLISECONDS = 100;
/** Partials recognised at once. Two in parallel agree sooner than two in sequence if a process is idle. */
const MOST_PARTIALS = 2;
/** New audio that justifies another partial. */
const PARTIAL_STEP_SAMPLES = Math.round(0.04 * SAMPLE_RATE);
/** Audio before the utterance that is included in the audio of a partial. */
const PARTIAL_CONTEXT_SECONDS = 0.6;
const FIRST_PARTIAL_SAMPLES = Math.round(0.25 * SAMPLE_RATE);
/** Longest silence after the last word in the audio of a final, if the endpointing is that long: four windows. */
const MOST_TAIL_WINDOWS = 4;
/**
 * An utterance that reaches its maximum length is recognised up to this long before its end, so that the result is
 * ready in time.
 */
const CUT_LEAD_SAMPLES = 10 * WINDOW_SAMPLES;
/** At the maximum length, a word is included only if it ends this long before the end of the recognised audio. */
const CUT_MARGIN_SECONDS = 0.3;
/** A word that begins later than this after the end of speech belongs to the next utterance. */
const LATE_START_SECONDS = 0.08;
/** In a long utterance, words are settled this often, which bounds the recogniser's input. */
const STEP_SECONDS = 10;
const STEP_MARGIN_SECONDS = 2;
/** Longest delay with which the detector reports a quiet voice after a loud one. */
const LATEST_DETECTION_SAMPLES = Math.round(1.6 * SAMPLE_RATE);
/** Audio that the level of a quiet voice is measured from, up to the position of its detection. */
const QUIET_LEVEL_SAMPLES = 4 * WINDOW_SAMPLES;
/** Audio kept before speech, for the recogniser's context. */
const PRE_SPEECH_SECONDS = 10;

/** Recognition of a final that was started before its end is certain. */
interface PendingFinal {
  until: number;
  result: Promise<Hypothesis | undefined>;
  cancellation: AbortController;
}

export class ChannelStream {
  private readonly endpointing: Endpointing;
  private readonly context: SpeechContext;
  private readonly samples: SampleBuffer;
  /** Samples that voice activity detection has processed. */
  private detectedUntil: number;
  private readonly firstSample: number;
  private state: VoiceActivityState | undefined;
  private nextUtterance: number;
  private speechEnd = 0;
  /** Newest recognition result for the current utterance. */
  private hypothesis: Hypothesis | undefined;
  private pendingFinal: PendingFinal | undefined;
  private utteranceStart = 0;
  /** Whether the previous final ended a sentence. */
  private isAfterStop: boolean;
  /** Words of the current utterance that were settled before its end. */
  private settledWords: PlacedWord[] = [];
  private readonly tailSamples: number;
  private partialsUnderWay = 0;
  private partialAt = 0;
  /** Start of the audio of partials if it is not the whole utterance, seconds. */
  private partialSince: number | undefined;
  /** Counts utterances: a result that arrives after the end of its utterance is discarded. */
  private generation = 0;
  private readonly partials = new Partials();
  private readonly partialTurn = () => this.considerPartial();
  private isFlushing = false;
  /** Samples at which turns end, in order, beyond the detector's position. */
  private readonly turnEnds: number[] = [];
  private notifyAudio: (() => void) | undefined;
  private readonly abort = new AbortController();
  private readonly done: Promise<void>;
  /** Whether speech_start was sent for the current utterance. */
  private isStartReported = false;
  /** Whether another channel was transcribed in place of this one during the current utterance. */
  private wasCarried = false;
  private readonly input: EnhancedInput | undefined;
  private readonly recognizer: ChannelRecognizer;
  private language: SpokenLanguage;
  /** Checks whether the speech is English; undefined where nothing is to be checked. */
  private guard: ForeignGuard | undefined;

  /** @param resumed  persisted state; audio must then be appended from `state.context.startSample` on */
  constructor(
    private readonly options: ChannelOptions,
    private readonly services: ChannelServices,
    private readonly events: ChannelEvents,
    private readonly resumed?: ChannelState,
  ) {
    this.context = new SpeechContext(SAMPLE_RATE, resumed?.context);
    this.language = new SpokenLanguage(options.plan, resumed?.language);
    if (options.secondEnglishModel !== undefined) this.guard = new ForeignGuard();
    this.nextUtterance = resumed?.nextUtterance ?? 0;
    this.isAfterStop = resumed?.isAfterStop ?? endsSentence(resumed?.context.settled.at(-1)?.text ?? "");
    const start = ChannelStream.audioStart(resumed);
    this.samples = new SampleBuffer(start);
    this.recognizer = new ChannelRecognizer(options, services, this.samples, this.abort.signal);
    this.detectedUntil = start;
    this.firstSample = start;
    this.speechEnd = resumed ? resumed.position : Number.NEGATIVE_INFINITY;
    this.endpointing = new Endpointing(
      {
        threshold: options.threshold,
        endpointingSeconds: options.endpointingSeconds,
        maximumSeconds: options.maximumSeconds,
        windowSeconds: WINDOW_SECONDS,
      },
      Math.floor(start / WINDOW_SAMPLES),
    );
    this.tailSamples = Math.min(MOST_TAIL_WINDOWS, this.endpointing.silenceWindows) * WINDOW_SAMPLES;
    if (options.enhancedStream !== undefined) {
      this.input = new EnhancedInput(options.enhancedStream, services.enhancer, (samples) => this.take(samples));
    }
    this.done = this.run().catch((error: unknown) => {
      if (!this.abort.signal.aborted) this.events.failed(error);
    });
  }

  /** First sample that a resumed channel needs: the window boundary at or before its context. */
  static audioStart(state: ChannelState | undefined): number {
    return state ? Math.floor(state.context.startSample / WINDOW_SAMPLES) * WINDOW_SAMPLES : 0;
  }

  /** Seconds of audio that are not transcribed yet. */
  get backlogSeconds(): number {
    const reached = this.endpointing.isSpeech
      ? Math.min(this.detectedUntil, this.context.settledUntil * SAMPLE_RATE)
      : this.detectedUntil;
    return Math.max(0, (this.end - reached) / SAMPLE_RATE);
  }

  /** Seconds of audio that voice activity detection has not processed. */
  get undetectedSeconds(): number {
    return (this.end + (this.input?.pendingSamples ?? 0) - this.detectedUntil) / SAMPLE_RATE;
  }

  append(samples: Float32Array): void {
    if (samples.length === 0) return;
    if (this.input) this.input.append(samples);
    else this.take(samples);
  }

  private take(samples: Float32Array): void {
    this.samples.append(samples, this.neededFrom);
    this.notifyAudio?.();
  }

  /**
   * The client has stopped sending: the utterance ends with the audio received so far, and later audio starts a new
   * one.
   */
  endTurn(): void {
    if (this.isFlushing) return;
    this.turnEnds.push(this.receivedUntil);
    this.notifyAudio?.();
  }

  /** The turn will probably end here: starts recognising the final. */
  anticipateTurnEnd(): void {
    if (
      !this.endpointing.isSpeech ||
      this.receivedUntil - this.detectedUntil >= WINDOW_SAMPLES ||
      this.end < this.receivedUntil
    )
      return;
    this.recognizeFinal(this.turnFinalUntil(this.end, this.endpointing.silenceBegan)).catch(() => undefined);
  }

  /** Ends the audio; resolves when the last final was emitted. */
  async flush(): Promise<void> {
    await this.input?.finish();
    this.isFlushing = true;
    this.notifyAudio?.();
    await this.done;
  }

  /** Aborts the channel; it emits nothing more. */
  stop(): void {
    this.abort.abort();
    if (this.options.enhancedStream !== undefined) void this.services.enhancer.end(this.options.enhancedStream);
    this.notifyAudio?.();
  }

  private get end(): number {
    return this.samples.end;
  }

  /** One past the last sample that the audio received so far will produce. */
  private get receivedUntil(): number {
    return this.input ? this.firstSample + this.input.reach : this.end;
  }

  /** Audio before this sample is no longer needed. */
  private get neededFrom(): number {
    const lead = this.detectedUntil - Math.round(PRE_SPEECH_SECONDS * SAMPLE_RATE);
    return Math.max(0, this.endpointing.isSpeech ? Math.min(this.context.start, lead) : lead);
  }

  private async run(): Promise<void> {
    let hasTimedOut = false;
    while (!this.abort.signal.aborted) {
      const turnEnd = this.turnEnds[0];
      const waiting = Math.floor((Math.min(this.end, turnEnd ?? this.end) - this.detectedUntil) / WINDOW_SAMPLES);
      const windows = Math.min(MOST_WINDOWS, waiting);
      const isComplete = this.isFlushing || (turnEnd !== undefined && this.end >= turnEnd);
      if (windows > 0 && (isComplete || this.justifiesRequest(windows, hasTimedOut))) {
        hasTimedOut = false;
        await this.detectSpeech(windows);
      } else if (turnEnd !== undefined && this.end >= turnEnd) {
        this.turnEnds.shift();
        await this.finishTurn(turnEnd);
      } else if (this.isFlushing) break;
      else hasTimedOut = await this.waitForAudio(windows > 0 && this.state !== undefined);
    }
    if (!this.abort.signal.aborted) await this.finish();
  }

  /** Whether so many windows justify a request. */
  private justifiesRequest(windows: number, hasTimedOut: boolean): boolean {
    // The detector's warm-up always uses the same amount of audio, so that results do not depend on how audio arrives.
    if (this.state === undefined && this.end - this.detectedUntil < WARM_UP_SAMPLES) return false;
    return windows >= LEAST_WINDOWS_BUSY || hasTimedOut || this.services.recognition.idleCount > 0;
  }

  /**
   * Waits for more audio.
   * @param isBounded  returns after BUSY_WAIT_MILLISECONDS at the latest: the client may not send any more
   * @returns whether the wait timed out
   */
  private async waitForAudio(isBounded: boolean): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const hasTimedOut = await new Promise<boolean>((resolve) => {
      this.notifyAudio = () => resolve(false);
      if (isBounded) timer = setTimeout(() => resolve(true), BUSY_WAIT_MILLISECONDS);
    });
    clearTimeout(timer);
    return hasTimedOut;
  }

  private async detectSpeech(windows: number): Promise<void> {
    const samples = this.samples.slice(this.detectedUntil, this.detectedUntil + windows * WINDOW_SAMPLES);
    this.state ??= (await this.detect(warmUpSamples(samples.subarray(0, WARM_UP_SAMPLES)))).state;
    const { probabilities, state } = await this.detect(samples);
    this.state = state;
    for (const probability of probabilities) {
      this.detectedUntil += WINDOW_SAMPLES;
      // Audio of a resumed channel that is already in finals only warms up the detector.
      const event = this.endpointing.push(this.detectedUntil <= (this.resumed?.position ?? 0) ? 0 : probability);
      if (event) await this.handle(event);
      else if (this.endpointing.isSpeech) await this.continueSpeech();
      if (this.abort.signal.aborted) return;
    }
    if (this.endpointing.isSpeech) this.considerFinal();
    this.considerPartial();
  }

  private detect(samples: Float32Array): Promise<VoiceActivityAnswer> {
    const { detection } = this.services;
    return this.recognizer.retryTransient(() =>
      detection.voiceActivity(samples, this.state, { priority: "live", signal: this.abort.signal }),
    );
  }

  private async handle(event: EndpointingEvent): Promise<void> {
    if (event.kind === "start") {
      // The window in which a turn ended may be the first one of the next turn.
      const sample = Math.max(event.window * WINDOW_SAMPLES, this.speechEnd);
      this.context.begin(sample - this.quietBeginningOf(sample), this.speechEnd);
      this.resetUtterance(sample / SAMPLE_RATE);
      // The first words need a little more audio than later ones.
      this.partialAt = this.detectedUntil + FIRST_PARTIAL_SAMPLES - PARTIAL_STEP_SAMPLES;
      this.reportSpeechStart(sample / SAMPLE_RATE);
      return;
    }
    const silentFrom = event.silentFrom * WINDOW_SAMPLES;
    this.speechEnd = event.reason === "silence" ? silentFrom : this.detectedUntil;
    this.reportSpeechEnd(silentFrom / SAMPLE_RATE);
    if (event.reason === "silence") {
      await this.finalize(Math.min(this.detectedUntil, silentFrom + this.tailSamples), {
        position: silentFrom,
        isIncluded: (word) => word.startSeconds < silentFrom / SAMPLE_RATE + LATE_START_SECONDS,
      });
      return;
    }
    const until = this.detectedUntil - CUT_LEAD_SAMPLES;
    const cut = until / SAMPLE_RATE - CUT_MARGIN_SECONDS;
    await this.finalize(until, { isIncluded: (word) => word.endSeconds <= cut });
    // The speech continues in the next utterance.
    this.reportSpeechStart(this.detectedUntil / SAMPLE_RATE);
  }

  private get isCarried(): boolean {
    return this.options.sources.carrierOf(this.options.channel) !== undefined;
  }

  /** Reports the start of speech, unless another channel carries the same source. */
  private reportSpeechStart(seconds: number): void {
    this.isStartReported = !this.isCarried;
    if (this.isStartReported) this.events.speechStart(this.options.channel, milliseconds(seconds));
  }

  private reportSpeechEnd(seconds: number): void {
    if (!this.isStartReported) return;
    this.isStartReported = false;
    this.events.speechEnd(this.options.channel, milliseconds(seconds));
    this.reportEnhancement(seconds);
  }

  private async continueSpeech(): Promise<void> {
    if (this.isCarried) {
      this.wasCarried = true;
      if (this.detectedUntil - this.context.start >= STEP_SECONDS * SAMPLE_RATE)
        this.context.advance(this.detectedUntil);
      return;
    }
    if (!this.isStartReported) this.reportSpeechStart(Math.max(this.utteranceStart, this.distinctSince));
    await this.step();
  }

  /** Words before this time are in another channel's finals, seconds. */
  private get distinctSince(): number {
    return this.wasCarried ? this.options.sources.distinctSince(this.options.channel) : 0;
  }

  /** The utterance is transcribed in another channel. @param position  sample to resume from after a restart */
  private skipCarried(position: number): void {
    this.settledWords = [];
    this.context.advance(this.detectedUntil);
    this.resetUtterance(this.detectedUntil / SAMPLE_RATE);
    const { language } = this;
    const carriedBy = this.options.sources.carrierOf(this.options.channel);
    this.events.carried(this.options.channel, {
      position,
      nextUtterance: this.nextUtterance,
      context: this.context.state,
      ...(language.state === undefined ? {} : { language: language.state }),
      ...(carriedBy === undefined ? {} : { carriedBy }),
    });
  }

  /** How much earlier a quiet voice that follows a louder one began, samples. @param found  sample of its detection */
  private quietBeginningOf(found: number): number {
    const from = Math.max(0, this.speechEnd, found - LATEST_DETECTION_SAMPLES);
    if (this.speechEnd < from || from >= found) return 0;
    // Exactly the detected audio: the result must not depend on how fast audio arrives.
    const speech = this.samples.slice(found - QUIET_LEVEL_SAMPLES, this.detectedUntil);
    return quietBeginning(this.samples.slice(from, found), speech);
  }

  /** The end of the audio ends the current utterance. */
  private async finish(): Promise<void> {
    if (!this.endpointing.isSpeech) return;
    this.reportSpeechEnd(this.end / SAMPLE_RATE);
    await this.finalize(this.end, { position: this.end, isIncluded: () => true });
  }

  /**
   * Ends the utterance, as silence would. Detector and context are reset for the next turn: its audio is adjacent, but
   * time has passed in between.
   */
  private async finishTurn(turnEnd: number): Promise<void> {
    this.state = undefined;
    if (!this.endpointing.isSpeech) {
      this.speechEnd = turnEnd;
      this.context.restart(turnEnd);
      return;
    }
    const silence = this.endpointing.interrupt();
    const speechEnd = silence === undefined ? turnEnd : silence * WINDOW_SAMPLES;
    this.speechEnd = turnEnd;
    this.events.speechEnd(this.options.channel, milliseconds(speechEnd / SAMPLE_RATE));
    this.reportEnhancement(speechEnd / SAMPLE_RATE);
    const isLate = (word: PlacedWord) =>
      silence !== undefined && word.startSeconds >= speechEnd / SAMPLE_RATE + LATE_START_SECONDS;
    await this.finalize(this.turnFinalUntil(turnEnd, silence), {
      position: turnEnd,
      isIncluded: (word) => !isLate(word),
      isTurn: true,
    });
  }

  /** End of the audio of a turn's final. @param silence  first window of the current silence */
  private turnFinalUntil(turnEnd: number, silence: number | undefined): number {
    return silence === undefined ? turnEnd : Math.min(turnEnd, silence * WINDOW_SAMPLES + this.tailSamples);
  }

  private reportEnhancement(until: number): void {
    if (!this.input) return;
    const start = Math.min(this.utteranceStart, until);
    this.events.enhanced(this.options.channel, [milliseconds(start), milliseconds(until)], this.input.report());
  }

  /**
   * Emits the included words as a final; the others are recognised again with the following audio.
   * @param until     end of the audio of the final, samples
   * @param position  sample to resume from after a restart; defaults to the end of the last word
   * @param isTurn    audio before `position` is not context of the following audio
   */
  private async finalize(
    until: number,
    {
      position,
      isIncluded,
      isTurn = false,
    }: { position?: number; isIncluded: (word: PlacedWord) => boolean; isTurn?: boolean },
  ): Promise<void> {
    const { channel, sources } = this.options;
    if (await sources.isCarried(channel, this.utteranceStart, until / SAMPLE_RATE))
      return this.skipCarried(position ?? until);
    const found = await this.checkLanguage(until, await this.recognizeFinal(until));
    if (!found || this.abort.signal.aborted) return;
    const { distinctSince } = this;
    const fresh = found.words.filter((word) => isIncluded(word) && word.endSeconds > distinctSince);
    const words = [...this.settledWords, ...fresh];
    this.settledWords = [];
    this.resetUtterance(this.detectedUntil / SAMPLE_RATE);
    if (isTurn && position !== undefined) this.context.restart(position);
    if (words.length === 0) return;
    const id = this.utteranceId();
    this.nextUtterance++;
    if (!isTurn) {
      this.context.settle(fresh);
      this.context.shorten(this.detectedUntil);
    }
    this.decideLanguage(found, words);
    const language = this.language.state;
    const utterance = this.toUtterance(words, found.language);
    this.isAfterStop = endsSentence(utterance.words.at(-1)?.word.trim() ?? "");
    await this.events.final(id, utterance, {
      position: position ?? Math.ceil(this.context.settledUntil * SAMPLE_RATE),
      nextUtterance: this.nextUtterance,
      context: this.context.state,
      ...(isTurn ? { isAfterStop: this.isAfterStop } : {}),
      ...(language === undefined ? {} : { language }),
    });
    if (position !== undefined) return;
    // The remaining words are the first hypothesis of the next utterance.
    this.utteranceStart = Math.min(this.utteranceStart, this.context.settledUntil);
    this.hypothesis = { ...found, words: found.words.filter((word) => !isIncluded(word)) };
    this.emitPartial();
  }

  /**
   * Returns the result if its language is known; otherwise the result of the model for its language, or one without
   * words. In the latter two cases, words settled earlier in the utterance are discarded too.
   */
  private async checkLanguage(until: number, found: Hypothesis | undefined): Promise<Hypothesis | undefined> {
    const { guard } = this;
    const model = this.options.secondEnglishModel;
    if (!found || !guard || model === undefined || found.words.length === 0) return found;
    const isForeign = await guard.isForeign(this.samples.slice(this.context.start, until), found.words, async () => {
      const route = { model, languages: ["en"] };
      return (await this.recognizer.recognize({ ...this.finalRequest(until), route }))?.words ?? [];
    });
    if (!isForeign) return found;
    this.settledWords = [];
    const plan = await this.events.foreignSpeech(this.options.channel);
    if (!plan) return { ...found, words: [] };
    this.usePlan(plan);
    return this.recognizer.recognize(this.finalRequest(until));
  }

  /** Switches to other models. */
  usePlan(plan: SpeechPlan): void {
    this.language = new SpokenLanguage(plan, undefined);
    this.guard = undefined;
    this.discardHypotheses();
  }

  /** Settles the words of a long utterance, at positions that depend on the audio alone. */
  private async step(): Promise<void> {
    if (this.detectedUntil - this.context.start < STEP_SECONDS * SAMPLE_RATE) return;
    const found = await this.recognizeFinal(this.detectedUntil);
    const settledUntil = this.detectedUntil / SAMPLE_RATE - STEP_MARGIN_SECONDS;
    const settled = found?.words.filter((word) => word.endSeconds <= settledUntil) ?? [];
    this.settledWords.push(...settled);
    if (found && settled.length > 0) this.language.settle(found);
    this.context.settle(settled);
    this.context.advance(this.detectedUntil);
    this.discardHypotheses();
  }

  private decideLanguage(found: Hypothesis, words: readonly PlacedWord[]): void {
    const [start, end] = [words[0]?.startSeconds ?? 0, words.at(-1)?.endSeconds ?? 0];
    if (!this.language.addFinal(found, end - start)) return;
    this.events.languageDetected(this.options.channel, [milliseconds(start), milliseconds(end)], found);
  }

  /** Resets the state of the previous utterance. */
  private resetUtterance(utteranceStart: number): void {
    this.utteranceStart = utteranceStart;
    this.wasCarried = false;
    this.generation++;
    this.language.begin();
    this.discardHypotheses();
    this.partials.reset();
  }

  private discardHypotheses(): void {
    this.hypothesis = undefined;
    this.partialSince = undefined;
    this.cancelPendingFinal();
  }

  /** Recognises the audio up to `until` from scratch: the result depends on the audio alone. */
  private recognizeFinal(until: number): Promise<Hypothesis | undefined> {
    if (this.pendingFinal?.until === until) return this.pendingFinal.result;
    this.cancelPendingFinal();
    const cancellation = new AbortController();
    const result = this.recognizer.recognize(this.finalRequest(until), cancellation.signal);
    const pending = { until, result, cancellation };
    this.pendingFinal = pending;
    result.then(
      (found) => {
        if (!found || pending !== this.pendingFinal || until < (this.hypothesis?.until ?? 0)) return;
        this.hypothesis = found;
        this.emitPartial();
      },
      () => undefined,
    );
    return result;
  }

  private cancelPendingFinal(): void {
    this.pendingFinal?.cancellation.abort();
    this.pendingFinal = undefined;
  }

  private finalRequest(until: number): RecognitionRequest {
    const earliestSeconds = this.context.settledUntil;
    const route = this.language.route((until - this.context.start) / SAMPLE_RATE, true);
    const constraints = { draft: [], paddingSeconds: 0, mayUseCache: false, route };
    return { priority: "live", ...this.context.whole, until, earliestSeconds, ...constraints };
  }

  /** End of the audio of the final if the current silence continues, samples. */
  private get silentUntil(): number | undefined {
    const silence = this.endpointing.silenceBegan;
    return silence === undefined ? undefined : silence * WINDOW_SAMPLES + this.tailSamples;
  }

  /** End of the audio of the final if the speech continues to the maximum length, samples. */
  private get cutUntil(): number | undefined {
    const { cutAt } = this.endpointing;
    return cutAt === undefined ? undefined : cutAt * WINDOW_SAMPLES - CUT_LEAD_SAMPLES;
  }

  /** Starts recognising the final as soon as all of its audio has arrived, before its end is certain. */
  private considerFinal(): void {
    if (this.isCarried) return;
    const ends = [this.silentUntil, this.cutUntil];
    // Speech resumed: the result for the pause is not a final.
    if (this.pendingFinal && !ends.includes(this.pendingFinal.until)) this.cancelPendingFinal();
    const until = ends.find((end) => end !== undefined && this.detectedUntil >= end);
    if (until !== undefined) void this.recognizeFinal(until);
  }

  /** Starts a partial if there is new audio and a recogniser is free. */
  private considerPartial(): void {
    if (!this.options.includesPartials || !this.endpointing.isSpeech || this.abort.signal.aborted) return;
    if (this.isCarried) return;
    const { recognition } = this.services;
    if (this.partialsUnderWay === MOST_PARTIALS || this.end - this.partialAt < PARTIAL_STEP_SAMPLES) return;
    if (this.partialsUnderWay > 0 && recognition.idleCount === 0) return;
    // While detection is behind, a partial would be outdated.
    if (this.undetectedSeconds > 1 || recognition.waiting > 0) return;
    // In silence the final is recognised next: leave a process free for it.
    const isEnding = this.endpointing.silenceBegan !== undefined;
    if (isEnding && (this.pendingFinal || recognition.idleCount < 2)) return;
    const releasePlace = recognition.partialSlots.tryAcquire(this.partialTurn);
    if (!releasePlace) return;
    this.partialAt = this.end;
    const { generation } = this;
    const { known, request } = this.partialRequest();
    this.partialsUnderWay++;
    this.recognizer
      .recognize(request)
      .then((found) => {
        // The next utterance has begun, or there is a newer result.
        if (!found || generation !== this.generation || found.until < (this.hypothesis?.until ?? 0)) return;
        this.language.guessFrom(found, (found.until - this.context.start) / SAMPLE_RATE);
        this.hypothesis = { ...found, words: [...known, ...found.words] };
        this.emitPartial();
      })
      .catch(() => undefined)
      .finally(() => {
        this.partialsUnderWay--;
        releasePlace();
        this.considerPartial();
      });
  }

  private partialRequest(): { request: RecognitionRequest; known: PlacedWord[] } {
    const words = this.hypothesis?.words ?? [];
    const earliestSeconds = this.context.settledUntil;
    const route = this.language.route((this.end - this.context.start) / SAMPLE_RATE, false);
    const latencyOptions = { priority: "partial", paddingSeconds: PADDING_SECONDS, mayUseCache: true } as const;
    const base = { ...latencyOptions, route, until: this.end, earliestSeconds };
    const whole = this.context.since(this.utteranceStart - PARTIAL_CONTEXT_SECONDS);
    const seconds = this.partialSince ?? whole.start / SAMPLE_RATE;
    const part = partialAudio(words, this.end / SAMPLE_RATE, { seconds, isWhole: this.partialSince === undefined });
    if (!part) return { request: { ...base, ...whole, draft: words }, known: [] };
    const { startSeconds, prefix, known } = part;
    this.partialSince = startSeconds;
    const start = Math.round(startSeconds * SAMPLE_RATE);
    return { request: { ...base, start, prefix, draft: words.slice(known.length) }, known };
  }

  private emitPartial(): void {
    if (!this.options.includesPartials || !this.hypothesis || this.abort.signal.aborted || this.isCarried) return;
    const { until, words, language } = this.hypothesis;
    const start = this.settledWords[0]?.startSeconds ?? this.context.settledUntil;
    const all = [...this.settledWords, ...words];
    if (this.guard && !this.guard.isPlausible(all)) return;
    const shown = this.partials.update(all, start, until / SAMPLE_RATE);
    if (!shown) return;
    const isOpenEnded = shown.length >= all.length && this.endpointing.silenceBegan === undefined;
    this.events.partial(this.utteranceId(), this.toUtterance(isOpenEnded ? openEnded(shown) : shown, language));
  }

  private toUtterance(words: readonly PlacedWord[], language: string): Utterance {
    return utteranceOf(words, { language, channel: this.options.channel, isAfterStop: this.isAfterStop });
  }

  private utteranceId(): string {
    return `${String(this.options.channel).padStart(2, "0")}_${String(this.nextUtterance).padStart(8, "0")}`;
  }
}
