// One channel of a session: audio in, speech events and transcripts out. Voice activity detection decides where
// utterances begin and end. Partials are recognised during speech; a final contains the words up to a boundary between
// two words.

import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { WINDOW_SAMPLES, WINDOW_SECONDS } from "../../../speech/audio/voice-activity/detector-windows.ts";
import { NUMBER_SILENCE_SECONDS } from "../../../speech/turns/turn-end.ts";
import type { SpeechPlan } from "../../models/speech-plan.ts";
import type {
  ChannelChange,
  ChannelEvents,
  ChannelOptions,
  ChannelServices,
  ChannelState,
} from "./channel-contract.ts";
import { ChannelRecognizer } from "./channel-recognizer.ts";
import { CurrentUtterance } from "./current-utterance.ts";
import type { DetectedActivity } from "./detected-activity.ts";
import { Endpointing, type EndpointingEvent } from "./endpointing.ts";
import { EnhancedInput } from "./enhanced-input.ts";
import { FinalRecognition, startsBefore } from "./final-recognition.ts";
import { OwnSpeech } from "./own-speech.ts";
import { PartialRecognition } from "./partial-recognition.ts";
import { Progress } from "./progress.ts";
import { quietGaps } from "./quiet-gaps.ts";
import { quietLead } from "./quiet-lead.ts";
import { SampleBuffer } from "./sample-buffer.ts";
import { SettingsInForce } from "./settings-in-force.ts";
import type { PlacedWord } from "./speech-context.ts";
import { audioStartOf, SpeechDetection } from "./speech-detection.ts";
import { SpeechReports } from "./speech-reports.ts";
import { TurnReports } from "./turn-reports.ts";
import { UnrecognizedSpeech } from "./unrecognized-speech.ts";
import { UtteranceFinalization } from "./utterance-finalization.ts";

/** Audio kept before speech, for the recogniser's context. */
const PRE_SPEECH_SECONDS = 10;
/** During silence, no later final contains words that are older than this. */
const DECIDED_SECONDS = 3;

export class ChannelStream {
  private readonly endpointing: Endpointing;
  private readonly samples: SampleBuffer;
  private readonly firstSample: number;
  private speechEnd = 0;
  private readonly utterance: CurrentUtterance;
  private readonly detection: SpeechDetection;
  private readonly finals: FinalRecognition;
  private readonly partials: PartialRecognition;
  private readonly finalization: UtteranceFinalization;
  private readonly reports: SpeechReports;
  readonly activity: DetectedActivity;
  /** Seconds that voice activity detection has processed. */
  readonly detected = new Progress();
  /** Seconds of which all words are in stored finals. */
  readonly decided = new Progress();
  private readonly settings: SettingsInForce;
  private readonly ownSpeech: OwnSpeech;
  private readonly turns: TurnReports | undefined;
  private readonly unrecognized: UnrecognizedSpeech;
  private readonly abort = new AbortController();
  private readonly done: Promise<void>;
  private hasEnded = false;
  private readonly input: EnhancedInput | undefined;

