// The configuration objects of processing switches, as pre-recorded and live bodies share them.
import { Type } from "@sinclair/typebox";
import { Enum, WebAddress } from "./fields.ts";
import { LANGUAGES, TARGET_LANGUAGES } from "./languages.ts";

const Intensity = (options = {}) => Type.Optional(Type.Number({ minimum: 0, maximum: 1, ...options }));

export const VocabularyItem = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Object({
    value: Type.String({ minLength: 1 }),
    intensity: Intensity(),
    pronunciations: Type.Optional(Type.Array(Type.String())),
    language: Type.Optional(Enum(LANGUAGES)),
  }),
]);

export const VocabularyConfig = Type.Object({
  vocabulary: Type.Array(VocabularyItem, { minItems: 1 }),
  default_intensity: Intensity({ default: 0.5 }),
});

export const SpellingConfig = Type.Object({
  spelling_dictionary: Type.Record(Type.String(), Type.Array(Type.String())),
});

export const TranslationConfig = Type.Object({
  target_languages: Type.Array(Enum(TARGET_LANGUAGES), { minItems: 1 }),
  model: Type.Optional(Enum(["base", "enhanced", "batch"], { default: "base" })),
  match_original_utterances: Type.Optional(Type.Boolean({ default: true })),
  lipsync: Type.Optional(Type.Boolean({ default: true })),
  context_adaptation: Type.Optional(Type.Boolean({ default: true })),
  context: Type.Optional(Type.String()),
  informal: Type.Optional(Type.Boolean({ default: false })),
});

export const SummarizationConfig = Type.Object({
  type: Type.Optional(Enum(["general", "bullet_points", "concise"], { default: "general" })),
});

export const LanguageConfig = Type.Object({
  languages: Type.Optional(Type.Array(Enum(LANGUAGES), { default: [] })),
  code_switching: Type.Optional(Type.Boolean({ default: false })),
});

export const SubtitlesConfig = Type.Object({
  formats: Type.Optional(Type.Array(Enum(["srt", "vtt"]), { minItems: 1, default: ["srt"] })),
  minimum_duration: Type.Optional(Type.Number({ minimum: 0 })),
  maximum_duration: Type.Optional(Type.Number({ minimum: 1, maximum: 30 })),
  maximum_characters_per_row: Type.Optional(Type.Integer({ minimum: 1 })),
  maximum_rows_per_caption: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  style: Type.Optional(Enum(["default", "compliance"], { default: "default" })),
});

export const DiarizationConfig = Type.Object({
  number_of_speakers: Type.Optional(Type.Integer({ minimum: 1 })),
  min_speakers: Type.Optional(Type.Integer({ minimum: 0 })),
  max_speakers: Type.Optional(Type.Integer({ minimum: 0 })),
});

export const ExtractionConfig = Type.Object({
  classes: Type.Array(
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
    { minItems: 1 },
  ),
});

export const PromptsConfig = Type.Object({
  prompts: Type.Array(Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String())]), { minItems: 1 }),
  model: Type.Optional(Type.String()),
});

export const RedactionConfig = Type.Object({
  entity_types: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  processed_text_type: Type.Optional(Enum(["MARKER", "MASK"], { default: "MARKER" })),
});

export const CallbackConfig = Type.Object({
  url: WebAddress(),
  method: Type.Optional(Enum(["POST", "PUT"], { default: "POST" })),
});
