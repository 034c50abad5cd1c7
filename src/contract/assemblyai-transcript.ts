// Answers of AssemblyAI's interface for recordings, and the queries of its parts and lists. Wire names of that interface; times are milliseconds.
// https://www.assemblyai.com/docs/api-reference/transcripts/get
import type { Static } from "typebox";
import * as Type from "typebox";
import { Enum, Name, Nullable, QuerySwitch, Warnings } from "./fields.ts";

export const TRANSCRIPT_STATUSES = ["queued", "processing", "completed", "error"] as const;
export type TranscriptStatus = (typeof TRANSCRIPT_STATUSES)[number];

const spoken = {
  text: Type.String(),
  start: Type.Integer({ description: "Milliseconds" }),
  end: Type.Integer(),
  confidence: Type.Number(),
  speaker: Type.Optional(Nullable(Type.String({ description: "A, B, …; with multichannel 1A, or the channel" }))),
  channel: Type.Optional(Nullable(Type.String({ description: "From 1, with multichannel" }))),
};
const WordBody = Type.Object(spoken, { title: "TranscriptWord" });
export type TranscriptWord = Static<typeof WordBody>;
const TranslatedTexts = (options = {}) =>
  Type.Optional(
    Type.Unsafe<Record<string, string>>({ type: "object", additionalProperties: { type: "string" }, ...options }),
  );
const StretchBody = Type.Object(
  {
    ...spoken,
    words: Type.Array(WordBody),
    translated_texts: TranslatedTexts({ description: "Of an utterance, with match_original_utterance" }),
  },
  { title: "TranscriptStretch" },
);
export type TranscriptStretch = Static<typeof StretchBody>;
const SentimentBody = Type.Object(
  { ...spoken, sentiment: Enum(["POSITIVE", "NEUTRAL", "NEGATIVE"]) },
  { title: "TranscriptSentiment" },
);
export type TranscriptSentiment = Static<typeof SentimentBody>;

export const TranscriptBody = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    status: Enum(TRANSCRIPT_STATUSES),
    audio_url: Type.String(),
    error: Type.Optional(Type.String({ description: "Why there is no transcript" })),
    text: Nullable(Type.String()),
    words: Nullable(Type.Array(WordBody)),
    utterances: Nullable(Type.Array(StretchBody, { description: "With speaker_labels or multichannel" })),
    confidence: Nullable(Type.Number()),
    audio_duration: Nullable(Type.Integer({ description: "Seconds" })),
    audio_channels: Type.Optional(Nullable(Type.Integer())),
    language_code: Type.Optional(Nullable(Type.String())),
    language_confidence: Type.Optional(Nullable(Type.Number())),
    speech_model_used: Type.Optional(Nullable(Type.String())),
    summary: Type.Optional(Nullable(Type.String())),
    chapters: Type.Optional(
      Nullable(
        Type.Array(
          Type.Object({
            gist: Type.String(),
            headline: Type.String(),
            summary: Type.String(),
            start: Type.Integer(),
            end: Type.Integer(),
          }),
        ),
      ),
    ),
    sentiment_analysis_results: Type.Optional(Nullable(Type.Array(SentimentBody))),
    entities: Type.Optional(
      Nullable(
        Type.Array(
          Type.Object({
            entity_type: Type.String(),
            text: Type.String(),
            start: Type.Integer(),
            end: Type.Integer(),
          }),
        ),
      ),
    ),
    translated_texts: TranslatedTexts(),
    metadata: Type.Optional(
      Type.Object({ warnings: Type.Array(Type.Object({ message: Type.String() })) }, { description: "Only if any" }),
    ),
  },
  { title: "Transcript", additionalProperties: true, description: "With the fields of the request" },
);
export type TranscriptBody = Static<typeof TranscriptBody>;

const ofPart = {
  id: Type.String({ format: "uuid" }),
  confidence: Type.Number(),
  audio_duration: Type.Number({ description: "Seconds" }),
};
export const SentencesBody = Type.Object(
  { ...ofPart, sentences: Type.Array(StretchBody) },
  { title: "TranscriptSentences" },
);
export type SentencesBody = Static<typeof SentencesBody>;
export const ParagraphsBody = Type.Object(
  { ...ofPart, paragraphs: Type.Array(StretchBody) },
  { title: "TranscriptParagraphs" },
);
export type ParagraphsBody = Static<typeof ParagraphsBody>;

export const WordSearchBody = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    total_count: Type.Integer(),
    matches: Type.Array(
      Type.Object({
        text: Type.String(),
        count: Type.Integer(),
        timestamps: Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 })),
        indexes: Type.Array(Type.Integer(), { description: "Numbers of words, from 0" }),
      }),
    ),
    warnings: Warnings(),
  },
  { title: "TranscriptSearch" },
);
export type WordSearchBody = Static<typeof WordSearchBody>;

const MOST_SEARCH_CHARACTERS = 2_000;
export const WordSearchQuery = Type.Object({
  words: Type.String({ minLength: 1, maxLength: MOST_SEARCH_CHARACTERS, description: "Separated by commas" }),
});

const [LEAST_CAPTION, MOST_CAPTION] = [10, 1_000];
export const CaptionQuery = Type.Object({
  chars_per_caption: Type.Optional(
    Type.Integer({ minimum: LEAST_CAPTION, maximum: MOST_CAPTION, description: "The most characters of a caption" }),
  ),
});

export const TranscriptListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 10 })),
  status: Type.Optional(Enum(TRANSCRIPT_STATUSES)),
  created_on: Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", maxLength: 10, description: "UTC day" })),
  before_id: Type.Optional(Name({ description: "Older transcripts than this one" })),
  after_id: Type.Optional(Name({ description: "Newer transcripts than this one" })),
  throttled_only: QuerySwitch({ description: "true finds nothing: no transcript is throttled" }),
});

export const TranscriptListBody = Type.Object(
  {
    page_details: Type.Object({
      limit: Type.Integer(),
      result_count: Type.Integer(),
      current_url: Type.String(),
      prev_url: Nullable(Type.String({ description: "Older transcripts" })),
      next_url: Nullable(Type.String({ description: "Newer transcripts" })),
    }),
    transcripts: Type.Array(
      Type.Object({
        id: Type.String({ format: "uuid" }),
        resource_url: Type.String(),
        status: Enum(TRANSCRIPT_STATUSES),
        created: Type.String({ format: "date-time" }),
        completed: Nullable(Type.String({ format: "date-time" })),
        audio_url: Type.String(),
        error: Nullable(Type.String()),
      }),
    ),
  },
  { title: "TranscriptList" },
);
export type TranscriptListBody = Static<typeof TranscriptListBody>;
