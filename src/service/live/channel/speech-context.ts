// Context of a channel for the recogniser: audio before the next words, and the settled words in it. Utterance
// boundaries are between two words, so that the model never receives a cut word.
import { DEFAULT_SEGMENTATION } from "../../../speech/audio/voice-activity/segmentation.ts";
import type { RecognizedWord } from "../../../speech/recognition/recognizer.ts";

/** A word with its times in the channel's audio, seconds. */
export interface PlacedWord extends RecognizedWord {
  /** The model whose vocabulary its tokens are from. */
  model?: string;
}

/** Tokens of the words. */
export const tokensOf = (words: readonly PlacedWord[]): number[] => words.flatMap((word) => word.tokens);

/** Whether the words' tokens are valid for a model. */
export const hasTokensOf = (words: readonly PlacedWord[], model: string): boolean =>
  words.every((word) => word.model === undefined || word.model === model);

/** State persisted for a restart. */
export interface ContextState {
  /** Start of the recogniser's audio, samples. */
  startSample: number;
  /** Settled words from there on. */
  settled: PlacedWord[];
}

/** Longest context before it is shortened: more audio would increase latency. */
const LONGEST_CONTEXT_SECONDS = 3;
/** Length of a shortened context. */
const KEPT_CONTEXT_SECONDS = 2;
/** A pause of this length ends the context: earlier words do not help. */
const SEPARATING_SILENCE_SECONDS = 0.6;
/** A word that seems longer is not kept whole: its audio would be recognised again and again. */
const LONGEST_WORD_SECONDS = 3;
/** Audio kept before the first word of a shortened context. */
export const LEAD_SECONDS = 0.06;

export class SpeechContext {
  private startSample: number;
  private settledWords: PlacedWord[];

  constructor(
    private readonly sampleRate: number,
    state: ContextState = { startSample: 0, settled: [] },
  ) {
    // Earlier versions stored negative ones.
    this.startSample = Math.max(0, state.startSample);
    this.settledWords = state.settled;
  }

  get state(): ContextState {
    return { startSample: this.startSample, settled: this.settledWords };
  }

  get start(): number {
    return this.startSample;
  }

  get whole(): { start: number; prefix: PlacedWord[] } {
    return { start: this.startSample, prefix: this.settledWords };
  }

  /** A shorter context: audio and settled words from about `seconds` on. */
  since(seconds: number): { start: number; prefix: PlacedWord[] } {
    const kept = this.settledWords.filter((word) => word.startSeconds >= seconds);
    const dropped = this.settledWords.at(-1 - kept.length);
    const from = Math.min(seconds, (kept[0]?.startSeconds ?? seconds + LEAD_SECONDS) - LEAD_SECONDS);
    const start = Math.round(Math.max(dropped?.endSeconds ?? 0, from) * this.sampleRate);
    if (start <= this.startSample) return this.whole;
    return { start, prefix: kept };
  }

  /** End of the last settled word, seconds; without one, the start of the context. */
  get settledUntil(): number {
    return this.settledWords.at(-1)?.endSeconds ?? this.startSample / this.sampleRate;
  }

  /** Starts an utterance. @param previousSpeechEnd  end of the speech before it, samples */
  begin(sample: number, previousSpeechEnd: number): void {
    if (sample - previousSpeechEnd < SEPARATING_SILENCE_SECONDS * this.sampleRate) return;
    const early = sample - Math.round(DEFAULT_SEGMENTATION.leadSeconds * this.sampleRate);
    this.startSample = Math.max(previousSpeechEnd, early, 0);
    this.settledWords = [];
  }

  /** Discards all context before this sample. */
  restart(sample: number): void {
    this.startSample = sample;
    this.settledWords = [];
  }

  settle(words: PlacedWord[]): void {
    this.settledWords.push(...words);
  }

  /** Shortens a context that has grown too long. @param now  samples */
  shorten(now: number): void {
    if (now - this.startSample > LONGEST_CONTEXT_SECONDS * this.sampleRate) this.dropBefore(now);
  }

  /**
   * Shortens the context even without settled words, which bounds the audio.
   * @param nextWord  start of the first word that is not settled, seconds: the context contains all of it
   */
  advance(now: number, nextWord = Number.POSITIVE_INFINITY): void {
    if (this.settledWords.length > 0) {
      this.dropBefore(now);
      return;
    }
    const latest = now / this.sampleRate - KEPT_CONTEXT_SECONDS;
    const from = Math.max(latest - LONGEST_WORD_SECONDS, Math.min(latest, nextWord - LEAD_SECONDS));
    this.startSample = Math.max(this.startSample, Math.round(from * this.sampleRate));
  }

  private dropBefore(now: number): void {
    const seconds = (sample: number) => sample / this.sampleRate;
    const from = seconds(now) - KEPT_CONTEXT_SECONDS;
    const first = this.settledWords.findIndex((word) => word.startSeconds >= from);
    const kept = first < 0 ? [] : this.settledWords.slice(first);
    const dropped = first < 0 ? this.settledWords : this.settledWords.slice(0, first);
    const boundary = dropped.at(-1)?.endSeconds;
    if (boundary === undefined) return;
    const lead = (kept[0]?.startSeconds ?? boundary + LEAD_SECONDS) - LEAD_SECONDS;
    this.startSample = Math.round(Math.max(boundary, lead) * this.sampleRate);
    this.settledWords = kept;
  }
}
