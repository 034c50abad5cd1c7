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
  /** Name of the speaker, if the library of voices has this voice, and the probability that it is right. */
  speaker_name?: string;
  speaker_confidence?: number;
  words: Word[];
}

/** A speaker with the name that the library of voices gives. */
export interface SpeakerIdentity {
  speaker: number;
  /** Null for an unknown voice. */
  name: string | null;
  /** Estimated probability that it is this person, 0 to 1; 1 if a user stated it; null for an unknown voice. */
  confidence: number | null;
  /** Id of the voice in the library; null if there is none. */
  voice_id: string | null;
}

/** A speaker talks, with the number of the utterances. Turns of different speakers may overlap. */
export interface SpeakerTurn {
  speaker: number;
  start: number;
  end: number;
  channel: number;
}

export interface Transcription {
  full_transcript: string;
  languages: string[];
  utterances: Utterance[];
  /** Who talks when, also where several people talk at once; in order. */
  speaker_turns?: SpeakerTurn[];
  /** Who the speakers are, if names were requested; in order of their numbers. */
  speakers?: SpeakerIdentity[];
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
  /** How speakers were found: by the networks of a speaker model, the recogniser's encoder, or the channels. */
  diarization?: { method: "networks" | "encoder" | "channels"; model?: string };
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
