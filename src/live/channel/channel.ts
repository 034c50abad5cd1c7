// One channel of a session: audio in, speech events and transcripts out. Voice activity decides when utterances begin
// and end; partials are recognised while somebody speaks; a final holds the words up to a place between two words.
// One loop a channel: everything happens in the order of the audio.

import {
  mirrored,
  type VoiceActivityState,
  WARM_UP_SAMPLES,
  WINDOW_SAMPLES,
} from "../../audio/voice-activity/silero.ts";
import type { VoiceActivityAnswer } from "../../inference/message.ts";
import type { Utterance } from "../../jobs/transcript.ts";
import { endsSentence } from "../../text/writing.ts";
import {
  type ChannelEvents,
  type ChannelOptions,
  type ChannelServices,
  type ChannelState,
  SAMPLE_RATE,
} from "./channel-contract.ts";
import { Endpointing, type EndpointingEvent } from "./endpointing.ts";
import { EnhancedInput } from "./enhanced-input.ts";
import { type Hypothesis, Listener, type Question } from "./listener.ts";
import { PADDING_SECONDS, partialAudio } from "./partial-audio.ts";
import { Partials } from "./partials.ts";
import { SampleBuffer } from "./sample-buffer.ts";
import { type PlacedWord, SpeechContext } from "./speech-context.ts";
import { SpokenLanguage } from "./spoken-language.ts";
import { openEnded, rounded, utteranceOf } from "./utterance.ts";

const WINDOW_SECONDS = WINDOW_SAMPLES / SAMPLE_RATE;

/** Voice activity is asked for at most this much at a time … */
const MOST_WINDOWS = 31;
/** … and at least this much while every recogniser is busy: each question costs them something. */
const LEAST_WINDOWS_BUSY = 2;
/** More audio is waited for no longer than this. */
const BUSY_WAIT_MILLISECONDS = 100;
/** Two answers side by side agree sooner than one after the other, where a process has nothing else to do. */
const MOST_PARTIALS = 2;
/** New audio that makes another partial worth its work. */
const PARTIAL_STEP_SAMPLES = Math.round(0.04 * SAMPLE_RATE);
/** Audio before the utterance that a partial hears again. */
const PARTIAL_CONTEXT_SECONDS = 0.6;
const FIRST_PARTIAL_SAMPLES = Math.round(0.25 * SAMPLE_RATE);
/** Silence after the last word that a final's audio holds, where the endpointing waits that long: four windows. */
const MOST_TAIL_WINDOWS = 4;
/** An utterance that is cut is read up to here before its cut, so that the answer is there when it is due. */
const CUT_LEAD_SAMPLES = 10 * WINDOW_SAMPLES;
/** A word cut by the longest utterance must end this long before the audio that was read. */
const CUT_MARGIN_SECONDS = 0.3;
/** A word that begins later than this after the speech has ended belongs to what follows. */
const LATE_START_SECONDS = 0.08;
/** Words of an utterance without end are settled in between, so that the recogniser's audio stays short. */
const STEP_SECONDS = 10;
const STEP_MARGIN_SECONDS = 2;
/** Silence before speech that its context may want. */
const PRE_SPEECH_SECONDS = 10;

/** The answer that a final is to be made of, before it is certain that it ends there. */
interface Exact {
  until: number;
  answer: Promise<Hypothesis | undefined>;
  unwanted: AbortController;
}

export class ChannelStream {
  private readonly endpointing: Endpointing;
  private readonly context: SpeechContext;
  private readonly samples: SampleBuffer;
  /** Samples that voice activity has heard. */
  private heard: number;
  private state: VoiceActivityState | undefined;
  private nextUtterance: number;
  private speechEnd = 0;
  /** The newest answer for a partial. */
  private hypothesis: Hypothesis | undefined;
  private exact: Exact | undefined;
  private utteranceStart = 0;
  /** Whether the final before ended a sentence. */
  private isAfterStop: boolean;
  /** Words of the current utterance that were settled while it went on. */
  private begun: PlacedWord[] = [];
  private readonly tailSamples: number;
  private partialsUnderWay = 0;
  private partialAt = 0;
  /** Where the audio of partials begins when it is not all of the utterance, seconds. */
  private partialSince: number | undefined;
  /** Counts utterances: an answer that comes after its utterance has ended is dropped. */
  private generation = 0;
  private readonly partials = new Partials();
  private readonly partialTurn = () => this.considerPartial();
  private isFlushing = false;
  private wake: (() => void) | undefined;
  private readonly abort = new AbortController();
  private readonly done: Promise<void>;
  private readonly input: EnhancedInput | undefined;
  private readonly listener: Listener;
  private readonly language: SpokenLanguage;

