// What every recogniser offers, whatever its model. Callers ask `capabilities`; they never test a class.

import type { VocabularyTerm } from "./vocabulary.ts";

export interface RecognizerCapabilities {
  /** Words carry their own times; otherwise they are spread over the segment. */
  wordTimes: boolean;
  /** Confidences come from the model's probabilities. */
  confidence: boolean;
  /** Settled words and earlier answers can be handed in; without it, audio is cut behind settled words. */
  continuation: boolean;
  /** A custom vocabulary is heard inside the decoder. */
  vocabulary: boolean;
  /** It tells which language is spoken. */
  languageDetection: boolean;
  /** Pauses within a segment do it no harm: the more it hears at once, the better. */
  bearsPauses: boolean;
  /** It writes what is said in another language down in English. */
  translation: boolean;
}

export type RecognitionTaskName = "transcribe" | "translate";

/** Other speech around makes a language more probable. */
export interface LanguageBias {
  language: string;
  /** Added to its logarithm of odds. */
  logOdds: number;
}

export interface RecognitionRequest {
  /** Mono audio in -1 to 1 at 16 kHz; one segment, at most about 25 s. */
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
  /** ISO 639 codes of the languages that may be spoken; a single one is taken as told, none means any. */
  languages?: readonly string[];
  languageBias?: LanguageBias;
  /** Speech in these languages is not written down: only which one it is is told. */
  leftLanguages?: readonly string[];
  /** It goes before others that the same process is at. */
  isUrgent?: boolean;
  /** Default: transcribe. */
  task?: RecognitionTaskName;
}

export interface RecognizedWord {
  /** The word with its punctuation, no white space at its ends. */
  text: string;
  /** It follows the word before it without a space. */
  isJoined?: boolean;
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
  /** Where it was not told: probabilities of the languages in question, the likeliest first; a few at most. */
  languageProbabilities?: [language: string, probability: number][];
}

/** One loaded model. Calls are served one after another. */
export interface Recognizer {
  recognize(request: RecognitionRequest): Promise<Recognition>;
  /** Loads what it needs only where it is in doubt; before that is done it answers no worse, but then later. */
  complete?(): Promise<unknown>;
  close(): Promise<void>;
}
