// Jobs as clients read them: one record, its progress, its result, and pages of records.
import type { Static } from "typebox";
import * as Type from "typebox";
import { MOST_CHOICES, MOST_FILTER_CHARACTERS, MOST_JOBS_OF_PAGE, MOST_SEARCH_CHARACTERS } from "./bounds.ts";
import { DateTimes, Enum, Name, Nullable, QuerySwitch } from "./fields.ts";
import { JobName, OverviewBody } from "./job-overview.ts";
import { ProgressBody } from "./job-progress.ts";
import { MessageDetailsBody } from "./message-details-body.ts";
import { JobTags, Tags } from "./tags.ts";

export const JOB_STATUSES = ["queued", "processing", "done", "error"] as const;
export const JOB_KINDS = ["pre-recorded", "live"] as const;

export type JobStatus = (typeof JOB_STATUSES)[number];
export type JobKind = (typeof JOB_KINDS)[number];

const Probability = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

export const WordBody = Type.Object(
  {
    word: Type.String(),
    start: Type.Number(),
    end: Type.Number(),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    speaker: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: "Extension, in live messages with diarization: the speaker of the word",
      }),
    ),
    is_filler: Type.Optional(
      Type.Literal(true, { description: "Extension, with filler_words: mark: a word such as um or uh" }),
    ),
  },
  { title: "Word" },
);
/** Words include their punctuation and, except for the first of an utterance, a leading space. Times in seconds. */
export type Word = Static<typeof WordBody>;

export const UtteranceBody = Type.Object(
  {
    text: Type.String(),
    language: Type.String(),
    start: Type.Number(),
    end: Type.Number(),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    channel: Type.Integer({ minimum: 0 }),
    speaker: Type.Optional(Type.Integer({ minimum: 0 })),
    speaker_name: Type.Optional(Type.String({ description: "Extension: from the library of voices" })),
    speaker_confidence: Type.Optional(Probability("Extension: probability that the name is right")),
    words: Type.Array(WordBody),
  },
  { title: "Utterance" },
);
export type Utterance = Static<typeof UtteranceBody>;

const AddonErrorBody = Type.Object({
  status_code: Type.Integer(),
  exception: Type.String(),
  message: Type.String(),
});
export type AddonError = Static<typeof AddonErrorBody>;

export const AddonBody = Type.Object(
  {
    success: Type.Boolean(),
    is_empty: Type.Boolean(),
    exec_time: Type.Number(),
    error: Nullable(AddonErrorBody),
    results: Type.Unknown(),
    method: Type.Optional(
      Enum(["extractive", "abstractive"], {
        description:
          "Extension, of a summary or chapters: sentences of the transcript, or text that a language model wrote",
      }),
    ),
  },
  { title: "AddonResult" },
);
/** Result envelope of every add-on; `error` is null exactly if it succeeded. */
export type AddonResult<Results> = Omit<Static<typeof AddonBody>, "results"> & { results: Results };

export const ResultMetadataBody = Type.Object(
  {
    audio_duration: Type.Number(),
    number_of_distinct_channels: Type.Integer(),
    channel_sources: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0 }), {
        description:
          "Extension, if some of several channels share a source: for each channel of the file, the channel that was transcribed for it",
      }),
    ),
    billing_time: Type.Number(),
    transcription_time: Type.Number(),
    audio_range: Type.Optional(
      Type.Object(
        { start: Type.Number(), end: Type.Number() },
        { description: "Extension, if the request has audio_range: the part that was transcribed, in seconds" },
      ),
    ),
    audio_track: Type.Optional(
      Type.Integer({ minimum: 0, description: "Extension: the audio track that was transcribed, counted from 0" }),
    ),
    number_of_audio_tracks: Type.Optional(
      Type.Integer({ minimum: 1, description: "Extension: how many audio tracks the file has" }),
    ),
    diarization: Type.Optional(
      Type.Object(
        { method: Enum(["networks", "encoder", "channels"]), model: Type.Optional(Type.String()) },
        {
          description:
            "Extension: how speakers were found: by a speaker model, the recogniser's encoder, or the channels",
        },
      ),
    ),
    added_at: Type.Optional(
      DateTimes(
        "Extension: for each add-on that was requested later, the time of the text from which it was made; a later correction is not in it",
      ),
    ),
    language_confidence: Type.Optional(
      Probability("Extension: of the language, if one was detected for the whole recording"),
    ),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description: "Extension: what of the request had no effect, and what of the recording could not be used",
      }),
    ),
    warning_details: Type.Optional(
      Type.Array(MessageDetailsBody, {
        description:
          "Extension: code and parameters of each of `warnings`, in the same order, to show them in another language; results of earlier versions have none",
      }),
    ),
  },
  { title: "ResultMetadata" },
);
export type ResultMetadata = Static<typeof ResultMetadataBody>;

const SpeakerTurnBody = Type.Object({
  speaker: Type.Integer({ minimum: 0 }),
  start: Type.Number(),
  end: Type.Number(),
  channel: Type.Integer({ minimum: 0 }),
});
/** A speaker talks, with the number of the utterances. Turns of different speakers may overlap. */
export type SpeakerTurn = Static<typeof SpeakerTurnBody>;

export const SpeakerIdentityBody = Type.Object({
  speaker: Type.Integer({ minimum: 0 }),
  name: Nullable(Type.String()),
  confidence: Nullable(Probability("That the name is right; 1 if a user stated it")),
  voice_id: Nullable(Type.String({ description: "In the library of voices" })),
});
/** A speaker with the name that the library of voices gives; null for an unknown voice. */
export type SpeakerIdentity = Static<typeof SpeakerIdentityBody>;

