import type { Utterance } from "../jobs/transcript.ts";
import { COMPLIANCE, type LayoutOptions, layoutCaptions } from "../subtitles/layout.ts";
import { writeSrt, writeVtt } from "../subtitles/write.ts";
import type { Addon } from "./addon.ts";

interface SubtitlesConfig {
  formats?: string[];
  minimum_duration?: number;
  maximum_duration?: number;
  maximum_characters_per_row?: number;
  maximum_rows_per_caption?: number;
  style?: string;
}

function layoutOptions(config: SubtitlesConfig): LayoutOptions {
  const given: LayoutOptions = {
    ...(config.minimum_duration === undefined ? {} : { minimumDuration: config.minimum_duration }),
    ...(config.maximum_duration === undefined ? {} : { maximumDuration: config.maximum_duration }),
    ...(config.maximum_characters_per_row === undefined
      ? {}
      : { maximumCharactersPerRow: config.maximum_characters_per_row }),
    ...(config.maximum_rows_per_caption === undefined
      ? {}
      : { maximumRowsPerCaption: config.maximum_rows_per_caption }),
  };
  return config.style === "compliance" ? { ...COMPLIANCE, ...given } : given;
}

/** Captions of utterances in every format that a request asks for. */
export function subtitlesOf(
  utterances: Utterance[],
  params: Record<string, unknown>,
): { format: string; subtitles: string }[] {
  const config = (params["subtitles_config"] ?? {}) as SubtitlesConfig;
  const captions = layoutCaptions(utterances, layoutOptions(config));
  return (config.formats ?? ["srt"]).map((format) => ({
    format,
    subtitles: format === "vtt" ? writeVtt(captions) : writeSrt(captions),
  }));
}

export const subtitlesAddon: Addon = {
  name: "subtitles",
  run: async ({ transcription, params }) => subtitlesOf(transcription.utterances, params),
  place(result, transcription, answer) {
    if (answer.success) transcription.subtitles = answer.results as { format: string; subtitles: string }[];
    else result["subtitles"] = answer;
  },
};