  /** @param resumed  persisted state; audio must then be appended from `state.context.startSample` on */
  constructor(
    private readonly options: ChannelOptions,
    private readonly services: ChannelServices,
    private readonly events: ChannelEvents,
    private readonly resumed?: ChannelState,
  ) {
    const start = audioStartOf(resumed);
    const { signal } = this.abort;
    this.utterance = new CurrentUtterance(options, resumed);
    this.samples = new SampleBuffer(start);
    this.settings = new SettingsInForce(options);
    const recognizer = new ChannelRecognizer(this.settings, services, this.samples, signal);
    this.activity = recognizer.activity;
    this.firstSample = start;
    this.speechEnd = resumed ? resumed.position : Number.NEGATIVE_INFINITY;
    const windows = { ...options, windowSeconds: WINDOW_SECONDS };
    this.endpointing = new Endpointing(windows, Math.floor(start / WINDOW_SAMPLES));
    const { utterance, samples, endpointing } = this;
    const finals = new FinalRecognition(utterance, recognizer, endpointing, () => this.partials.emit());
    this.finals = finals;
    const judged = { utterance, samples, recognizer, endpointing, finals, signal };
    this.settings.begin(judged);
    const ownWords = (found: readonly PlacedWord[]) => this.finalization.ownWords(found);
    this.turns = TurnReports.for({ ...judged, options, events, ownWords, pauses: () => this.settings.pauses });
    const gaps = quietGaps(options, services, recognizer, samples, signal, {
      ...{ onFound: (stretches) => this.reports.unrecognized(stretches), onFailed: (error) => events.failed(error) },
    });
    this.unrecognized = new UnrecognizedSpeech(gaps, resumed?.context.settled);
    this.partials = new PartialRecognition(options.includesPartials, {
      ...{ utterance, samples, recognizer, endpointing, finals, recognition: services.recognition },
      isHidden: () => signal.aborted || this.finalization.isCarried,
      ownWords,
      undetectedSeconds: () => this.undetectedSeconds,
      onPartial: (id, shown) => this.events.partial(id, shown),
    });
    this.finalization = new UtteranceFinalization({
      ...{ options, events, utterance, samples, recognizer, finals, signal, resumed, unrecognized: this.unrecognized },
      onDecided: (seconds) => this.reports.unrecognized(this.unrecognized.takeBefore(seconds)),
      detectedUntil: () => this.detection.position,
      onRemaining: () => this.partials.emit(),
    });
    const leakAt = (sample: number) => options.leaks.leakAt(options.channel, sample);
    this.ownSpeech = new OwnSpeech(leakAt, options.threshold);
    const detectionEvents = {
      ownProbability: (sample: number, probability: number) =>
        this.ownSpeech.probability(sample, probability, endpointing.isSpeech),
      window: (probability: number) => this.handleWindow(probability),
      processed: () => this.considerRecognition(),
      turnEnded: (turnEnd: number) => this.finishTurn(turnEnd),
    };
    this.detection = new SpeechDetection(samples, start, services, recognizer, detectionEvents, signal);
    for (const change of options.changes ?? []) this.change(change);
    const { enhancedStream: stream } = options;
    const take = (enhanced: Float32Array) => this.take(enhanced);
    if (stream !== undefined) this.input = new EnhancedInput(stream, services.enhancer, start, take, events);
    this.reports = new SpeechReports(options, events, this.input, this.turns);
    this.done = this.run()
      .catch((error: unknown) => {
        if (!signal.aborted) this.events.failed(error);
      })
      .finally(() => {
        this.hasEnded = true;
        this.decided.end();
      });
  }

  /** Seconds of audio that are not transcribed yet. */
  get backlogSeconds(): number {
    const { position } = this.detection;
    const reached = this.endpointing.isSpeech
      ? Math.min(position, this.utterance.context.settledUntil * SAMPLE_RATE)
      : position;
    return Math.max(0, (this.samples.end - reached) / SAMPLE_RATE);
  }

  /** Seconds of audio that voice activity detection has not processed, and will process. */
  get undetectedSeconds(): number {
    if (this.hasEnded) return 0;
    return (this.samples.end + (this.input?.pendingSamples ?? 0) - this.detection.position) / SAMPLE_RATE;
  }

  /** Whether there may be speech between two samples. Audio that waits for voice activity detection counts if there is much of it. */
  mayHaveSpeech(from: number, until: number): boolean {
    return this.activity.possibleSpeechEnd > from || until - this.detection.position > SAMPLE_RATE;
  }

  change(change: ChannelChange): void {
    const use = () => this.settings.use(change, this.endpointing, this.options.channel);
    if (change.endsUtterance) this.detection.changeAfterTurn(change.sample, use);
    else this.detection.change(change.sample, use);
  }

  append(samples: Float32Array): void {
    if (samples.length === 0) return;
    if (this.input) this.input.append(samples);
    else this.take(samples);
  }

  private take(samples: Float32Array): void {
    this.samples.append(samples, this.neededFrom);
    this.input?.forgetBefore(this.firstNeeded(this.utterance.start * SAMPLE_RATE));
    this.detection.notify();
  }

  /**
   * The utterance ends with the audio received so far, and later audio starts a new one. Resolves when its final was emitted, or when
   * the channel is stopped.
   */
  endTurn(): Promise<void> {
    return this.detection.endTurn(this.receivedUntil);
  }

