// Requests and answers of whisper-asr-webservice, which subtitle tools use. Wire names of that interface.
// https://ahmetoner.com/whisper-asr-webservice/endpoints
import type { Static } from "typebox";
import * as Type from "typebox";
import { Enum, FilePart, Name, Prompt, StrictParameter } from "./fields.ts";
import { whisperSegmentFields } from "./openai.ts";
import { TextBody } from "./responses.ts";

export const ASR_OUTPUTS = ["txt", "vtt", "srt", "tsv", "json"] as const;
export type AsrOutput = (typeof ASR_OUTPUTS)[number];

/** true, 1, on, yes, t, y or their opposites, in any case: as FastAPI reads them. api/whisper-asr/query.ts parses them. */
const Flag = (description: string) => Type.Optional(Type.String({ maxLength: 10, description }));
const Count = (description: string) => Type.Optional(Type.String({ maxLength: 10, description }));
const Encode = Flag("true: any audio or video file. false: raw 16-bit little-endian mono samples at 16 kHz");

export const AsrQuery = Type.Object({
  encode: Encode,
  task: Type.Optional(Name({ description: "transcribe or translate, which answers in English" })),
  language: Type.Optional(
    Name({ description: "A code, a tag of BCP 47 or an English name; without it, it is detected" }),
  ),
  initial_prompt: Type.Optional(Prompt({ description: "Names and terms in it become the vocabulary" })),
  hotwords: Type.Optional(Prompt({ description: "Extension of other servers: names and terms with commas" })),
  model: Type.Optional(
    Name({ description: "Extension of other servers: id of an installed model; others mean the default one" }),
  ),
  vad_filter: Flag("Speech is always found by voice activity; false has no effect"),
  word_timestamps: Flag("Of output json"),
  diarize: Flag("Adds the speakers"),
  enable_diarization: Flag("Another name of diarize"),
  min_speakers: Count("With diarize"),
  max_speakers: Count("With diarize"),
  output: Type.Optional(Name({ description: "txt, vtt, srt, tsv or json" })),
  ...StrictParameter,
});
export type AsrQuery = Static<typeof AsrQuery>;

export const DetectQuery = Type.Object({ encode: Encode, ...StrictParameter });
export type DetectQuery = Static<typeof DetectQuery>;

export const AsrForm = Type.Object({ audio_file: FilePart({ description: "The recording" }) }, { title: "AsrForm" });

/** `content` of the response: text/plain for every output. */
export const ASR_CONTENT = { "text/plain": { schema: TextBody } };

const AsrWord = Type.Object({
  word: Type.String(),
  start: Type.Number(),
  end: Type.Number(),
  probability: Type.Number(),
  speaker: Type.Optional(Type.String()),
});
const AsrSegment = Type.Object({
  ...whisperSegmentFields,
  words: Type.Optional(Type.Array(AsrWord)),
  speaker: Type.Optional(Type.String()),
});
/** The text of output json. */
export const AsrJson = Type.Object({
  text: Type.String(),
  segments: Type.Array(AsrSegment),
  language: Type.String(),
});
export type AsrJson = Static<typeof AsrJson>;

export const DetectedLanguage = Type.Object(
  {
    detected_language: Type.String({ description: "English name in lower case" }),
    language_code: Type.String(),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
  },
  { title: "DetectedLanguage" },
);
export type DetectedLanguage = Static<typeof DetectedLanguage>;

const ErrorBody = Type.Object(
  {
    detail: Type.Union([
      Type.String(),
      Type.Array(Type.Object({ type: Enum(["value_error"]), loc: Type.Array(Type.String()), msg: Type.String() })),
    ]),
  },
  { title: "AsrError" },
);
export type AsrError = Static<typeof ErrorBody>;

/** Response entries for the error statuses of a route of this interface. */
export function asrErrors(...statuses: number[]) {
  return Object.fromEntries(
    [...statuses, 403, 429, 500].map((status) => [status, { ...ErrorBody, description: "Error" }]),
  );
}
