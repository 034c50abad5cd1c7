import type { CaptionSource } from "../../../speech/subtitles/layout.ts";
import type { TranscriptSource } from "./format.ts";

export const captionSource = ({ transcription, result, speakers = true }: TranscriptSource): CaptionSource => ({
  utterances: transcription.utterances,
  names: transcription.speaker_names,
  audioSeconds: result.metadata.audio_duration,
  edits: transcription.cue_edits ?? [],
  showsSpeakers: speakers,
});
