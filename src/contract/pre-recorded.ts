// The body of POST /v2/pre-recorded and POST /v2/transcription, and its answer.
import type { Static } from "typebox";
import * as Type from "typebox";
import { MOST_AUDIO_SECONDS, MOST_LANGUAGES, MOST_TRACKS } from "./bounds.ts";
import {
  ALPHA,
  BETA,
  DEPRECATED,
  FillerWords,
  Metadata,
  Name,
  Numerals,
  ProfanityFilter,
  Prompt,
  Switch,
  Warnings,
  WebAddress,
} from "./fields.ts";
import { SpokenLanguage } from "./language-fields.ts";
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
  UsesAccountVocabulary,
  UsesVocabularyLists,
  Vocabulary,
  VocabularyConfig,
} from "./processing.ts";
import { Tags } from "./tags.ts";

export const AudioRange = Type.Object(
  {
    start: Type.Optional(Type.Number({ minimum: 0, maximum: MOST_AUDIO_SECONDS, description: "0 by default" })),
    end: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: MOST_AUDIO_SECONDS,
        description: "The end of the recording by default",
      }),
    ),
  },
  {
    title: "AudioRange",
    description:
      "Extension: only this part of the recording is transcribed, in seconds from its start. Times in the result count from the start of the recording",
  },
);
export type AudioRange = Static<typeof AudioRange>;

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
    audio_range: Type.Optional(AudioRange),
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
    custom_vocabulary_config: Type.Optional(
      Type.Object(VocabularyConfig.properties, { title: "VocabularyConfig", ...BETA }),
    ),
    account_vocabulary: UsesAccountVocabulary(),
    vocabulary_lists: UsesVocabularyLists(),
    subtitles: Switch(),
    subtitles_config: Type.Optional(SubtitlesConfig),
    diarization: Switch(),
    diarization_config: Type.Optional(DiarizationConfig),
    translation: Switch(BETA),
    translation_config: Type.Optional(
      Type.Object(TranslationConfig.properties, { title: "TranslationConfig", ...BETA }),
    ),
    summarization: Switch(BETA),
    summarization_config: Type.Optional(
      Type.Object(SummarizationConfig.properties, { title: "SummarizationConfig", ...BETA }),
    ),
    moderation: Switch(ALPHA),
    named_entity_recognition: Switch(ALPHA),
    chapterization: Switch(ALPHA),
    name_consistency: Switch(ALPHA),
    custom_spelling: Switch(ALPHA),
    custom_spelling_config: Type.Optional(
      Type.Object(SpellingConfig.properties, { title: "SpellingConfig", ...ALPHA }),
    ),
    structured_data_extraction: Switch(ALPHA),
    structured_data_extraction_config: Type.Optional(
      Type.Object(ExtractionConfig.properties, { title: "ExtractionConfig", ...ALPHA }),
    ),
    sentiment_analysis: Switch(),
    audio_to_llm: Switch(ALPHA),
    audio_to_llm_config: Type.Optional(Type.Object(PromptsConfig.properties, { title: "PromptsConfig", ...ALPHA })),
    action_items: Switch({
      description: "Extension: tasks that the recording states, with the person and the due date",
    }),
    questions: Switch({ description: "Extension: questions in the recording, with their answers" }),
    pii_redaction: Switch(),
    pii_redaction_config: Type.Optional(RedactionConfig),
    custom_metadata: Type.Optional(Metadata()),
    tags: Type.Optional(Tags("Extension: tags of the job, by which lists are filtered. PATCH of the job changes them")),
    sentences: Switch(),
    display_mode: Switch(ALPHA),
    punctuation_enhanced: Switch(ALPHA),
    numerals: Numerals(),
    filler_words: FillerWords(),
    profanity_filter: ProfanityFilter(),
  },
  { title: "PreRecordedRequest" },
);
export type PreRecordedBody = Static<typeof PreRecordedBody>;

export const CreatedJob = Type.Object(
  { id: Type.String({ format: "uuid" }), result_url: Type.String({ format: "uri" }), warnings: Warnings() },
  { title: "CreatedJob" },
);
export type CreatedJob = Static<typeof CreatedJob>;

type LanguageFields = Pick<
  PreRecordedBody,
  "language_config" | "language" | "enable_code_switching" | "code_switching_config"
>;

/** The given language_config; without one, the equivalent of the deprecated fields. */
export function effectiveLanguages(body: LanguageFields): Static<typeof LanguageConfig> {
  if (body.language_config) return body.language_config;
  if (body.language) return { languages: [body.language], code_switching: false };
  if (body.enable_code_switching) {
    return { languages: body.code_switching_config?.languages ?? [], code_switching: true };
  }
  return { languages: [], code_switching: false };
}
