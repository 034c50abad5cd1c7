// Requests and answers of Deepgram's interface for recordings. Wire names of that interface.
// https://developers.deepgram.com/reference/speech-to-text/listen-pre-recorded
import type { Static } from "typebox";
import * as Type from "typebox";
import { MOST_ADDRESS_CHARACTERS } from "./bounds.ts";
import { FilePart, StrictParameter, WebAddress } from "./fields.ts";

const Text = () => Type.String({ maxLength: MOST_ADDRESS_CHARACTERS });
/** A query has no more parameters. */
const MOST_VALUES = 200;
/** A parameter that may be repeated. api/deepgram/query.ts parses all of them, because each is text. */
const Parameter = (description: string) =>
  Type.Optional(Type.Union([Text(), Type.Array(Text(), { maxItems: MOST_VALUES })], { description }));

const REFUSED = "Not available; refused unless it is false";

export const ListenQuery = Type.Object({
  model: Parameter("Names of Deepgram mean the default model; the id of an installed model selects it"),
  language: Parameter("A code or tag; multi for several languages; en by default"),
  detect_language: Parameter("true, or languages that may be spoken"),
  language_hint: Parameter("With language=multi or detect_language=true: the languages that may be spoken"),
  punctuate: Parameter("Punctuation and capitals"),
  smart_format: Parameter("Punctuation, numbers in digits, paragraphs"),
  numerals: Parameter("Numbers in digits"),
  paragraphs: Parameter("Adds paragraphs, with punctuation"),
  utterances: Parameter("Adds utterances"),
  utt_split: Parameter("Pause that ends an utterance, seconds; 0.8 by default"),
  diarize: Parameter("Speakers"),
  diarize_model: Parameter("Any value means diarize"),
  multichannel: Parameter("One result for each channel"),
  keyterm: Parameter("Vocabulary"),
  keywords: Parameter("Vocabulary; weights have no effect"),
  replace: Parameter("find:replacement"),
  search: Parameter("Words or phrases whose places are listed"),
  redact: Parameter("pci, numbers, ssn, pii, phi, or an entity type"),
  summarize: Parameter("v2 or true"),
  encoding: Parameter("Of raw samples: linear16, linear32, mulaw, alaw"),
  sample_rate: Parameter("Of raw samples, Hz"),
  channels: Parameter("Of raw samples; 1 by default"),
  extra: Parameter("key:value, returned in the metadata"),
  tag: Parameter("Returned in the metadata"),
  filler_words: Parameter(
    "false removes filler words such as um. With true or without the parameter, the text keeps those that the model writes",
  ),
  measurements: Parameter("No effect"),
  dictation: Parameter("No effect"),
  alternatives: Parameter("Only 1"),
  tier: Parameter("No effect: part of the names of models"),
  version: Parameter("Only latest"),
  mip_opt_out: Parameter("No effect: recordings are never used for training"),
  callback: Parameter(REFUSED),
  callback_method: Parameter(REFUSED),
  profanity_filter: Parameter(
    "Masks profane English words: each keeps its first letter, and the others become asterisks (`s***`)",
  ),
  sentiment: Parameter(REFUSED),
  topics: Parameter(REFUSED),
  custom_topic: Parameter(REFUSED),
  custom_topic_mode: Parameter(REFUSED),
  intents: Parameter(REFUSED),
  custom_intent: Parameter(REFUSED),
  custom_intent_mode: Parameter(REFUSED),
  detect_entities: Parameter(REFUSED),
  ...StrictParameter,
});
export type ListenQuery = Static<typeof ListenQuery>;

export const ListenAddress = Type.Object(
  { url: WebAddress({ description: "Address of any audio or video file" }) },
  { title: "ListenAddress" },
);
export const ListenAudio = FilePart({ description: "The recording" });

const WordBody = Type.Object(
  {
    word: Type.String({ description: "In lower case, without punctuation" }),
    start: Type.Number(),
    end: Type.Number(),
    confidence: Type.Number(),
    language: Type.Optional(Type.String({ description: "With language=multi" })),
    punctuated_word: Type.Optional(Type.String()),
    speaker: Type.Optional(Type.Integer()),
  },
  { title: "ListenWord" },
);
export type ListenWord = Static<typeof WordBody>;

