import type { AddonParameters } from "../../contract/job-parameters.ts";
import type { Transcription, Utterance } from "../../contract/transcript/transcript.ts";
import { requestedLimits } from "../../speech/subtitles/requested-limits.ts";
import { subtitleFile } from "../../speech/subtitles/subtitles.ts";
import type { Addon } from "./addon.ts";

type Subtitles = NonNullable<Transcription["subtitles"]>;

/** Captions of utterances in every requested format. */
export function subtitlesOf(
  source: { utterances: readonly Utterance[]; audioSeconds: number | undefined },
  params: AddonParameters,
): Subtitles {
  const config = params.subtitles_config ?? {};
  return (config.formats ?? ["srt"]).map((format) => ({
    format,
    subtitles: subtitleFile(format, source, requestedLimits(config)),
  }));
}

export const subtitlesAddon: Addon = {
  name: "subtitles",
  run: async ({ transcription: { utterances }, audioSeconds, params }) =>
    subtitlesOf({ utterances, audioSeconds }, params),
  place(result, transcription, answer) {
    if (answer.success) transcription.subtitles = answer.results as Subtitles;
    else result["subtitles"] = answer;
  },
};