  /** The turn will probably end here: starts recognising the final. */
  anticipateTurnEnd(): void {
    const { endpointing, receivedUntil, samples } = this;
    const isBehind = receivedUntil - this.detection.position >= WINDOW_SAMPLES || samples.end < receivedUntil;
    if (!endpointing.isSpeech || isBehind) return;
    const until = this.finals.turnFinalUntil(samples.end, endpointing.silenceBegan);
    this.finals.anticipate(until);
  }

  /** Ends the audio; resolves when the last final was emitted. */
  async flush(): Promise<void> {
    await this.input?.finish();
    this.detection.flush();
    await this.done;
  }

  /** Aborts the channel; it emits nothing more. */
  stop(): void {
    this.abort.abort();
    if (this.options.enhancedStream !== undefined) void this.services.enhancer.end(this.options.enhancedStream);
    this.detection.notify();
  }

  /** Switches to other models. */
  usePlan(plan: SpeechPlan): void {
    this.finalization.usePlan(plan);
  }

  /** One past the last sample that the audio received so far will produce. */
  get receivedUntil(): number {
    return this.input ? this.firstSample + this.input.reach : this.samples.end;
  }

  /** Audio before this sample is no longer needed. */
  private get neededFrom(): number {
    return Math.max(0, Math.min(this.unrecognized.neededFrom, this.firstNeeded(this.utterance.context.start)));
  }

  /** First sample that the current utterance needs, or one that begins now. @param start  of the current utterance, in samples */
  private firstNeeded(start: number): number {
    const lead = this.detection.position - Math.round(PRE_SPEECH_SECONDS * SAMPLE_RATE);
    return this.endpointing.isSpeech ? Math.min(start, lead) : lead;
  }

  private async run(): Promise<void> {
    await this.detection.run().finally(() => this.detected.end());
    if (!this.abort.signal.aborted) await this.finish();
  }

  private handleWindow(probability: number): Promise<void> | undefined {
    const { position } = this.detection;
    const { position: resumedAt, continuedAt = resumedAt } = this.resumed ?? { position: 0 };
    const seconds = position / SAMPLE_RATE;
    this.detected.advance(seconds);
    // Up to `resumedAt`, audio only warms up the detector. From there to `continuedAt`, it is speech before the cut.
    const countsAsSpeech = this.endpointing.isSpeech || position <= continuedAt;
    if (position > resumedAt) this.unrecognized.add(seconds, probability, countsAsSpeech);
    const event = this.endpointing.push(position <= continuedAt ? 0 : probability);
    if (position === this.resumed?.continuedAt) return this.continueCut(position);
    if (event) return this.handle(event);
    if (this.endpointing.isSpeech) return this.continueSpeech();
    this.reports.unrecognized(this.unrecognized.takeSettled(seconds));
    this.decided.advance(seconds - DECIDED_SECONDS);
    const decided = Math.min(position - DECIDED_SECONDS * SAMPLE_RATE, this.unrecognized.undecidedFrom);
    if (decided > Math.max(this.speechEnd, resumedAt)) this.finalization.silentUntil(decided);
    return undefined;
  }

  /** Begins the utterance that follows a cut of an earlier process. @param position  of the cut, samples */
  private continueCut(position: number): undefined {
    this.endpointing.continueSpeech();
    this.speechEnd = position;
    this.finalization.begin(Math.min(position / SAMPLE_RATE, this.utterance.context.settledUntil));
    this.partials.begin(position);
    this.reports.started(position / SAMPLE_RATE, this.finalization.isCarried);
  }

  private considerRecognition(): void {
    if (this.endpointing.isSpeech && !this.finalization.isCarried) {
      this.finals.consider(this.detection.position);
      this.settings.pauses?.consider(this.detection.position);
    }
    this.partials.consider();
  }