const SentenceBody = Type.Object({ text: Type.String(), start: Type.Number(), end: Type.Number() });
const ParagraphBody = Type.Object({
  sentences: Type.Array(SentenceBody),
  num_words: Type.Integer(),
  start: Type.Number(),
  end: Type.Number(),
  speaker: Type.Optional(Type.Integer()),
});
const ParagraphsBody = Type.Object({ transcript: Type.String(), paragraphs: Type.Array(ParagraphBody) });
export type ListenParagraphs = Static<typeof ParagraphsBody>;

const HitBody = Type.Object({
  confidence: Type.Number(),
  start: Type.Number(),
  end: Type.Number(),
  snippet: Type.String(),
});
const SearchBody = Type.Object({ query: Type.String(), hits: Type.Array(HitBody) });
export type ListenSearch = Static<typeof SearchBody>;

const ChannelBody = Type.Object(
  {
    search: Type.Optional(Type.Array(SearchBody)),
    alternatives: Type.Array(
      Type.Object({
        transcript: Type.String(),
        confidence: Type.Number(),
        words: Type.Array(WordBody),
        paragraphs: Type.Optional(ParagraphsBody),
        languages: Type.Optional(Type.Array(Type.String(), { description: "With language=multi" })),
        languages_hinted: Type.Optional(
          Type.Array(Type.String(), { description: "With language=multi: the codes of language_hint" }),
        ),
      }),
    ),
    detected_language: Type.Optional(Type.String()),
    language_confidence: Type.Optional(Type.Number()),
  },
  { title: "ListenChannel" },
);
export type ListenChannel = Static<typeof ChannelBody>;

const ListenUtteranceBody = Type.Object(
  {
    start: Type.Number(),
    end: Type.Number(),
    confidence: Type.Number(),
    channel: Type.Integer(),
    transcript: Type.String(),
    languages: Type.Optional(Type.Array(Type.String(), { description: "With language=multi" })),
    words: Type.Array(WordBody),
    speaker: Type.Optional(Type.Integer()),
    id: Type.String({ format: "uuid" }),
  },
  { title: "ListenUtterance" },
);
export type ListenUtterance = Static<typeof ListenUtteranceBody>;

const Warning = Type.Object({ parameter: Type.String(), type: Type.String(), message: Type.String() });
export type ListenWarning = Static<typeof Warning>;

export const ListenAnswer = Type.Object(
  {
    metadata: Type.Object({
      transaction_key: Type.Literal("deprecated"),
      request_id: Type.String({ format: "uuid" }),
      sha256: Type.String({ description: "Of the received bytes" }),
      created: Type.String({ format: "date-time" }),
      duration: Type.Number({ description: "Seconds" }),
      channels: Type.Integer(),
      models: Type.Array(Type.String()),
      model_info: Type.Unsafe<Record<string, { name: string; version: string; arch: string }>>({
        type: "object",
        additionalProperties: true,
      }),
      warnings: Type.Optional(Type.Array(Warning)),
      extra: Type.Optional(
        Type.Unsafe<Record<string, string>>({ type: "object", additionalProperties: { type: "string" } }),
      ),
      tags: Type.Optional(Type.Array(Type.String())),
    }),
    results: Type.Object({
      channels: Type.Array(ChannelBody),
      utterances: Type.Optional(Type.Array(ListenUtteranceBody)),
      summary: Type.Optional(Type.Object({ result: Type.Literal("success"), short: Type.String() })),
    }),
  },
  { title: "ListenAnswer" },
);
export type ListenAnswer = Static<typeof ListenAnswer>;

export const DEFAULT_GRANT_SECONDS = 30;
const MOST_GRANT_SECONDS = 3_600;

export const GrantRequest = Type.Object(
  {
    ttl_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_GRANT_SECONDS,
        default: DEFAULT_GRANT_SECONDS,
        description: "How long the token opens sessions",
      }),
    ),
  },
  { title: "GrantRequest" },
);
export type GrantRequest = Static<typeof GrantRequest>;

export const GrantAnswer = Type.Object(
  {
    access_token: Type.String({ description: "For authorization: Bearer, or the subprotocols bearer, TOKEN" }),
    expires_in: Type.Integer({ description: "Seconds" }),
  },
  { title: "GrantAnswer" },
);

const ErrorBody = Type.Object(
  { err_code: Type.String(), err_msg: Type.String(), request_id: Type.String() },
  { title: "ListenError" },
);
export type ListenError = Static<typeof ErrorBody>;

/** Response entries for the error statuses of a route of this interface. */
export function listenErrors(...statuses: number[]) {
  return Object.fromEntries(
    [...statuses, 403, 429, 500].map((status) => [status, { ...ErrorBody, description: "Error" }]),
  );
}
