// Divides the utterances of a live session by speakers, when it has ended.
import type { SpeakerVoice } from "../../../../speech/speakers/known-voices.ts";
import { joinedTexts } from "../../../../speech/text/joined-texts.ts";
import { runAddon } from "../../addon.ts";
import { diarizationAddon } from "../../diarization.ts";
import type { DiarizationRequest, Diarized } from "../message.ts";

/** Clustering a session of many hours takes seconds. */
const TIMEOUT_MILLISECONDS = 300_000;

export async function diarizeSession(request: DiarizationRequest): Promise<Diarized> {
  const { params, audioSeconds, voices } = request;
  const transcription = structuredClone(request.transcription);
  let speakerVoices: SpeakerVoice[] = [];
  const found =
    voices?.method === "networks" ? { ...voices, recordingTime: (storedSeconds: number) => storedSeconds } : voices;
  const answer = await runAddon(
    diarizationAddon,
    {
      transcription,
      audioSeconds,
      params,
      providers: {},
      ...(found ? { voices: found } : {}),
      onSpeakerVoices: (ofSpeakers) => {
        speakerVoices = ofSpeakers;
      },
    },
    TIMEOUT_MILLISECONDS,
  );
  if (!answer.success) return { transcription: request.transcription, answer, speakerVoices: [] };
  transcription.full_transcript = joinedTexts(transcription.utterances);
  return { transcription, answer, speakerVoices };
}
