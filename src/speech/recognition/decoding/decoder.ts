// Interface of an engine's attention decoder: passes over tokens, and the start of a sequence. Tensors stay inside the
// engine; only numbers cross this interface.

import type { DecodingStep, EncodedSpeech, Pass } from "../../onnx/decoding-step.ts";

export type { DecodingStep, EncodedSpeech, Pass };

export interface AttentionDecoder<Encoded extends EncodedSpeech, Cache> {
  readonly vocabularySize: number;
  readonly endToken: number;
  /**
   * One pass over `tokens`, after those in `cache`.
   * @param cache       undefined for the first pass of a sequence
   * @param skipLogits  number of leading tokens that need no logits
   */
  decode(
    encoded: Encoded,
    cache: Cache | undefined,
    tokens: readonly number[],
    skipLogits?: number,
  ): Promise<Pass<Cache>>;
  /** Decodes one token. */
  step(step: DecodingStep<Encoded, Cache>): Promise<Pass<Cache>>;
  /** Truncates the cache to its first `tokens` tokens; the given cache must not be used afterwards. */
  truncate(cache: Cache, tokens: number): Cache;
  /** A copy of the first `tokens` tokens of a cache: another sequence over the same audio. */
  fork(cache: Cache, tokens: number): Cache;
}

/** Start of a sequence: tokens that are not part of the text. */
export interface DecoderStart<Cache> {
  /** KV cache of tokens that were decoded already. */
  cache?: Cache;
  fedTokens: number;
  /** Tokens still to be decoded; at least one. */
  tokens: readonly number[];
}

/**
 * Modifies a row of logits in place before the token is chosen; -Infinity forbids a token. @returns whether it modified
 * any
 */
export type LogitsRule = (logits: Float32Array, tokens: readonly number[]) => boolean;
