// What an engine with an attention decoder is to the shared recogniser: its passes, its constants, how its texts begin.
import type { RecognitionRequest } from "../recognizer.ts";
import type { EncodedSpeech, LogitsRule, TextStart } from "./decoder.ts";
import type { BatchDecoder } from "./step-batch.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** Constants of the weights, found by measurement. */
export interface SpeechModelTraits {
  sampleRate: number;
  /** Audio of one frame that the decoder attends to. */
  samplesPerFrame: number;
  /** Shorter audio is made up to this with silence. */
  shortestSamples: number;
  /** Silence before the audio, seconds. */
  silenceBefore: number;
  /** Silence behind it, seconds; the later ones are tried when the decoder lost its way. */
  silenceBehind: readonly [number, ...number[]];
  /** Audio that comes this long after a frame hardly changes what the encoder makes of it. */
  unsettledSeconds: number;
  /** How much later than its first attended frame a word begins, on average. */
  startShiftSeconds: number;
  /** Share of a word's highest attention from which on a frame belongs to its beginning; 0 to 1. */
  startShare: number;
  /** No speaker passes this; a decoder that does has lost the speech. */
  tokensPerSecond: number;
  spareTokens: number;
  /** Tokens that the decoder knows positions of, what a text begins with included. */
  mostTokens: number;
  /** Below this mean word confidence short answers are noise read as words. */
  inventedConfidence: number;
}

export interface SpeechStart<Cache> extends TextStart<Cache> {
  /** ISO 639 code. */
  language: string;
  /** Where it was not told: the likeliest first. */
  languageProbabilities?: [language: string, probability: number][];
  /** What the decoder may not say, beside the caller's own wishes. */
  rules: readonly LogitsRule[];
  /** How sure the model is that nobody speaks, where it can tell; 0 to 1. */
  noSpeechProbability?: number;
}

/**
 * One loaded model.
 * @typeParam Memory  what the encoder remembers of the beginning of some audio
 */
export interface SpeechModel<Encoded extends EncodedSpeech, Cache, Memory extends { frames: number }>
  extends BatchDecoder<Encoded, Cache> {
  readonly traits: SpeechModelTraits;
  readonly tokenizer: Tokenizer;
  /**
   * @param samples  with the silence around them
   * @param known    what was settled of the beginning of the same audio; only what comes after it is worked out
   * @param settle   how many of the frames will not be worked out again, at least as many as are known
   */
  encode(samples: Float32Array, known?: Memory, settle?: number): Promise<{ encoded: Encoded; memory: Memory }>;
  /** Nobody decodes it any more: its memory may be used again. */
  drop?(encoded: Encoded): void;
  /** How the text of this audio begins: the language is found here where it was not told. */
  start(encoded: Encoded, request: RecognitionRequest): Promise<SpeechStart<Cache>>;
  /** How sure it is that nobody speaks, from the logits of the first start token; 0 to 1. */
  noSpeechProbability?(logits: Float32Array): number | undefined;
  release(): Promise<void>;
}
