// What an engine with an attention decoder plugs into the shared recogniser: passes over tokens, and how a text begins.
// Tensors stay the engine's own; what crosses this border is plain numbers.

/** Audio as the decoder looks at it. */
export interface EncodedSpeech {
  /** Frames that the decoder attends to. */
  frames: number;
}

export interface Pass<Cache> {
  /** Row-major [tokens that are answered, vocabularySize]; may be changed by whoever chooses. Stands until the next step. */
  logits: Float32Array;
  /** Row-major [tokens, frames]: mean of the cross-attention of the heads that follow the speech. */
  attention: Float32Array;
  /** What the decoder remembers after these tokens. */
  cache: Cache;
}

/** One more token of a text, or its first. */
export interface TextStep<Encoded extends EncodedSpeech, Cache> {
  encoded: Encoded;
  cache: Cache | undefined;
  token: number;
}

export interface AttentionDecoder<Encoded extends EncodedSpeech, Cache> {
  readonly vocabularySize: number;
  readonly endToken: number;
  /**
   * One pass over `tokens`, after those that `cache` remembers.
   * @param cache       undefined for the first pass over a text
   * @param unanswered  so many of the first tokens get no row of logits
   */
  decode(
    encoded: Encoded,
    cache: Cache | undefined,
    tokens: readonly number[],
    unanswered?: number,
  ): Promise<Pass<Cache>>;
  /** One token more. */
  step(text: TextStep<Encoded, Cache>): Promise<Pass<Cache>>;
  /** The cache as it was after its first `tokens` tokens; the one handed in is not used again. */
  truncate(cache: Cache, tokens: number): Cache;
}

/** How a text begins: tokens that are no part of it. */
export interface TextStart<Cache> {
  /** What was fed already, if anything. */
  cache?: Cache;
  fedTokens: number;
  /** Still to feed; at least one. */
  tokens: readonly number[];
}

/** Changes a row of logits in place before the choice; -Infinity forbids a token. @returns whether it changed any */
export type LogitsRule = (logits: Float32Array, tokens: readonly number[]) => boolean;
