// Interface of engines with speaker embeddings: points in a space in which those of one speaker are close together.
// Clustering and attribution use only this.

/** A time range, seconds. */
export interface Span {
  start: number;
  end: number;
}

/**
 * The embedding space of an engine, normalised so that one speaker's embeddings have variance 1 in every dimension, and
 * dimensions are independent between speakers (two-covariance model of probabilistic linear discriminant analysis).
 */
export interface SpeakerSpace {
  dimensions: number;
  /** Variance of the speakers' means in each dimension. */
  speakerVariance: readonly number[];
}

/** Speaker embeddings at points in time, in order. */
export interface SpeakerEmbeddings {
  /** Seconds from the start of the recording. */
  times: Float32Array;
  /** Row-major [times, dimensions]. */
  rows: Float32Array;
}

export interface EmbeddingRequest {
  /** Mono audio at 16 kHz in -1 to 1; audio before `from` and after `to` is context. */
  samples: Float32Array;
  /** Time of the first sample, seconds from the start of the recording, like all times here. */
  samplesStart: number;
  /** Range to embed. */
  from: number;
  to: number;
  /** Times of the words. */
  words: readonly Span[];
}

/** Finds where a single voice is audible, from which embeddings are computed. */
export interface SpeakerSegmentation {
  speech(request: EmbeddingRequest): Promise<Span[]>;
}

/** One loaded engine. */
export interface SpeakerEmbedder {
  readonly space: SpeakerSpace;
  /** @returns no embeddings for ranges without speech */
  embed(request: EmbeddingRequest): Promise<SpeakerEmbeddings>;
  close(): Promise<void>;
}
