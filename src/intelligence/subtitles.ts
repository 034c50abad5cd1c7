import type { LayoutOptions } from "../subtitles/layout-options.ts";
import { subtitleFile } from "../subtitles/subtitles.ts";
import type { Utterance } from "../transcript/transcript.ts";
import type { Addon } from "./addon.ts";

interface SubtitlesConfig {
  formats?: string[];
  minimum_duration?: number;
  maximum_duration?: number;
  maximum_characters_per_row?: number;
  maximum_rows_per_caption?: number;
  style?: string;
}

/** Both styles keep the standard limits where a request sets no others. */
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

/** Captions of utterances in every format that a request asks for. */
export function subtitlesOf(
  source: { utterances: readonly Utterance[]; audioSeconds?: number },
  params: Record<string, unknown>,
): { format: string; subtitles: string }[] {
  const config = (params["subtitles_config"] ?? {}) as SubtitlesConfig;
  return (config.formats ?? ["srt"]).map((format) => ({
    format,
    subtitles: subtitleFile(format === "vtt" ? "vtt" : "srt", source, limitsOf(config)),
  }));
}

export const subtitlesAddon: Addon = {
  name: "subtitles",
  run: async ({ transcription: { utterances }, audioSeconds, params }) =>
    subtitlesOf({ utterances, audioSeconds }, params),
  place(result, transcription, answer) {
    if (answer.success) transcription.subtitles = answer.results as { format: string; subtitles: string }[];
    else result["subtitles"] = answer;
  },
};