  /** @param state  where to go on; audio must then be appended from `state.context.startSample` on */
  constructor(
    private readonly options: ChannelOptions,
    private readonly services: ChannelServices,
    private readonly events: ChannelEvents,
    private readonly resumed?: ChannelState,
  ) {
    this.context = new SpeechContext(SAMPLE_RATE, resumed?.context);
    this.language = new SpokenLanguage(options.plan, resumed?.language);
    this.nextUtterance = resumed?.nextUtterance ?? 0;
    this.isAfterStop = endsSentence(resumed?.context.settled.at(-1)?.text ?? "");
    const start = ChannelStream.audioStart(resumed);
    this.samples = new SampleBuffer(start);
    this.listener = new Listener(options, services, this.samples, this.abort.signal);
    this.heard = start;
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

  /** First sample that a resumed channel has to be given: a whole window at or before its context. */
  static audioStart(state: ChannelState | undefined): number {
    return state ? Math.floor(state.context.startSample / WINDOW_SAMPLES) * WINDOW_SAMPLES : 0;
  }

  /** Seconds of audio that are not transcribed yet. */
  get backlogSeconds(): number {
    const reached = this.endpointing.isSpeech
      ? Math.min(this.heard, this.context.settledUntil * SAMPLE_RATE)
      : this.heard;
    return Math.max(0, (this.end - reached) / SAMPLE_RATE);
  }

  /** Seconds of audio that voice activity has not heard. */
  get unheardSeconds(): number {
    return (this.end + (this.input?.pendingSamples ?? 0) - this.heard) / SAMPLE_RATE;
  }

  append(samples: Float32Array): void {
    if (samples.length === 0) return;
    if (this.input) this.input.append(samples);
    else this.take(samples);
  }

  private take(samples: Float32Array): void {
    this.samples.append(samples, this.unneeded);
    this.wake?.();
  }

  /** No more audio: resolves when the last final is out. */
  async flush(): Promise<void> {
    await this.input?.finish();
    this.isFlushing = true;
    this.wake?.();
    await this.done;
  }

  /** Ends at once; nothing more comes out. */
  stop(): void {
    this.abort.abort();
    if (this.options.enhancedStream !== undefined) void this.services.enhancer.end(this.options.enhancedStream);
    this.wake?.();
  }

  private get end(): number {
    return this.samples.end;
  }

  /** Audio before this is asked for no more. */
  private get unneeded(): number {
    const lead = this.heard - Math.round(PRE_SPEECH_SECONDS * SAMPLE_RATE);
    return Math.max(0, this.endpointing.isSpeech ? Math.min(this.context.start, lead) : lead);
  }

  private async run(): Promise<void> {
    let isLate = false;
    while (!this.abort.signal.aborted) {
      const waiting = Math.floor((this.end - this.heard) / WINDOW_SAMPLES);
      const windows = Math.min(MOST_WINDOWS, waiting);
      if (windows > 0 && (this.isFlushing || this.isEnough(windows, isLate))) {
        isLate = false;
        await this.hear(windows);
      } else if (this.isFlushing) break;
      else isLate = await this.newsIsLate(windows > 0 && this.state !== undefined);
    }
    if (!this.abort.signal.aborted) await this.finish();
  }

  /** Whether so many windows are worth a question. */
  private isEnough(windows: number, isLate: boolean): boolean {
    // The detector begins with a fixed part of the audio, however it comes.
    if (this.state === undefined && this.end - this.heard < WARM_UP_SAMPLES) return false;
    return windows >= LEAST_WINDOWS_BUSY || isLate || this.services.recognition.idleCount > 0;
  }

  /** Waits for more audio. @param isImpatient  not for long: the client may have nothing more to send */
  private async newsIsLate(isImpatient: boolean): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const isLate = await new Promise<boolean>((resolve) => {
      this.wake = () => resolve(false);
      if (isImpatient) timer = setTimeout(() => resolve(true), BUSY_WAIT_MILLISECONDS);
    });
    clearTimeout(timer);
    return isLate;
  }

