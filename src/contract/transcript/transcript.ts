// The transcript of the API. Wire names: stored and sent in this form.
export type {
  AddonError,
  AddonResult,
  ResultMetadata,
  SpeakerIdentity,
  SpeakerTurn,
  Transcription,
  TranscriptionResult,
  Utterance,
  Word,
} from "../job.ts";

/** Rounds seconds to milliseconds. */
export const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;

/** @param names  given to speakers, by number */
export function speakerName(speaker: number, names: Readonly<Record<string, string>>): string {
  return names[speaker] ?? `Speaker ${speaker}`;
}