  private async handle(event: EndpointingEvent): Promise<void> {
    const { position } = this.detection;
    if (event.kind === "pause") {
      const isCarried = this.finalization.hasNothingOwn(position);
      const end = isCarried ? this.endpointing.judge(0) : await this.settings.pauses?.decide(event);
      return end ? this.handle(end) : this.continueSpeech();
    }
    if (event.kind === "start") {
      // The window in which a turn ended may be the first one of the next turn.
      const sample = Math.max(event.window * WINDOW_SAMPLES, this.speechEnd);
      const quiet = quietLead(this.samples, sample, this.speechEnd, position);
      const lead = Math.max(quiet, Math.min(this.ownSpeech.heldSamples, sample - Math.max(0, this.speechEnd)));
      this.utterance.context.begin(sample - lead, this.speechEnd);
      this.finalization.begin(sample / SAMPLE_RATE);
      this.partials.begin(position);
      return this.reports.started(sample / SAMPLE_RATE, this.finalization.isCarried);
    }
    const silentFrom = event.silentFrom * WINDOW_SAMPLES;
    const end = event.reason === "silence" ? silentFrom : position;
    this.reports.startedLate(() => this.finalization.ownStart(end));
    this.speechEnd = end;
    this.reports.ended(silentFrom / SAMPLE_RATE, this.utterance.start, event.reason === "maximum");
    if (event.reason === "silence") {
      const until = Math.min(position, silentFrom + this.finals.tailSamples);
      if ((await this.finalization.endsInNumber(until)) && this.endpointing.hold(NUMBER_SILENCE_SECONDS)) return;
      await this.finalization.finalize(until, {
        position: silentFrom,
        isIncluded: (word) => startsBefore(word.startSeconds, event.silentFrom),
      });
      this.turns?.over(silentFrom / SAMPLE_RATE, { silence: event.silentFrom, until: position });
      return;
    }
    this.decided.advance(await this.finalization.cut(position));
    // The speech continues in the next utterance.
    this.reports.started(position / SAMPLE_RATE, this.finalization.isCarried);
  }

  private async continueSpeech(): Promise<void> {
    const { context, start } = this.utterance;
    const { position } = this.detection;
    const step = this.finals.stepUntil(position);
    await this.turns?.consider(position, this.finalization.isCarried);
    if (this.finalization.isCarried) {
      this.finalization.markCarried();
      if (step === undefined) return;
      if (this.finalization.hasNothingOwn(position)) return context.advance(step);
    }
    if (!this.reports.isStartReported && this.endpointing.silenceBegan === undefined) {
      // After a number, the same utterance continues.
      const resumed = this.speechEnd > start * SAMPLE_RATE ? position - WINDOW_SAMPLES : 0;
      this.reports.started(Math.max(start, this.finalization.distinctSince, resumed / SAMPLE_RATE), false);
    }
    if (step !== undefined) await this.finalization.settleWords(step);
  }

  /** The end of the audio ends the current utterance. */
  private async finish(): Promise<void> {
    const { end } = this.samples;
    if (this.endpointing.isSpeech) {
      this.reports.startedLate(() => this.finalization.ownStart(end));
      this.reports.ended(end / SAMPLE_RATE, this.utterance.start);
      await this.finalization.finalize(end, { position: end, isIncluded: () => true });
    }
    this.turns?.over(end / SAMPLE_RATE, { reason: "stop" });
    this.reports.unrecognized(this.unrecognized.takeBefore(Number.POSITIVE_INFINITY));
    await this.unrecognized.finish(end / SAMPLE_RATE, this.finalization.hasNothingOwn(end));
  }

  /** Ends the utterance, as silence would. */
  private async finishTurn(turnEnd: number): Promise<void> {
    if (!this.endpointing.isSpeech) {
      // That turn has ended, here or in an earlier process: the audio before it may be the context of what follows.
      if (turnEnd <= this.speechEnd) return;
      this.speechEnd = turnEnd;
      this.utterance.context.restart(turnEnd);
      return;
    }
    const wasReported = this.endpointing.isHeld;
    const silence = this.endpointing.interrupt();
    const speechEnd = silence === undefined ? turnEnd : silence * WINDOW_SAMPLES;
    if (!wasReported) this.reports.startedLate(() => this.finalization.ownStart(speechEnd));
    this.speechEnd = turnEnd;
    if (!wasReported) this.reports.ended(speechEnd / SAMPLE_RATE, this.utterance.start);
    await this.finalization.finalize(this.finals.turnFinalUntil(turnEnd, silence), {
      position: turnEnd,
      isIncluded: ({ startSeconds }) => silence === undefined || startsBefore(startSeconds, silence),
      isApart: silence !== undefined,
    });
    this.turns?.over(speechEnd / SAMPLE_RATE, { reason: "finalize" });
  }
}
