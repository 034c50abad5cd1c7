// Subtitle files of a transcript.
import { type CaptionSource, layoutCaptions } from "./layout.ts";
import type { LayoutOptions } from "./layout-options.ts";
import { writeSrt, writeVtt } from "./write.ts";

export type SubtitleFormat = "srt" | "vtt";

/** @param limits  of the request; others have their standard values */
export function subtitleFile(
  format: SubtitleFormat,
  source: CaptionSource,
  limits: Partial<LayoutOptions> = {},
): string {
  if (format === "srt") return writeSrt(layoutCaptions(source, limits, "in-text"));
  return writeVtt(layoutCaptions(source, limits, "beside"), source.names);
}