  private async hear(windows: number): Promise<void> {
    const samples = this.samples.slice(this.heard, this.heard + windows * WINDOW_SAMPLES);
    this.state ??= (await this.detect(mirrored(samples.subarray(0, WARM_UP_SAMPLES)))).state;
    const { probabilities, state } = await this.detect(samples);
    this.state = state;
    for (const probability of probabilities) {
      this.heard += WINDOW_SAMPLES;
      // Audio of a resumed channel that is in finals already only warms the detector up.
      const event = this.endpointing.push(this.heard <= (this.resumed?.position ?? 0) ? 0 : probability);
      if (event) await this.handle(event);
      else if (this.endpointing.isSpeech) await this.step();
      if (this.abort.signal.aborted) return;
    }
    if (this.endpointing.isSpeech) this.considerFinal();
    this.considerPartial();
  }

  private detect(samples: Float32Array): Promise<VoiceActivityAnswer> {
    const { detection } = this.services;
    return this.listener.patiently(() =>
      detection.voiceActivity(samples, this.state, { priority: "live", signal: this.abort.signal }),
    );
  }

  private async handle(event: EndpointingEvent): Promise<void> {
    if (event.kind === "start") {
      const sample = event.window * WINDOW_SAMPLES;
      this.context.begin(sample, this.speechEnd);
      this.forget(sample / SAMPLE_RATE);
      // The first words need a little more audio than the later ones.
      this.partialAt = this.heard + FIRST_PARTIAL_SAMPLES - PARTIAL_STEP_SAMPLES;
      this.events.speechStart(this.options.channel, rounded(sample / SAMPLE_RATE));
      return;
    }
    const silentFrom = event.silentFrom * WINDOW_SAMPLES;
    this.speechEnd = event.reason === "silence" ? silentFrom : this.heard;
    this.events.speechEnd(this.options.channel, rounded(silentFrom / SAMPLE_RATE));
    this.reportEnhancement(silentFrom / SAMPLE_RATE);
    if (event.reason === "silence") {
      await this.finalize(Math.min(this.heard, silentFrom + this.tailSamples), {
        position: silentFrom,
        isWanted: (word) => word.startSeconds < silentFrom / SAMPLE_RATE + LATE_START_SECONDS,
      });
      return;
    }
    const until = this.heard - CUT_LEAD_SAMPLES;
    const cut = until / SAMPLE_RATE - CUT_MARGIN_SECONDS;
    await this.finalize(until, { isWanted: (word) => word.endSeconds <= cut });
    // The speech goes on in the next utterance.
    this.events.speechStart(this.options.channel, rounded(this.heard / SAMPLE_RATE));
  }

  /** The end of the audio ends what is being said. */
  private async finish(): Promise<void> {
    if (!this.endpointing.isSpeech) return;
    this.events.speechEnd(this.options.channel, rounded(this.end / SAMPLE_RATE));
    this.reportEnhancement(this.end / SAMPLE_RATE);
    await this.finalize(this.end, { position: this.end, isWanted: () => true });
  }

  private reportEnhancement(until: number): void {
    if (!this.input) return;
    const start = Math.min(this.utteranceStart, until);
    this.events.enhanced(this.options.channel, [rounded(start), rounded(until)], this.input.report());
  }

