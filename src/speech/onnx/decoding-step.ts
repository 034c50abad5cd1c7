// What a pass of an attention decoder consumes and returns. Tensors stay inside the engine; only numbers cross this interface.

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
  /** Order in which the sequences began. */
  sequence?: number;
}
