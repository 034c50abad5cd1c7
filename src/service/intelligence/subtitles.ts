import type { AddonParameters } from "../../contract/job-parameters.ts";
import type { Transcription, Utterance } from "../../contract/transcript/transcript.ts";
import type { LayoutOptions } from "../../speech/subtitles/layout-options.ts";
import { subtitleFile } from "../../speech/subtitles/subtitles.ts";
import type { Addon } from "./addon.ts";

type Subtitles = NonNullable<Transcription["subtitles"]>;
type SubtitlesConfig = NonNullable<AddonParameters["subtitles_config"]>;

/** The limits that a request sets; the layout's standard limits apply to the others, in both styles. */
function limitsOf(config: SubtitlesConfig): Partial<LayoutOptions> {
  return {
    ...(config.minimum_duration === undefined ? {} : { minimumDuration: config.minimum_duration }),
    ...(config.maximum_duration === undefined ? {} : { maximumDuration: config.maximum_duration }),
    ...(config.maximum_characters_per_row === undefined
      ? {}
      : { maximumCharactersPerRow: config.maximum_characters_per_row }),
    ...(config.maximum_rows_per_caption === undefined
      ? {}
      : { maximumRowsPerCaption: config.maximum_rows_per_caption }),
  };
}

/** Captions of utterances in every requested format. */
export function subtitlesOf(
  source: { utterances: readonly Utterance[]; audioSeconds: number | undefined },
  params: AddonParameters,
): Subtitles {
  const config = params.subtitles_config ?? {};
  return (config.formats ?? ["srt"]).map((format) => ({
    format,
    subtitles: subtitleFile(format, source, limitsOf(config)),
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
