// Builds the result of a completed session.
import type {
  AddonResult,
  ResultMetadata,
  Transcription,
  TranscriptionResult,
  Utterance,
} from "../../../contract/transcript/transcript.ts";

/** @param finals  utterances in the order they were sent */
export function liveTranscription(finals: readonly Utterance[]): Transcription {
  const utterances = [...finals].sort((left, right) => left.start - right.start || left.channel - right.channel);
  return {
    full_transcript: utterances.map(({ text }) => text.trim()).join(" "),
    languages: [...new Set(utterances.map(({ language }) => language))],
    utterances,
  };
}

export function liveResult(
  transcription: Transcription,
  addons: Record<string, AddonResult<unknown>>,
  recording: { duration: number; channels: number; seconds: number } & Pick<ResultMetadata, "diarization">,
  warnings: readonly string[] = [],
): TranscriptionResult {
  return {
    metadata: {
      audio_duration: recording.duration,
      number_of_distinct_channels: recording.channels,
      billing_time: Math.round(recording.duration * recording.channels * 1000) / 1000,
      transcription_time: Math.round(recording.seconds * 1000) / 1000,
      ...(recording.diarization ? { diarization: recording.diarization } : {}),
      ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
    },
    transcription,
    ...addons,
  };
}
