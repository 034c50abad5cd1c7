// Tools of the Model Context Protocol, with which assistants use a service. https://modelcontextprotocol.io/specification
import type { Static } from "typebox";
import * as Type from "typebox";
import { ErrorBody } from "./errors.ts";
import { Metadata } from "./fields.ts";
import { FetchModel } from "./questions.ts";
import { FORMATS } from "./transcript-formats.ts";

/** Formats that are text: an assistant reads them. */
export const TEXT_FORMATS = FORMATS.filter((format) => format !== "docx");

const MOST_WAIT_SECONDS = 3_600;
const MOST_LISTED = 50;
const MOST_TERMS = 100;
const MOST_LANGUAGES = 20;

const JobId = Type.String({ format: "uuid", description: "The id of the transcript" });
const WaitSeconds = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: MOST_WAIT_SECONDS,
    description:
      "Longest time to wait for the end of the transcription. Default: 45, or 3600 if the client requests progress notifications. The transcription continues after it",
  }),
);
const LanguageCodes = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 2, maxLength: 10 }), { maxItems: MOST_LANGUAGES, description }));

const closed = { additionalProperties: false };

const transcribeOptions = {
  languages: LanguageCodes(
    'Codes of the languages that are spoken, such as "en"; without it, the language is detected',
  ),
  speakers: Type.Optional(Type.Boolean({ description: "true: the transcript names who spoke" })),
  vocabulary: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: MOST_TERMS,
      description: "Names and terms that occur, in their spelling",
    }),
  ),
  translate_to: LanguageCodes("Codes of languages into which the transcript is also translated"),
  wait_seconds: WaitSeconds,
};

/** @param description  what the address of the recording may be */
const transcribeInput = (description: string) =>
  Type.Object({ source: Type.String({ minLength: 1, maxLength: 4_096, description }), ...transcribeOptions }, closed);
const ADDRESS = "address of an audio or video file that begins with http:// or https://";
/** For servers that cannot read files of the caller's machine. */
export const TranscribeAddressInput = transcribeInput(`The ${ADDRESS}`);
export const TranscribeFileInput = transcribeInput(
  `The path of an audio or video file on this machine, or the ${ADDRESS}`,
);
export type TranscribeInput = Static<typeof TranscribeFileInput>;

export const ReadInput = Type.Object(
  {
    id: JobId,
    format: Type.Optional(
      Type.Unsafe<(typeof TEXT_FORMATS)[number]>({
        enum: TEXT_FORMATS,
        description: "Default: md, with times and speakers",
      }),
    ),
    offset: Type.Optional(Type.Integer({ minimum: 0, description: "Character at which to begin; default: 0" })),
    wait_seconds: WaitSeconds,
  },
  closed,
);
export type ReadInput = Static<typeof ReadInput>;

export const SearchInput = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'Words that the transcript contains; "a phrase" in quotation marks, or, -excluded',
    }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_LISTED, description: "Default: 10" })),
  },
  closed,
);
export type SearchInput = Static<typeof SearchInput>;

export const ListInput = Type.Object(
  { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_LISTED, description: "Default: 10" })) },
  closed,
);
export type ListInput = Static<typeof ListInput>;

const MOST_CAPTION_WAIT_SECONDS = 45;

export const ReadCaptionsInput = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "The id of the live session, as list_transcripts shows it" }),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: "Number of the last caption that an earlier call returned; default: 0, from the beginning",
      }),
    ),
    wait_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST_CAPTION_WAIT_SECONDS,
        description: "Longest time to wait for a caption; default: 10",
      }),
    ),
  },
  closed,
);
export type ReadCaptionsInput = Static<typeof ReadCaptionsInput>;

export const AskInput = Type.Object(
  { id: JobId, question: Type.String({ minLength: 1, maxLength: 2_000, pattern: "\\S" }), fetch_model: FetchModel() },
  closed,
);
export type AskInput = Static<typeof AskInput>;

/** More than the longest arguments of a tool take. */
const MOST_MESSAGE_CHARACTERS = 100_000;

/** The library of the protocol validates it. */
export const McpRequest = Metadata({
  title: "McpRequest",
  description: "A message of JSON-RPC",
  "x-metadata-limit": MOST_MESSAGE_CHARACTERS,
});

/** Error of the service, or of the library of the protocol. */
export const McpProblem = Type.Union([
  ErrorBody,
  Type.Object({
    jsonrpc: Type.Literal("2.0"),
    id: Type.Union([Type.String(), Type.Number(), Type.Null()]),
    error: Type.Object({ code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
  }),
]);

export const McpAnswer = Type.Object(
  {},
  { additionalProperties: true, title: "McpAnswer", description: "A message of JSON-RPC" },
);
