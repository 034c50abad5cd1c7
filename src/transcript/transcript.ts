// The transcript of the API. Wire names: stored and sent in this form.

export interface Word {
  /** Words include their punctuation and, except for the first of an utterance, a leading space. */
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

/** Result envelope of every add-on; `error` is null exactly if it succeeded. */
export interface AddonResult<Results> {
  success: boolean;
  is_empty: boolean;
  exec_time: number;
  error: AddonError | null;
  results: Results;
  /** Of a summary: sentences of the transcript, or text that a language model wrote. */
  method?: "extractive" | "abstractive";
}

export interface ResultMetadata {
  audio_duration: number;
  number_of_distinct_channels: number;
  billing_time: number;
  transcription_time: number;
  /** Index of the transcribed audio track, from 0, and the number of tracks. Not for live sessions. */
  audio_track?: number;
  number_of_audio_tracks?: number;
  /** Ignored parts of the request and unusable parts of the recording, one sentence each. */
  warnings?: string[];
}

/** @param params  stored body of a request @returns its unknown fields, one sentence each */
export function warningsOfRequest(params: Record<string, unknown>): string[] {
  return (params["warnings"] as string[] | undefined) ?? [];
}

/** The result of a finished job; requested add-ons appear under their own names. */
export interface TranscriptionResult {
  metadata: ResultMetadata;
  transcription: Transcription;
  [addon: string]: unknown;
}

/** Rounds seconds to milliseconds. */
export const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;

/** @param names  given to speakers, by number */
export function speakerName(speaker: number, names: Readonly<Record<string, string>>): string {
  return names[speaker] ?? `Speaker ${speaker}`;
}
