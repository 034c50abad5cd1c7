// What every recognition engine offers, whatever its model. Callers ask `capabilities`; they never test a class.

import type { VocabularyTerm } from "./vocabulary.ts";

export interface RecognizerCapabilities {
  /** Words carry their own times; otherwise the caller spreads them over the segment. */
  wordTimes: boolean;
  /** Confidences come from the model's probabilities. */
  confidence: boolean;
  /** Settled words and earlier answers can be handed in: what live sessions need. */
  continuation: boolean;
  /** A custom vocabulary is heard inside the decoder. */
  vocabulary: boolean;
}

export interface RecognitionRequest {
  /** Mono audio in -1 to 1 at the engine's sample rate; one segment, at most about 25 s. */
  samples: Float32Array;
  /**
   * Requests of the same name hear the same audio from its beginning, each further: what an engine has worked out of it
   * it may keep for the next one, whose answer may then differ a little from that of the audio alone.
   */
  audioId?: string;
  /** Units of words that are settled: the answer goes on after them and does not repeat them. */
  prefix?: readonly number[];
  /** Units of an earlier answer to the beginning of what comes after the prefix; saves work where it still holds. */
  draft?: readonly number[];
  /** Words that are more probable than usual. */
  vocabulary?: readonly VocabularyTerm[];
}

export interface RecognizedWord {
  /** The word with its punctuation, no white space. */
  text: string;
  /** Seconds from the start of the segment; starts never decrease, end ≥ start. */
  startSeconds: number;
  endSeconds: number;
  /** 0 to 1. */
  confidence: number;
  /** The engine's own units of this word, to be handed back in a prefix or draft. */
  tokens: number[];
}

export interface Recognition {
  words: RecognizedWord[];
  /** ISO 639 code of the language spoken. */
  language: string;
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
