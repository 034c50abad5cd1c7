// What the recogniser is given for the next words of a channel: enough audio before them to understand them, and the
// words in it that are settled. An utterance boundary is a place between two words; the model never hears a cut there.
import { DEFAULT_SEGMENTATION } from "../../audio/voice-activity/segmentation.ts";
import type { RecognizedWord } from "../../recognition/recognizer.ts";

/** A word with its place in the channel's audio, seconds. */
export interface PlacedWord extends RecognizedWord {
  /** The model whose units its tokens are. */
  model?: string;
}

/** Units of the words, for the recogniser. */
export const unitsOf = (words: readonly PlacedWord[]): number[] => words.flatMap((word) => word.tokens);

/** Whether a model can be handed these words. */
export const areOf = (words: readonly PlacedWord[], model: string): boolean =>
  words.every((word) => word.model === undefined || word.model === model);

/** What survives a restart. */
export interface ContextState {
  /** Where the audio for the recogniser begins, samples. */
  startSample: number;
  /** Settled words from there on. */
  settled: PlacedWord[];
}

/** More audio than this makes every answer slow. */
const LONGEST_CONTEXT_SECONDS = 3;
/** What is kept when the context is shortened. */
const KEPT_CONTEXT_SECONDS = 2;
/** A pause this long separates what is said: what came before is no context any more. */
const SEPARATING_SILENCE_SECONDS = 0.6;
/** Kept before the first word of shortened audio. */
export const LEAD_SECONDS = 0.06;

export class SpeechContext {
  private startSample: number;
  private settledWords: PlacedWord[];

  constructor(
    private readonly sampleRate: number,
    state: ContextState = { startSample: 0, settled: [] },
  ) {
    this.startSample = state.startSample;
    this.settledWords = state.settled;
  }

  get state(): ContextState {
    return { startSample: this.startSample, settled: this.settledWords };
  }

  get start(): number {
    return this.startSample;
  }

  /** All of it. */
  get whole(): { start: number; prefix: PlacedWord[] } {
    return { start: this.startSample, prefix: this.settledWords };
  }

  /** A shorter way to the same words: audio and settled words from about `seconds` on. */
  since(seconds: number): { start: number; prefix: PlacedWord[] } {
    const kept = this.settledWords.filter((word) => word.startSeconds >= seconds);
    const dropped = this.settledWords.at(-1 - kept.length);
    const from = Math.min(seconds, (kept[0]?.startSeconds ?? seconds + LEAD_SECONDS) - LEAD_SECONDS);
    const start = Math.round(Math.max(dropped?.endSeconds ?? 0, from) * this.sampleRate);
    if (start <= this.startSample) return this.whole;
    return { start, prefix: kept };
  }

  /** End of the last settled word, seconds; 0 before the first. */
  get settledUntil(): number {
    return this.settledWords.at(-1)?.endSeconds ?? this.startSample / this.sampleRate;
  }

  /** Speech begins. @param previousSpeechEnd  end of the speech before it, samples */
  begin(sample: number, previousSpeechEnd: number): void {
    if (sample - previousSpeechEnd < SEPARATING_SILENCE_SECONDS * this.sampleRate) return;
    const early = sample - Math.round(DEFAULT_SEGMENTATION.leadSeconds * this.sampleRate);
    this.startSample = Math.max(previousSpeechEnd, early, 0);
    this.settledWords = [];
  }

  settle(words: PlacedWord[]): void {
    this.settledWords.push(...words);
  }

  /** Forgets the beginning of a context that has grown too long. @param now  samples */
  shorten(now: number): void {
    if (now - this.startSample > LONGEST_CONTEXT_SECONDS * this.sampleRate) this.forget(now);
  }

  /** Forgets even what nothing was said in, so that the audio never grows without end. */
  advance(now: number): void {
    if (this.settledWords.length === 0) this.startSample = now - Math.round(KEPT_CONTEXT_SECONDS * this.sampleRate);
    else this.forget(now);
  }

  private forget(now: number): void {
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
