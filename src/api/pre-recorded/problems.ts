// Rules of the body of POST /v2/pre-recorded that its schema cannot express.
import { effectiveLanguages, type PreRecordedBody } from "../../contract/pre-recorded.ts";
import { redactionProblems, typesForModel } from "../../service/intelligence/redaction-types.ts";
import { schemaProblem } from "../../speech/language-model/schema-check.ts";
import { speakerCountProblems } from "../speaker-counts.ts";

/** Switches that mean nothing without data from their config. */
const CONFIGS_WITH_DATA = [
  ["translation", "translation_config", "target_languages"],
  ["custom_vocabulary", "custom_vocabulary_config", "vocabulary"],
  ["custom_spelling", "custom_spelling_config", "spelling_dictionary"],
  ["audio_to_llm", "audio_to_llm_config", "prompts"],
  ["callback", "callback_config", "url"],
] as const;

function extractionProblems(body: PreRecordedBody): string[] {
  const name = "structured_data_extraction_config";
  const { classes, json_schema } = body[name] ?? {};
  if (json_schema !== undefined) {
    const problem = schemaProblem(json_schema);
    if (problem !== undefined) return [`${name}.json_schema cannot be used: ${problem}`];
  }
  const isEmpty = classes === undefined && json_schema === undefined;
  return body.structured_data_extraction === true && isEmpty
    ? [`${name}.classes or ${name}.json_schema is required when structured_data_extraction is true`]
    : [];
}

/** A warning where no rule finds what is to be redacted. */
export function uncertainRedaction(body: PreRecordedBody): string[] {
  if (body.pii_redaction !== true) return [];
  const types = typesForModel(body.pii_redaction_config?.entity_types, effectiveLanguages(body).languages);
  return types.length === 0
    ? []
    : [`pii_redaction finds ${types.join(", ")} by a language model, which can miss some; check the result`];
}

/**
 * Rules between fields.
 * @param hasLanguageModel  whether add-ons have a language model, or may fetch one
 * @returns a sentence for each one broken
 */
export function crossFieldProblems(body: PreRecordedBody, hasLanguageModel: boolean): string[] {
  const problems: string[] = [];
  for (const [name, config, field] of CONFIGS_WITH_DATA) {
    if (body[name] === true && !body[config] && !(name === "callback" && body.callback_url)) {
      problems.push(`${config}.${field} is required when ${name} is true`);
    }
  }
  problems.push(...extractionProblems(body));
  const { start = 0, end } = body.audio_range ?? {};
  if (end !== undefined && start >= end) problems.push("audio_range.start must be less than audio_range.end");
  const { minimum_duration, maximum_duration } = body.subtitles_config ?? {};
  if (minimum_duration !== undefined && maximum_duration !== undefined && minimum_duration > maximum_duration) {
    problems.push("subtitles_config.minimum_duration must not be greater than subtitles_config.maximum_duration");
  }
  if (body.pii_redaction === true) {
    const { languages } = effectiveLanguages(body);
    problems.push(...redactionProblems(body.pii_redaction_config?.entity_types, languages, hasLanguageModel));
  }
  return [...problems, ...speakerCountProblems(body)];
}
