// The form and the answers of OpenAI's audio routes for the OpenAPI document. fields.ts judges the form, openai-answer.ts writes the answer.
import { Type } from "@sinclair/typebox";
import { MOST_TRACKS } from "../../contract/bounds.ts";
import { Enum, Name, Phrase, Prompt } from "../../contract/fields.ts";
import { RESPONSE_FORMATS } from "../../transcripts/openai-answer.ts";
import { FilePart } from "../description/forms.ts";

export const AudioRequest = Type.Object(
  {
    file: FilePart({ description: "The recording" }),
    model: Name({ description: "whisper-1, another name of OpenAI's, or the id of an installed model" }),
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
    numerals: Type.Optional(Type.Boolean({ default: true, description: "Extension: false leaves numbers in words" })),
  },
  { title: "AudioRequest" },
);

const Word = Type.Object(
  { word: Type.String(), start: Type.Number(), end: Type.Number() },
  { title: "OpenAiWord", additionalProperties: true },
);
const Segment = Type.Object(
  { start: Type.Number(), end: Type.Number(), text: Type.String(), speaker: Type.Optional(Type.String()) },
  { title: "OpenAiSegment", additionalProperties: true },
);

export const AudioAnswer = Type.Object(
  {
    text: Type.String(),
    task: Type.Optional(Type.String()),
    language: Type.Optional(Type.String()),
    duration: Type.Optional(Type.Number({ description: "Seconds" })),
    words: Type.Optional(Type.Array(Word)),
    segments: Type.Optional(Type.Array(Segment)),
  },
  { title: "AudioTranscription", additionalProperties: true },
);
