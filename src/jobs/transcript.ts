// The transcript as the interface shows it. Wire names on purpose: this is what is stored and sent.

export interface Word {
  /** Words carry their punctuation and, but for the first of an utterance, a space before them. */
  word: string;
  start: number;
  end: number;
  confidence: number;
}

export interface Utterance {
  text: string;
  language: string;
  start: number;
  end: number;
  confidence: number;
  channel: number;
  speaker?: number;
  words: Word[];
}

export interface Transcription {
  full_transcript: string;
  languages: string[];
  utterances: Utterance[];
  sentences?: AddonResult<unknown>[];
  subtitles?: { format: string; subtitles: string }[];
}

export interface AddonError {
  status_code: number;
  exception: string;
  message: string;
}

/** The envelope that every add-on answers in; `error` is null exactly when it succeeded. */
export interface AddonResult<Results> {
  success: boolean;
  is_empty: boolean;
  exec_time: number;
  error: AddonError | null;
  results: Results;
}

export interface ResultMetadata {
  audio_duration: number;
  number_of_distinct_channels: number;
  billing_time: number;
  transcription_time: number;
}

/** The result of a finished job; add-ons appear under their own names when they were asked for. */
export interface TranscriptionResult {
  metadata: ResultMetadata;
  transcription: Transcription;
  [addon: string]: unknown;
}
