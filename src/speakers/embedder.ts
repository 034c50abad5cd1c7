// What every engine offers that can tell voices apart, whatever its model: points in a space where one speaker's
// lie together. Clustering and attribution know nothing else of it.

/** A stretch of time, seconds. */
export interface Span {
  start: number;
  end: number;
}

/**
 * The space that an engine's embeddings lie in, made so that one speaker scatters alike in every direction, by about 1,
 * and speakers differ independently in each (the two-covariance model of probabilistic linear discriminant analysis).
 */
export interface SpeakerSpace {
  dimensions: number;
  /** Variance of the speakers' means in each dimension. */
  speakerVariance: readonly number[];
}

/** Voices at points of time, in order. */
export interface SpeakerEmbeddings {
  /** Seconds from the start of the recording. */
  times: Float32Array;
  /** Row-major [times, dimensions]. */
  rows: Float32Array;
}

export interface EmbeddingRequest {
  /** Mono audio at 16 kHz in -1 to 1; what it has before `from` and after `to` serves as context. */
  samples: Float32Array;
  /** When the first sample was heard, seconds from the start of the recording, as all times here. */
  samplesStart: number;
  /** The part to make embeddings of. */
  from: number;
  to: number;
  /** Where words are. */
  words: readonly Span[];
}

/** Tells where a voice can be heard alone: what embeddings are made of. */
export interface SpeakerSegmentation {
  speech(request: EmbeddingRequest): Promise<Span[]>;
}

/** One loaded engine. */
export interface SpeakerEmbedder {
  readonly space: SpeakerSpace;
  /** @returns nothing for stretches without speech */
  embed(request: EmbeddingRequest): Promise<SpeakerEmbeddings>;
  close(): Promise<void>;
}
