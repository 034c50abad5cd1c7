// The add-ons: exactly one for every processing switch of the interface.
import type { AddonParameters } from "../../contract/job-parameters.ts";
import type { Addon } from "./addon.ts";
import { chaptersAddon } from "./chapters.ts";
import { diarizationAddon } from "./diarization.ts";
import { entitiesAddon } from "./entities.ts";
import { extractionAddon } from "./extraction.ts";
import { fillerWordsAddon } from "./filler-words.ts";
import { moderationAddon } from "./moderation.ts";
import { profanityFilterAddon } from "./profanity-filter.ts";
import { promptsAddon } from "./prompts.ts";
import { redactionAddon } from "./redaction.ts";
import { sentencesAddon } from "./sentences.ts";
import { sentimentAddon } from "./sentiment.ts";
import { spellingAddon } from "./spelling.ts";
import { actionItemsAddon, questionsAddon } from "./spoken-items.ts";
import { subtitlesAddon } from "./subtitles.ts";
import { summaryAddon } from "./summary.ts";
import { translationAddon } from "./translation.ts";
import { vocabularyAddon } from "./vocabulary.ts";
import { displayAddon, namesAddon, punctuationAddon } from "./wording.ts";

/** Add-ons that change the transcript run in this order. */
const ADDONS: readonly Addon[] = [
  diarizationAddon,
  vocabularyAddon,
  punctuationAddon,
  namesAddon,
  spellingAddon,
  fillerWordsAddon,
  redactionAddon,
  sentencesAddon,
  subtitlesAddon,
  displayAddon,
  profanityFilterAddon,
  entitiesAddon,
  sentimentAddon,
  moderationAddon,
  summaryAddon,
  chaptersAddon,
  translationAddon,
  promptsAddon,
  extractionAddon,
  actionItemsAddon,
  questionsAddon,
];

export function findAddon(name: string): Addon | undefined {
  return ADDONS.find((addon) => addon.name === name);
}

/** The add-ons that a finished transcript gets later: those that leave its words as they are, and the speakers. */
export const laterAddonsOf = (params: AddonParameters): Addon[] =>
  requestedAddons(params).filter((addon) => addon === diarizationAddon || !addon.changesTranscript);

/** The add-ons that a request switches on, in a fixed order. */
export function requestedAddons(params: AddonParameters): Addon[] {
  const isOn = (value: unknown) => value === true || Array.isArray(value);
  const names = Object.entries(params).flatMap(([name, value]) => (isOn(value) ? [name] : []));
  if (params.filler_words !== undefined) names.push(fillerWordsAddon.name);
  if ((params.account_words ?? []).length > 0) names.push(vocabularyAddon.name);
  return ADDONS.filter(({ name }) => names.includes(name));
}
