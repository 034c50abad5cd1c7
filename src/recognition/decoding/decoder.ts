// Interface of an engine's attention decoder: passes over tokens, and the start of a sequence. Tensors stay inside the
// engine; only numbers cross this interface.

/** Encoder output, as the decoder attends to it. */
export interface EncodedSpeech {
  /** Frames for cross-attention. */
  frames: number;
}

export interface Pass<Cache> {
  /** Row-major [tokens with logits, vocabularySize]; may be modified by the caller. Valid until the next step. */
  logits: Float32Array;
  /** Row-major [tokens, frames]: mean cross-attention of the alignment heads. */
  attention: Float32Array;
  /** KV cache after these tokens. */
  cache: Cache;
}

/** One decoding step: the next token of a sequence, or its first. */
export interface DecodingStep<Encoded extends EncodedSpeech, Cache> {
  encoded: Encoded;
  cache: Cache | undefined;
  token: number;
}

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
