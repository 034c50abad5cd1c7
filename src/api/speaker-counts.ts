// Numbers of speakers in requests, of recordings and of live sessions.
import type { DiarizationParameters } from "../service/intelligence/diarization.ts";

/** @returns a sentence if the numbers contradict each other */
export function speakerCountProblems({ diarization_config }: DiarizationParameters): string[] {
  const { min_speakers = 0, max_speakers = 0 } = diarization_config ?? {};
  return max_speakers > 0 && min_speakers > max_speakers
    ? [
        "diarization_config.min_speakers must not be greater than diarization_config.max_speakers: lower min_speakers, raise max_speakers, or leave one of them out",
      ]
    : [];
}
