// Interface of an engine with an attention decoder to the shared recogniser: its passes, constants and start tokens.
import type { RecognitionRequest } from "../recognizer.ts";
import type { DecoderStart, EncodedSpeech, LogitsRule } from "./decoder.ts";
import type { EvidenceWeights } from "./speech-evidence.ts";
import type { BatchDecoder } from "./step-batch.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** Constants of the model, found by measurement. */
export interface SpeechModelTraits {
  sampleRate: number;
  /** Samples per frame of the cross-attention. */
  samplesPerFrame: number;
  /** Shorter audio is padded to this length with silence. */
  shortestSamples: number;
  /** Audio of concurrent requests, seconds: keys and values of encoder output take most of the memory of a process. */
  secondsAtOnce: number;
  /** Silence added before the audio, seconds. */
  leadingSilenceSeconds: number;
  /** Silence added after the audio, seconds; further values are for retries after a failed decoding. */
  trailingSilenceSeconds: readonly [number, ...number[]];
  /** Audio this long after a frame no longer changes its encoder output noticeably. */
  unsettledSeconds: number;
  /** Mean delay of a word's start after its first attended frame. */
  startShiftSeconds: number;
  /** Mean time by which a word ends later than the frames that are aligned to it. */
  endShiftSeconds: number;
  /** Share of a word's highest attention from which a frame belongs to its start; 0 to 1. */
  startShare: number;
  /** Upper bound for the tokens of real speech; a decoder that exceeds it has failed. */
  tokensPerSecond: number;
  spareTokens: number;
  /** Number of token positions of the decoder, including start tokens. */
  maximumTokens: number;
  /** Short answers below this mean word confidence are discarded as noise, if there is no `evidence` model. */
  hallucinationConfidence: number;
  /** Whether alternatives of uncertain texts are decoded and compared (alternatives.ts). */
  searchesAlternatives?: boolean;
  /** Model that decides whether a short answer was spoken. */
  evidence?: EvidenceWeights;
}

export interface SpeechStart<Cache> extends DecoderStart<Cache> {
  /** ISO 639 code. */
  language: string;
  /** Set if the language was detected: the most probable one first. */
  languageProbabilities?: [language: string, probability: number][];
  /** Rules of the model, in addition to those of the request. */
  rules: readonly LogitsRule[];
  /** Probability that there is no speech, if the model estimates it; 0 to 1. */
  noSpeechProbability?: number;
}

/**
 * One loaded model.
 * @typeParam Memory  cached encoder output for the beginning of growing audio
 */
export interface SpeechModel<Encoded extends EncodedSpeech, Cache, Memory extends { frames: number }>
  extends BatchDecoder<Encoded, Cache> {
  readonly traits: SpeechModelTraits;
  readonly tokenizer: Tokenizer;
  /**
   * @param samples  with the added silence
   * @param known    cached output for the beginning of the same audio; only the rest is computed
   * @param settle   number of frames whose output is final, at least as many as are cached
   */
  encode(samples: Float32Array, known?: Memory, settle?: number): Promise<{ encoded: Encoded; memory: Memory }>;
  /** Releases the memory of an encoder output that is no longer decoded. */
  releaseAudio?(encoded: Encoded): void;
  /** Start tokens for this audio; detects the language if the request does not name it. */
  start(encoded: Encoded, request: RecognitionRequest): Promise<SpeechStart<Cache>>;
  /** No-speech probability from the logits of the first start token; 0 to 1. */
  noSpeechProbability?(logits: Float32Array): number | undefined;
  release(): Promise<void>;
}
