// The configuration objects of processing switches, as pre-recorded and live bodies share them.
import type { TArrayOptions } from "typebox";
import * as Type from "typebox";
import {
  MOST_CAPTION_ROWS,
  MOST_CHOICES,
  MOST_FORMS,
  MOST_LANGUAGES,
  MOST_LISTS_OF_REQUEST,
  MOST_PROMPTS,
  MOST_ROW_CHARACTERS,
  MOST_SPEAKERS,
  MOST_SUBTITLE_FORMATS,
  MOST_SUBTITLE_SECONDS,
  MOST_VARIANTS,
  MOST_VOCABULARY_ENTRIES,
} from "./bounds.ts";
import { Enum, Metadata, Name, Phrase, Prompt, WebAddress } from "./fields.ts";
import { SpokenLanguage, TargetLanguage } from "./language-fields.ts";

const Intensity = (options = {}) => Type.Optional(Type.Number({ minimum: 0, maximum: 1, ...options }));

/** A word of a vocabulary with what belongs to it. */
export const VocabularyEntry = Type.Object({
  value: Phrase({ minLength: 1 }),
  intensity: Intensity(),
  pronunciations: Type.Optional(Type.Array(Phrase(), { maxItems: MOST_VARIANTS })),
  language: Type.Optional(SpokenLanguage()),
});

const VocabularyItem = Type.Union([Phrase({ minLength: 1 }), VocabularyEntry]);

export const Vocabulary = (options: TArrayOptions = {}) =>
  Type.Array(VocabularyItem, { maxItems: MOST_VOCABULARY_ENTRIES, "x-most-forms": MOST_FORMS, ...options });

export const VocabularyConfig = Type.Object(
  {
    vocabulary: Vocabulary({ minItems: 1 }),
    default_intensity: Intensity({ default: 0.5 }),
  },
  { title: "VocabularyConfig" },
);

/** Absent: the setting of the account applies. */
export const UsesAccountVocabulary = () =>
  Type.Optional(
    Type.Boolean({
      "x-absent": true,
      description:
        "Extension: whether the words of the account's vocabulary are added; absent: if the account's vocabulary is on. The job lists them as account_words",
    }),
  );

export const UsesVocabularyLists = () =>
  Type.Optional(
    Type.Array(Name({ minLength: 1 }), {
      maxItems: MOST_LISTS_OF_REQUEST,
      description:
        "Extension: ids or names of vocabulary lists of the account, whose words are added. The job lists them as account_words",
    }),
  );

export const SpellingConfig = Type.Object(
  {
    spelling_dictionary: Type.Unsafe<Record<string, string[]>>({
      type: "object",
      additionalProperties: Type.Array(Phrase(), { maxItems: MOST_VARIANTS }),
      propertyNames: Phrase(),
      maxProperties: MOST_VOCABULARY_ENTRIES,
      "x-most-forms": MOST_FORMS,
    }),
  },
  { title: "SpellingConfig" },
);

export const TranslationConfig = Type.Object(
  {
    target_languages: Type.Array(TargetLanguage(), { minItems: 1, maxItems: MOST_LANGUAGES }),
    model: Type.Optional(Enum(["base", "enhanced", "batch"], { default: "base" })),
    match_original_utterances: Type.Optional(Type.Boolean({ default: true })),
    lipsync: Type.Optional(Type.Boolean({ default: true })),
    context_adaptation: Type.Optional(Type.Boolean({ default: true })),
    context: Type.Optional(Prompt()),
    informal: Type.Optional(Type.Boolean({ default: false })),
  },
  { title: "TranslationConfig" },
);

export const SummarizationConfig = Type.Object(
  {
    type: Type.Optional(Enum(["general", "bullet_points", "concise"], { default: "general" })),
  },
  { title: "SummarizationConfig" },
);

export const LanguageConfig = Type.Object(
  {
    languages: Type.Optional(Type.Array(SpokenLanguage(), { maxItems: MOST_LANGUAGES, default: [] })),
    code_switching: Type.Optional(Type.Boolean({ default: false })),
  },
  { title: "LanguageConfig" },
);

export const SubtitlesConfig = Type.Object(
  {
    formats: Type.Optional(
      Type.Array(Enum(["srt", "vtt"]), { minItems: 1, maxItems: MOST_SUBTITLE_FORMATS, default: ["srt"] }),
    ),
    minimum_duration: Type.Optional(Type.Number({ minimum: 0, maximum: MOST_SUBTITLE_SECONDS })),
    maximum_duration: Type.Optional(Type.Number({ minimum: 1, maximum: 30 })),
    maximum_characters_per_row: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_ROW_CHARACTERS })),
    maximum_rows_per_caption: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_CAPTION_ROWS })),
    style: Type.Optional(Enum(["default", "compliance"], { default: "default" })),
  },
  { title: "SubtitlesConfig" },
);

export const DiarizationConfig = Type.Object(
  {
    number_of_speakers: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_SPEAKERS })),
    min_speakers: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_SPEAKERS })),
    max_speakers: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_SPEAKERS })),
    identify_speakers: Type.Optional(
      Type.Boolean({ description: "Extension: names the speakers whose voices the account's library has" }),
    ),
  },
  { title: "DiarizationConfig" },
);

/** A schema of a language model's answer, once serialised. */
const MOST_SCHEMA_CHARACTERS = 20_000;

export const ExtractionConfig = Type.Object(
  {
    classes: Type.Optional(
      Type.Array(
        Enum([
          "Addresses",
          "Appointments",
          "DateTimeEntities",
          "Documents",
          "Events",
          "Facilities",
          "FlightBookings",
          "GeopoliticalEntities",
          "HealthRecords",
          "HotelBookings",
          "Locations",
          "Moneys",
          "NonGeopoliticalEntities",
          "Organizations",
          "PaymentCardIndustry",
          "Persons",
          "Products",
          "Quantities",
          "Questions",
          "Speakers",
          "TradingActions",
          "Vehicles",
        ]),
        { minItems: 1, maxItems: MOST_CHOICES },
      ),
    ),
    json_schema: Type.Optional(
      Metadata({
        "x-metadata-limit": MOST_SCHEMA_CHARACTERS,
        description: "Extension: a JSON schema; the result's `data` satisfies it.",
      }),
    ),
  },
  { title: "ExtractionConfig" },
);

export const PromptsConfig = Type.Object(
  {
    prompts: Type.Array(Type.Union([Prompt({ minLength: 1 }), Type.Array(Prompt(), { maxItems: MOST_PROMPTS })]), {
      minItems: 1,
      maxItems: MOST_PROMPTS,
    }),
    model: Type.Optional(Name()),
  },
  { title: "PromptsConfig" },
);

export const RedactionConfig = Type.Object(
  {
    entity_types: Type.Optional(Type.Union([Name(), Type.Array(Name(), { maxItems: MOST_CHOICES })])),
    processed_text_type: Type.Optional(Enum(["MARKER", "MASK"], { default: "MARKER" })),
  },
  { title: "RedactionConfig" },
);

export const CallbackConfig = Type.Object(
  {
    url: WebAddress(),
    method: Type.Optional(Enum(["POST", "PUT"], { default: "POST" })),
  },
  { title: "CallbackConfig" },
);
