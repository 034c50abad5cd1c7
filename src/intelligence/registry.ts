// Every processing switch of the interface has exactly one add-on. Those that are not built yet answer so: a switch
// is never ignored.
import { type Addon, AddonUnavailable } from "./addon.ts";
import { sentencesAddon } from "./sentences.ts";
import { subtitlesAddon } from "./subtitles.ts";

const BUILT: readonly Addon[] = [sentencesAddon, subtitlesAddon];

const PLANNED = [
  "diarization",
  "translation",
  "summarization",
  "moderation",
  "named_entity_recognition",
  "chapterization",
  "name_consistency",
  "custom_vocabulary",
  "custom_spelling",
  "structured_data_extraction",
  "sentiment_analysis",
  "audio_to_llm",
  "display_mode",
  "punctuation_enhanced",
] as const;

function planned(name: string): Addon {
  return {
    name,
    run: async () => {
      throw new AddonUnavailable(`${name} is not available yet in this version; the transcript is complete without it`);
    },
  };
}

const ADDONS: readonly Addon[] = [...BUILT, ...PLANNED.map(planned)];

/** The add-ons that a request switches on, in a fixed order. */
export function requestedAddons(params: Record<string, unknown>): Addon[] {
  return ADDONS.filter(({ name }) => params[name] === true || Array.isArray(params[name]));
}
