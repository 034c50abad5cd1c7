// What every recognition engine offers, whatever its model. Callers ask `capabilities`; they never test a class.

export interface RecognizerCapabilities {
  /** Words carry their own times; otherwise the caller spreads them over the segment. */
  wordTimes: boolean;
  /** Confidences come from the model's probabilities. */
  confidence: boolean;
  /** An earlier answer for the beginning of the same audio can be handed in to save work. */
  drafts: boolean;
}

export interface RecognitionRequest {
  /** Mono audio in -1 to 1 at the engine's sample rate; one segment, at most about 25 s. */
  samples: Float32Array;
  /** `tokens` of an earlier recognition of a beginning of this audio. */
  draft?: readonly number[];
}

export interface RecognizedWord {
  /** The word with its punctuation, no white space. */
  text: string;
  /** Seconds from the start of the segment; starts never decrease, end ≥ start. */
  startSeconds: number;
  endSeconds: number;
  /** 0 to 1. */
  confidence: number;
}

export interface Recognition {
  words: RecognizedWord[];
  /** ISO 639 code of the language spoken. */
  language: string;
  /** The engine's own units of text, to be handed back as a draft. */
  tokens: number[];
}

/** One loaded model. Calls are served one after another. */
export interface Recognizer {
  recognize(request: RecognitionRequest): Promise<Recognition>;
  close(): Promise<void>;
}

/** An engine as it registers itself; `load` is called in a child process only. */
export interface Engine {
  /** Model id as clients name it. */
  id: string;
  /** ISO 639 codes of the languages that it recognises. */
  languages: readonly string[];
  sampleRate: number;
  capabilities: RecognizerCapabilities;
  load(): Promise<Recognizer>;
}
