// Builds the result of a completed session.
import { messageDetails } from "../../../../contract/messages/message-details.ts";
import type {
  AddonResult,
  ResultMetadata,
  Transcription,
  TranscriptionResult,
  Utterance,
} from "../../../../contract/transcript/transcript.ts";
import type { Steps } from "../../../../platform/process/steps.ts";
import { joinedTexts } from "../../../../speech/text/joined-texts.ts";
import { endingSentences, joiningSentences, type SentencePause } from "../../../transcripts/sentence-pauses.ts";

/**
 * The transcription of finals. Its sentences continue over pauses; the finals themselves stay as they were sent.
 * @param finals  in the order they were sent
 * @param kept    phrases that are written as the caller wrote them
 * @returns `pauses` for `withSpeakersApart`
 */
export function* liveTranscription(
  finals: readonly Utterance[],
  kept: readonly string[],
): Steps<{ transcription: Transcription; pauses: SentencePause[] }> {
  const inOrder = [...finals].sort((left, right) => left.start - right.start || left.channel - right.channel);
  const { utterances, pauses } = yield* joiningSentences(inOrder, kept);
  const languages = [...new Set(utterances.map(({ language }) => language))];
  return { transcription: { full_transcript: joinedTexts(utterances), languages, utterances }, pauses };
}

/** Ends sentences where another speaker or channel continues. @param transcription  with its final speakers */
export function* withSpeakersApart(
  transcription: Transcription,
  pauses: readonly SentencePause[],
): Steps<Transcription> {
  const utterances = yield* endingSentences(transcription.utterances, pauses);
  return { ...transcription, full_transcript: joinedTexts(utterances), utterances };
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
      ...(warnings.length > 0 ? { warnings: [...warnings], warning_details: warnings.map(messageDetails) } : {}),
    },
    transcription,
    ...addons,
  };
}
