// Every processing switch of the interface has exactly one add-on. Those that are not built yet answer so: a switch
// is never ignored.
import { type Addon, AddonUnavailable } from "./addon.ts";
import { chaptersAddon } from "./chapters.ts";
import { entitiesAddon } from "./entities.ts";
import { extractionAddon } from "./extraction.ts";
import { moderationAddon } from "./moderation.ts";
import { promptsAddon } from "./prompts.ts";
import { redactionAddon } from "./redaction.ts";
import { sentencesAddon } from "./sentences.ts";
import { sentimentAddon } from "./sentiment.ts";
import { spellingAddon } from "./spelling.ts";
import { subtitlesAddon } from "./subtitles.ts";
import { summaryAddon } from "./summary.ts";
import { translationAddon } from "./translation.ts";
import { vocabularyAddon } from "./vocabulary.ts";
import { displayAddon, namesAddon, punctuationAddon } from "./wording.ts";

function planned(name: string): Addon {
  return {
    name,
    run: async () => {
      throw new AddonUnavailable(`${name} is not available yet in this version; the transcript is complete without it`);
    },
  };
}

/** Those that change the transcript are run in this order. */
const ADDONS: readonly Addon[] = [
  vocabularyAddon,
  punctuationAddon,
  namesAddon,
  spellingAddon,
  redactionAddon,
  sentencesAddon,
  subtitlesAddon,
  displayAddon,
  entitiesAddon,
  sentimentAddon,
  moderationAddon,
  summaryAddon,
  chaptersAddon,
  translationAddon,
  promptsAddon,
  extractionAddon,
  ...["diarization"].map(planned),
];

export function findAddon(name: string): Addon | undefined {
  return ADDONS.find((addon) => addon.name === name);
}

/** The add-ons that a request switches on, in a fixed order. */
export function requestedAddons(params: Record<string, unknown>): Addon[] {
  return ADDONS.filter(({ name }) => params[name] === true || Array.isArray(params[name]));
}
