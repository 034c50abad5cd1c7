// The body of POST /v2/pre-recorded and POST /v2/transcription: validation, types and OpenAPI come from here.
import { type Static, Type } from "@sinclair/typebox";
import { MOST_TRACKS } from "../../audio/decode/message.ts";
import { redactionProblems } from "../../intelligence/redaction-types.ts";
import { schemaProblem } from "../../language-model/json-schema.ts";
import { MOST_LANGUAGES } from "../schemas/bounds.ts";
import {
  ALPHA,
  BETA,
  DEPRECATED,
  Metadata,
  Name,
  Numerals,
  Prompt,
  Switch,
  Warnings,
  WebAddress,
} from "../schemas/fields.ts";
import { SpokenLanguage } from "../schemas/languages.ts";
import {
  CallbackConfig,
  DiarizationConfig,
  ExtractionConfig,
  LanguageConfig,
  PromptsConfig,
  RedactionConfig,
  SpellingConfig,
  SubtitlesConfig,
  SummarizationConfig,
  TranslationConfig,
  Vocabulary,
  VocabularyConfig,
} from "../schemas/processing.ts";

export const PreRecordedBody = Type.Object(
  {
    audio_url: WebAddress({ description: "Address of an uploaded file or of any audio or video file" }),
    model: Type.Optional(Name({ description: "Id or alias of an installed model" })),
    audio_track: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST_TRACKS,
        description:
          "Extension: number of the audio track, from 0. Without it: the track flagged as default, else the first one with sound",
      }),
    ),
    language_config: Type.Optional(LanguageConfig),
    context_prompt: Type.Optional(Prompt(DEPRECATED)),
    detect_language: Type.Optional(Type.Boolean({ default: true, ...DEPRECATED })),
    enable_code_switching: Switch(DEPRECATED),
    code_switching_config: Type.Optional(
      Type.Object({ languages: Type.Optional(Type.Array(SpokenLanguage(), { maxItems: MOST_LANGUAGES })) }, DEPRECATED),
    ),
    language: Type.Optional(SpokenLanguage(DEPRECATED)),
    callback_url: Type.Optional(WebAddress(DEPRECATED)),
    callback: Switch(),
    callback_config: Type.Optional(CallbackConfig),
    custom_vocabulary: Type.Optional(Type.Union([Type.Boolean(), Vocabulary()], { default: false, ...BETA })),
    custom_vocabulary_config: Type.Optional(Type.Composite([VocabularyConfig], { title: "VocabularyConfig", ...BETA })),
    subtitles: Switch(),
    subtitles_config: Type.Optional(SubtitlesConfig),
    diarization: Switch(),
    diarization_config: Type.Optional(DiarizationConfig),
    translation: Switch(BETA),
    translation_config: Type.Optional(Type.Composite([TranslationConfig], { title: "TranslationConfig", ...BETA })),
    summarization: Switch(BETA),
    summarization_config: Type.Optional(
      Type.Composite([SummarizationConfig], { title: "SummarizationConfig", ...BETA }),
    ),
    moderation: Switch(ALPHA),
    named_entity_recognition: Switch(ALPHA),
    chapterization: Switch(ALPHA),
    name_consistency: Switch(ALPHA),
    custom_spelling: Switch(ALPHA),
    custom_spelling_config: Type.Optional(Type.Composite([SpellingConfig], { title: "SpellingConfig", ...ALPHA })),
    structured_data_extraction: Switch(ALPHA),
    structured_data_extraction_config: Type.Optional(
      Type.Composite([ExtractionConfig], { title: "ExtractionConfig", ...ALPHA }),
    ),
    sentiment_analysis: Switch(),
    audio_to_llm: Switch(ALPHA),
    audio_to_llm_config: Type.Optional(Type.Composite([PromptsConfig], { title: "PromptsConfig", ...ALPHA })),
    pii_redaction: Switch(),
    pii_redaction_config: Type.Optional(RedactionConfig),
    custom_metadata: Type.Optional(Metadata()),
    sentences: Switch(),
    display_mode: Switch(ALPHA),
    punctuation_enhanced: Switch(ALPHA),
    numerals: Numerals(),
  },
  { title: "PreRecordedRequest" },
);
export type PreRecordedBody = Static<typeof PreRecordedBody>;

export const CreatedJob = Type.Object(
  { id: Type.String({ format: "uuid" }), result_url: Type.String({ format: "uri" }), warnings: Warnings() },
  { title: "CreatedJob" },
);

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

/** Rules between fields. @returns a sentence for each one broken */
export function crossFieldProblems(body: PreRecordedBody): string[] {
  const problems: string[] = [];
  for (const [name, config, field] of CONFIGS_WITH_DATA) {
    if (body[name] === true && !body[config] && !(name === "callback" && body.callback_url)) {
      problems.push(`${config}.${field} is required when ${name} is true`);
    }
  }
  problems.push(...extractionProblems(body));
  const { minimum_duration, maximum_duration } = body.subtitles_config ?? {};
  if (minimum_duration !== undefined && maximum_duration !== undefined && minimum_duration > maximum_duration) {
    problems.push("subtitles_config.minimum_duration must not be greater than subtitles_config.maximum_duration");
  }
  if (body.pii_redaction === true) {
    const { languages } = effectiveLanguages(body);
    problems.push(...redactionProblems(body.pii_redaction_config?.entity_types, languages));
  }
  const { min_speakers, max_speakers } = body.diarization_config ?? {};
  if (min_speakers !== undefined && max_speakers !== undefined && max_speakers > 0 && min_speakers > max_speakers) {
    problems.push("diarization_config.min_speakers must not be greater than diarization_config.max_speakers");
  }
  return problems;
}

/** language_config as it holds: the given one, or what the deprecated fields amount to. */
export function effectiveLanguages(body: PreRecordedBody): Static<typeof LanguageConfig> {
  if (body.language_config) return body.language_config;
  if (body.language) return { languages: [body.language], code_switching: false };
  if (body.enable_code_switching) {
    return { languages: body.code_switching_config?.languages ?? [], code_switching: true };
  }
  return { languages: [], code_switching: false };
}
