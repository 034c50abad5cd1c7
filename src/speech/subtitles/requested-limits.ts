import type { Static } from "typebox";
import type { SubtitlesConfig as ConfigBody } from "../../contract/processing.ts";
import type { LayoutOptions } from "./layout-options.ts";

export type SubtitlesConfig = Static<typeof ConfigBody>;

/** The limits that a request sets; the layout's standard limits apply to the others, in both styles. */
export function requestedLimits(config: SubtitlesConfig): Partial<LayoutOptions> {
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
