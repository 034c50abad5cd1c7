// Interface of every recogniser. Callers check `capabilities`, never a class.

import type { VocabularyTerm } from "./vocabulary.ts";

export interface RecognizerCapabilities {
  /** Words have their own times; otherwise their times are interpolated over the segment. */
  wordTimes: boolean;
  /** Confidences are derived from the model's probabilities. */
  confidence: boolean;
  /** Accepts a prefix and a draft; otherwise audio is cut after the settled words. */
  continuation: boolean;
  /** Supports a custom vocabulary in the decoder. */
  vocabulary: boolean;
  /** Detects the language. */
  languageDetection: boolean;
  /** Tolerates pauses within a segment: longer segments are more accurate. */
  bearsPauses: boolean;
  /** Translates speech into English. */
  translation: boolean;
  /** Finds who talks when, also where several talk at once. */
  turns?: boolean;
  /** Computes a voice from a stretch of one speaker. */
  voices?: boolean;
}

export type RecognitionTaskName = "transcribe" | "translate";

/** Prior for a language, from other speech in the same channel. */
export interface LanguageBias {
  language: string;
  /** Added to its log-odds. */
  logOdds: number;
}

/** Speech probabilities of a section of audio, from a detector that has run over the audio before it. */
export interface SpeechActivity {
  /** One for each window. */
  probabilities: Float32Array;
  /** Start of the first window, seconds from the start of the section. */
  startSeconds: number;
}

export interface RecognitionRequest {
  /** Mono audio in -1 to 1 at 16 kHz; one segment, at most about 25 s. */
  samples: Float32Array;
  /**
   * Name of growing audio: later requests with the same id contain the earlier audio and more. The engine may reuse
   * cached encoder output, so the result may differ slightly from that of the audio alone.
   */
  audioId?: string;
  /** Tokens of settled words at the start of the audio; the result continues after them. */
  prefix?: readonly number[];
  /** Tokens of an earlier result for the audio after the prefix; saves time while they match. */
  draft?: readonly number[];
  /** Words with a raised probability. */
  vocabulary?: readonly VocabularyTerm[];
  /** ISO 639 codes of the candidate languages; a single one is used without detection, none means any. */
  languages?: readonly string[];
  /** Voice activity of the samples, if it is known. */
  activity?: SpeechActivity;
  /** Priors for several candidate languages; the reported probabilities do not include them. */
  languageBias?: readonly LanguageBias[];
  /** Speech in these languages is only detected, not transcribed. */
  detectOnlyLanguages?: readonly string[];
  /** Takes precedence over other requests in the same process. */
  isUrgent?: boolean;
  /** Default: transcribe. */
  task?: RecognitionTaskName;
}

export interface RecognizedWord {
  /** The word with its punctuation, without surrounding white space. */
  text: string;
  /** It follows the previous word without a space. */
  isJoined?: boolean;
  /** Seconds from the start of the segment; starts never decrease, end ≥ start. */
  startSeconds: number;
  endSeconds: number;
  /** 0 to 1. */
  confidence: number;
  /** Tokens of this word in the engine's vocabulary, for a prefix or draft. */
  tokens: number[];
}

export interface Recognition {
  words: RecognizedWord[];
  /** ISO 639 code of the language spoken. */
  language: string;
  /** Set if the language was detected: probabilities of some candidate languages, the chosen one first. */
  languageProbabilities?: [language: string, probability: number][];
}

/** A stretch of audio whose words are in doubt, with some audio before and after it. */
export interface StretchRequest extends Pick<RecognitionRequest, "samples" | "vocabulary" | "languages"> {
  /** Of the stretch, from the start of the samples. */
  startSeconds: number;
  endSeconds: number;
}

/** A text that a stretch may have. */
export interface StretchText {
  text: string;
  /** Share of this text among all that were found, 0 to 1. */
  probability: number;
}

export interface StretchTexts {
  /** ISO 639 code of the language spoken. */
  language: string;
  /** The likeliest first; none if no word was recognised in the stretch. */
  texts: StretchText[];
}

/** One loaded model. Concurrent calls are allowed. */
export interface Recognizer {
  recognize(request: RecognitionRequest): Promise<Recognition>;
  /** Texts that a stretch of the audio may have, if the engine compares texts. */
  textsOf?(request: StretchRequest): Promise<StretchTexts>;
  /** Loads parts that are only needed for uncertain audio; until then, such audio takes longer. */
  loadFallback?(): Promise<unknown>;
  close(): Promise<void>;
}