  /**
   * Wanted words become a final; the others are heard again with what follows.
   * @param until     end of the audio that it is made from, samples
   * @param position  where a restart goes on, samples; without it, after the last word
   */
  private async finalize(
    until: number,
    { position, isWanted }: { position?: number; isWanted: (word: PlacedWord) => boolean },
  ): Promise<void> {
    const found = await this.exactly(until);
    if (!found || this.abort.signal.aborted) return;
    const fresh = found.words.filter(isWanted);
    const words = [...this.begun, ...fresh];
    this.begun = [];
    this.forget(this.heard / SAMPLE_RATE);
    if (words.length === 0) return;
    const id = this.utteranceId();
    this.nextUtterance++;
    this.context.settle(fresh);
    this.context.shorten(this.heard);
    this.decideLanguage(found, words);
    const language = this.language.state;
    const utterance = this.written(words, found.language);
    this.isAfterStop = endsSentence(utterance.words.at(-1)?.word.trim() ?? "");
    await this.events.final(id, utterance, {
      position: position ?? Math.ceil(this.context.settledUntil * SAMPLE_RATE),
      nextUtterance: this.nextUtterance,
      context: this.context.state,
      ...(language === undefined ? {} : { language }),
    });
    if (position !== undefined) return;
    // The rest is the first that is known of the next utterance.
    this.utteranceStart = Math.min(this.utteranceStart, this.context.settledUntil);
    this.hypothesis = { ...found, words: found.words.filter((word) => !isWanted(word)) };
    this.showPartial();
  }

  /** Speech that does not end is settled word by word, at places that depend on the audio alone. */
  private async step(): Promise<void> {
    if (this.heard - this.context.start < STEP_SECONDS * SAMPLE_RATE) return;
    const found = await this.exactly(this.heard);
    const settledUntil = this.heard / SAMPLE_RATE - STEP_MARGIN_SECONDS;
    const settled = found?.words.filter((word) => word.endSeconds <= settledUntil) ?? [];
    this.begun.push(...settled);
    if (found && settled.length > 0) this.language.settle(found);
    this.context.settle(settled);
    this.context.advance(this.heard);
    this.forgetAnswers();
  }

  private decideLanguage(found: Hypothesis, words: readonly PlacedWord[]): void {
    const [start, end] = [words[0]?.startSeconds ?? 0, words.at(-1)?.endSeconds ?? 0];
    if (!this.language.decide(found, end - start)) return;
    this.events.languageHeard(this.options.channel, [rounded(start), rounded(end)], found);
  }

  /** What was thought of the utterance so far means nothing for the next one. */
  private forget(utteranceStart: number): void {
    this.utteranceStart = utteranceStart;
    this.generation++;
    this.language.begin();
    this.forgetAnswers();
    this.partials.reset();
  }

  private forgetAnswers(): void {
    this.hypothesis = undefined;
    this.partialSince = undefined;
    this.dropExact();
  }

  /** The answer for the audio up to `until`, made without an earlier one's help: it depends on the audio alone. */
  private exactly(until: number): Promise<Hypothesis | undefined> {
    if (this.exact?.until === until) return this.exact.answer;
    this.dropExact();
    const unwanted = new AbortController();
    const answer = this.listener.words(this.exactQuestion(until), unwanted.signal);
    const exact = { until, answer, unwanted };
    this.exact = exact;
    answer.then(
      (found) => {
        if (!found || exact !== this.exact || until < (this.hypothesis?.until ?? 0)) return;
        this.hypothesis = found;
        this.showPartial();
      },
      () => undefined,
    );
    return answer;
  }

  private dropExact(): void {
    this.exact?.unwanted.abort();
    this.exact = undefined;
  }

  private exactQuestion(until: number): Question {
    const earliestSeconds = this.context.settledUntil;
    const way = this.language.way((until - this.context.start) / SAMPLE_RATE, true);
    const alone = { draft: [], paddingSeconds: 0, mayGoOn: false, way };
    return { priority: "live", ...this.context.whole, until, earliestSeconds, ...alone };
  }

  /** End of the audio that a final is made of when the silence that has begun goes on, samples. */
  private get silentUntil(): number | undefined {
    const silence = this.endpointing.silenceBegan;
    return silence === undefined ? undefined : silence * WINDOW_SAMPLES + this.tailSamples;
  }

  /** The same when the speech goes on to the longest utterance. */
  private get cutUntil(): number | undefined {
    const { cutAt } = this.endpointing;
    return cutAt === undefined ? undefined : cutAt * WINDOW_SAMPLES - CUT_LEAD_SAMPLES;
  }