export const TranscriptionBody = Type.Object(
  {
    full_transcript: Type.String(),
    languages: Type.Array(Type.String()),
    utterances: Type.Array(UtteranceBody),
    speaker_turns: Type.Optional(
      Type.Array(SpeakerTurnBody, {
        description: "Extension: who talks when, by a speaker model; turns overlap where several people talk at once",
      }),
    ),
    speakers: Type.Optional(
      Type.Array(SpeakerIdentityBody, {
        description: "Extension: who the speakers are, with identify_speakers; null for unknown voices",
      }),
    ),
    sentences: Type.Optional(Type.Array(AddonBody)),
    subtitles: Type.Optional(Type.Array(Type.Object({ format: Enum(["srt", "vtt"]), subtitles: Type.String() }))),
  },
  { title: "Transcription" },
);
export type Transcription = Static<typeof TranscriptionBody>;

const resultParts = { metadata: ResultMetadataBody, transcription: TranscriptionBody };

/** The result of a finished job; requested add-ons appear under their own names. */
export type TranscriptionResult = Static<ReturnType<typeof Type.Object<typeof resultParts>>> & {
  [addon: string]: unknown;
};

/** The result of a live session in its last message. */
export const LiveResultBody = Type.Unsafe<TranscriptionResult>(
  Type.Object(resultParts, { additionalProperties: AddonBody }),
);

const ResultBody = Type.Unsafe<TranscriptionResult & { messages?: string[] }>(
  Type.Object(
    {
      ...resultParts,
      messages: Type.Optional(Type.Array(Type.String(), { description: "Of a live session: every message, as JSON" })),
    },
    { title: "Result", additionalProperties: AddonBody },
  ),
);

const JobCommon = {
  id: Type.String({ format: "uuid" }),
  name: JobName("Extension: the name that the job was given; null for none"),
  tags: JobTags(),
  request_id: Type.String(),
  version: Type.Integer(),
  status: Enum(JOB_STATUSES, { title: "JobStatus" }),
  created_at: Type.String({ format: "date-time" }),
  completed_at: Nullable(Type.String({ format: "date-time" })),
  custom_metadata: Nullable(Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true })),
  error_code: Nullable(Type.Integer({ minimum: 400, maximum: 599 })),
  error_message: Nullable(Type.String()),
  error_details: Type.Optional(MessageDetailsBody),
  post_session_metadata: Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true }),
  kind: Enum(JOB_KINDS, { title: "JobKind" }),
  file: Nullable(
    Type.Object(
      {
        id: Type.String(),
        filename: Nullable(Type.String()),
        source: Nullable(Type.String()),
        audio_duration: Nullable(Type.Number()),
        number_of_channels: Nullable(Type.Integer({ minimum: 1 })),
      },
      { title: "JobFile" },
    ),
  ),
};

const RequestParams = Nullable(Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true }));

export const JobListItem = Type.Object(
  {
    ...JobCommon,
    overview: Nullable(OverviewBody),
    request_params: Type.Optional(RequestParams),
    passage: Type.Optional(Type.String({ description: "Of a search: where the transcript says it" })),
  },
  { title: "JobListItem" },
);
export type JobListItem = Static<typeof JobListItem>;

export const JobBody = Type.Object(
  {
    ...JobCommon,
    request_params: RequestParams,
    progress: Type.Optional(Nullable(ProgressBody)),
    result: Nullable(ResultBody),
  },
  { title: "Job" },
);
export type JobBody = Static<typeof JobBody>;

export const JobPage = Type.Object(
  {
    first: Type.String({ format: "uri" }),
    current: Type.String({ format: "uri" }),
    next: Nullable(Type.String({ format: "uri" })),
    items: Type.Array(JobListItem),
  },
  { title: "JobPage" },
);
export type JobPage = Static<typeof JobPage>;

export const JobIdParams = Type.Object({ id: Name() });
export type JobIdParams = Static<typeof JobIdParams>;

export const JobQuery = Type.Object({
  result: QuerySwitch({ default: "true", description: "false: without the result, to poll the status" }),
});

/** Jobs of a page whose query has no limit. */
export const JOBS_OF_PAGE = 20;

/** Describes the query. api/records/list-query.ts parses it, because clients encode lists and metadata in several ways. */
export const JobListQuery = Type.Object({
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, default: JOBS_OF_PAGE, description: `At most ${MOST_JOBS_OF_PAGE}` }),
  ),
  date: Type.Optional(Name({ description: "A UTC day, YYYY-MM-DD" })),
  before_date: Type.Optional(Name({ description: "Created before this time" })),
  after_date: Type.Optional(Name({ description: "Created after this time" })),
  status: Type.Optional(
    Type.Array(Enum(JOB_STATUSES), { maxItems: MOST_CHOICES, description: "Repeated, status[]= or comma-separated" }),
  ),
  kind: Type.Optional(Type.Array(Enum(JOB_KINDS), { maxItems: MOST_CHOICES })),
  tag: Type.Optional(
    Tags("An extension of the interface. Jobs with this tag, in any case; sent several times: jobs with all of them"),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: MOST_SEARCH_CHARACTERS,
      description:
        'An extension of the interface. Words of the transcript, as corrected, of the names of the job, its file and its speakers, and of its tags; "phrases", or, -not. Each job found has a passage.',
    }),
  ),
  custom_metadata: Type.Optional(
    Type.String({
      maxLength: MOST_FILTER_CHARACTERS,
      description: "custom_metadata[key]=value, or one JSON object; jobs that contain all of it",
    }),
  ),
});

export const JobRemovalQuery = Type.Object({
  cancel: QuerySwitch({ description: "Stop the job first if it has not ended" }),
});
