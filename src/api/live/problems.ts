// Rules of the body of POST /v2/live that its schema cannot express.
import { type LiveBody, MOST_OPUS_CHANNELS, turnSilenceProblems } from "../../contract/live.ts";
import { speakerCountProblems } from "../speaker-counts.ts";

const CONFIGS_WITH_DATA = [
  ["custom_vocabulary", "custom_vocabulary_config", "vocabulary"],
  ["custom_spelling", "custom_spelling_config", "spelling_dictionary"],
  ["translation", "translation_config", "target_languages"],
] as const;

/** Rules between fields. @returns a sentence for each one broken */
export function liveProblems(body: LiveBody): string[] {
  const problems: string[] = [];
  for (const [name, config, field] of CONFIGS_WITH_DATA) {
    if (body.realtime_processing?.[name] && !body.realtime_processing[config]) {
      problems.push(`realtime_processing.${config}.${field} is required when realtime_processing.${name} is true`);
    }
  }
  if (body.callback && !body.callback_config?.url) {
    problems.push("callback_config.url is required when callback is true");
  }
  if (body.encoding === "opus" && (body.channels ?? 1) > MOST_OPUS_CHANNELS) {
    problems.push(
      `channels must be at most ${MOST_OPUS_CHANNELS} with encoding: opus; ogg/opus and webm/opus carry up to 8`,
    );
  }
  return [...problems, ...turnSilenceProblems(body.turn_detection), ...speakerCountProblems(body)];
}