  /** As soon as there is the audio that a final may be made of, its answer is worked on, before it is certain. */
  private considerFinal(): void {
    const ends = [this.silentUntil, this.cutUntil];
    // Speech went on: what is answered for its pause is no end.
    if (this.exact && !ends.includes(this.exact.until)) this.dropExact();
    const until = ends.find((end) => end !== undefined && this.heard >= end);
    if (until !== undefined) void this.exactly(until);
  }

  /** Starts a partial when there is something new to recognise and the machine has time for it. */
  private considerPartial(): void {
    if (!this.options.wantsPartials || !this.endpointing.isSpeech || this.abort.signal.aborted) return;
    const { recognition } = this.services;
    if (this.partialsUnderWay === MOST_PARTIALS || this.end - this.partialAt < PARTIAL_STEP_SAMPLES) return;
    if (this.partialsUnderWay > 0 && recognition.idleCount === 0) return;
    // Audio that waits to be heard makes what a partial would show old already.
    if (this.unheardSeconds > 1 || recognition.waiting > 0) return;
    // In a silence the final's turn comes next: a process must be left for it.
    const isEnding = this.endpointing.silenceBegan !== undefined;
    if (isEnding && (this.exact || recognition.idleCount < 2)) return;
    const leave = recognition.partials.take(this.partialTurn);
    if (!leave) return;
    this.partialAt = this.end;
    const { generation } = this;
    const { known, question } = this.partialQuestion();
    this.partialsUnderWay++;
    this.listener
      .words(question)
      .then((found) => {
        // The next utterance has begun, or there is an answer for more audio.
        if (!found || generation !== this.generation || found.until < (this.hypothesis?.until ?? 0)) return;
        this.language.suppose(found, (found.until - this.context.start) / SAMPLE_RATE);
        this.hypothesis = { ...found, words: [...known, ...found.words] };
        this.showPartial();
      })
      .catch(() => undefined)
      .finally(() => {
        this.partialsUnderWay--;
        leave();
        this.considerPartial();
      });
  }

  private partialQuestion(): { question: Question; known: PlacedWord[] } {
    const words = this.hypothesis?.words ?? [];
    const earliestSeconds = this.context.settledUntil;
    const way = this.language.way((this.end - this.context.start) / SAMPLE_RATE, false);
    const manner = { priority: "partial", paddingSeconds: PADDING_SECONDS, mayGoOn: true } as const;
    const base = { ...manner, way, until: this.end, earliestSeconds };
    const whole = this.context.since(this.utteranceStart - PARTIAL_CONTEXT_SECONDS);
    const seconds = this.partialSince ?? whole.start / SAMPLE_RATE;
    const part = partialAudio(words, this.end / SAMPLE_RATE, { seconds, isWhole: this.partialSince === undefined });
    if (!part) return { question: { ...base, ...whole, draft: words }, known: [] };
    const { startSeconds, prefix, known } = part;
    this.partialSince = startSeconds;
    const start = Math.round(startSeconds * SAMPLE_RATE);
    return { question: { ...base, start, prefix, draft: words.slice(known.length) }, known };
  }

  private showPartial(): void {
    if (!this.options.wantsPartials || !this.hypothesis || this.abort.signal.aborted) return;
    const { until, words, language } = this.hypothesis;
    const start = this.begun[0]?.startSeconds ?? this.context.settledUntil;
    const all = [...this.begun, ...words];
    const shown = this.partials.update(all, start, until / SAMPLE_RATE);
    if (!shown) return;
    const goesOn = shown.length >= all.length && this.endpointing.silenceBegan === undefined;
    this.events.partial(this.utteranceId(), this.written(goesOn ? openEnded(shown) : shown, language));
  }

  private written(words: readonly PlacedWord[], language: string): Utterance {
    return utteranceOf(words, { language, channel: this.options.channel, isAfterStop: this.isAfterStop });
  }

  private utteranceId(): string {
    return `${String(this.options.channel).padStart(2, "0")}_${String(this.nextUtterance).padStart(8, "0")}`;
  }
}
