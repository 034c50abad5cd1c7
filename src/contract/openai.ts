// Requests and answers of OpenAI's audio interface. Wire names of that interface.
// https://platform.openai.com/docs/api-reference/audio
import type { Static } from "typebox";
import * as Type from "typebox";
import { MOST_TRACKS } from "./bounds.ts";
import { Enum, FilePart, Name, Nullable, Phrase, Prompt } from "./fields.ts";
import { EVENT_STREAM, TextBody } from "./responses.ts";

export const RESPONSE_FORMATS = ["json", "text", "srt", "verbose_json", "vtt", "diarized_json"] as const;
export type ResponseFormat = (typeof RESPONSE_FORMATS)[number];

/** Describes the form. api/openai/fields.ts parses it, because clients encode lists in several ways. */
export const AudioRequest = Type.Object(
  {
    file: FilePart({ description: "The recording" }),
    model: Type.Optional(
      Name({
        description:
          "whisper-1, another name of OpenAI's, or the id of an installed model; without it, the default model",
      }),
    ),
    language: Type.Optional(Name({ description: "A code, a tag of BCP 47 or an English name" })),
    prompt: Type.Optional(Prompt({ description: "Names and terms in it become the vocabulary" })),
    response_format: Type.Optional(Enum(RESPONSE_FORMATS, { default: "json" })),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: "Has no effect" })),
    stream: Type.Optional(Type.Boolean({ default: false })),
    "timestamp_granularities[]": Type.Optional(
      Type.Array(Enum(["word", "segment"]), { description: "Of response_format verbose_json" }),
    ),
    "include[]": Type.Optional(Type.Array(Enum(["logprobs"]))),
    "keywords[]": Type.Optional(Type.Array(Phrase(), { description: "Vocabulary" })),
    hotwords: Type.Optional(Prompt({ description: "Extension of other servers: keywords with commas" })),
    "known_speaker_names[]": Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), { maxItems: 4, description: "Of gpt-4o-transcribe-diarize" }),
    ),
    "known_speaker_references[]": Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 4,
        description:
          "A recording of each known speaker as a data URL, in the order of the names; nothing of it is kept",
      }),
    ),
    "languages[]": Type.Optional(Type.Array(Name(), { description: "Languages that may be spoken" })),
    chunking_strategy: Type.Optional(Name({ description: "auto or server_vad" })),
    audio_track: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MOST_TRACKS, description: "Extension: number of the audio track, from 0" }),
    ),
    numerals: Type.Optional(Type.Boolean({ default: true, description: "Extension: false writes numbers in words" })),
  },
  { title: "AudioRequest" },
);

const Word = Type.Object({ word: Type.String(), start: Type.Number(), end: Type.Number() }, { title: "OpenAiWord" });

/** Fields of a segment in Whisper's own output, which other interfaces repeat. */
export const whisperSegmentFields = {
  id: Type.Integer(),
  seek: Type.Integer(),
  start: Type.Number(),
  end: Type.Number(),
  text: Type.String(),
  tokens: Type.Array(Type.Integer()),
  temperature: Type.Number(),
  avg_logprob: Type.Number(),
  compression_ratio: Type.Number(),
  no_speech_prob: Type.Number(),
};
/** Segment in verbose_json. */
const Segment = Type.Object(whisperSegmentFields, {
  title: "OpenAiSegment",
  description: "What this service does not compute has a placeholder value",
});

/** Segment in diarized_json. */
const DiarizedSegment = Type.Object(
  {
    type: Type.Literal("transcript.text.segment"),
    id: Type.String(),
    start: Type.Number(),
    end: Type.Number(),
    text: Type.String(),
    speaker: Type.String(),
  },
  { title: "OpenAiDiarizedSegment" },
);
export type DiarizedSegment = Static<typeof DiarizedSegment>;

const Logprob = Type.Object(
  { token: Type.String(), bytes: Type.Array(Type.Integer()), logprob: Type.Number() },
  { title: "OpenAiLogprob" },
);
export type Logprob = Static<typeof Logprob>;

const AudioAnswer = Type.Object(
  {
    text: Type.String(),
    usage: Type.Object({ type: Type.Literal("duration"), seconds: Type.Integer() }),
    task: Type.Optional(Type.String()),
    language: Type.Optional(Type.String()),
    languages: Type.Optional(
      Type.Array(Type.Object({ code: Type.String() }), {
        description: "Of gpt-transcribe and gpt-live-transcribe: the languages of the transcript; none without speech",
      }),
    ),
    duration: Type.Optional(Type.Number({ description: "Seconds" })),
    words: Type.Optional(Type.Array(Word)),
    segments: Type.Optional(Type.Union([Type.Array(Segment), Type.Array(DiarizedSegment)])),
    logprobs: Type.Optional(Type.Array(Logprob)),
    warnings: Type.Optional(Type.Array(Type.String(), { description: "Extension: what may be wrong with the text" })),
  },
  { title: "AudioTranscription" },
);
export type AudioAnswer = Static<typeof AudioAnswer>;

/** `content` of the response: JSON, text and subtitles by response_format, or a stream. */
export const AUDIO_CONTENT = {
  "application/json": { schema: AudioAnswer },
  "text/plain": { schema: TextBody },
  "application/x-subrip": { schema: TextBody },
  "text/vtt": { schema: TextBody },
  ...EVENT_STREAM,
};

export const OpenAiModelBody = Type.Object(
  { id: Type.String(), object: Type.Literal("model"), created: Type.Integer(), owned_by: Type.String() },
  { title: "OpenAiModel" },
);
export const OpenAiModelsBody = Type.Object(
  { object: Type.Literal("list"), data: Type.Array(OpenAiModelBody) },
  { title: "OpenAiModels" },
);
const AudioModelBody = Type.Object(
  {
    ...OpenAiModelBody.properties,
    name: Type.String(),
    task: Type.Literal("automatic-speech-recognition"),
    language: Type.Optional(Type.Array(Type.String(), { description: "Of an installed model: codes" })),
  },
  { title: "AudioModel" },
);
export type AudioModel = Static<typeof AudioModelBody>;
/** Clients of other servers of this interface read either list. */
export const AudioModelsBody = Type.Object(
  { object: Type.Literal("list"), data: Type.Array(AudioModelBody), models: Type.Array(AudioModelBody) },
  { title: "AudioModels" },
);
export const OpenAiModelParams = Type.Object({ model: Name() });

const ErrorBody = Type.Object(
  {
    error: Type.Object({
      message: Type.String(),
      type: Type.String(),
      param: Nullable(Type.String()),
      code: Nullable(Type.String()),
    }),
  },
  { title: "OpenAiError" },
);
export type OpenAiError = Static<typeof ErrorBody>;

/** Response entries for the error statuses of a route of this interface. */
export function openAiErrors(...statuses: number[]) {
  return Object.fromEntries(
    [...new Set([...statuses, ...(statuses.includes(401) ? [403] : []), 429, 500])].map((status) => [
      status,
      { ...ErrorBody, description: "Error" },
    ]),
  );
}
