// Requests of AssemblyAI's interface for recordings. Wire names of that interface.
// https://www.assemblyai.com/docs/api-reference/transcripts/submit
import type { Static } from "typebox";
import * as Type from "typebox";
import {
  MOST_AUDIO_SECONDS,
  MOST_CHOICES,
  MOST_FORMS,
  MOST_LANGUAGES,
  MOST_SPEAKERS,
  MOST_VARIANTS,
  MOST_VOCABULARY_ENTRIES,
} from "./bounds.ts";
import { Enum, Metadata, Name, Phrase, Prompt, Switch, WebAddress } from "./fields.ts";
import { SpokenLanguage, TargetLanguage } from "./language-fields.ts";

const MOST_MODELS = 10;
const MOST_HEADER_CHARACTERS = 1_000;

const Terms = () => Type.Optional(Type.Array(Phrase({ minLength: 1 }), { maxItems: MOST_VOCABULARY_ENTRIES }));
const Share = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1, description }));
const Milliseconds = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_AUDIO_SECONDS * 1000, description }));
const Speakers = () => Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_SPEAKERS }));
const REFUSED = "Not available: refused unless it is false";
const NO_EFFECT = "No effect, with a warning";

/** A field whose value the service does not use. */
const Unused = (description: string) =>
  Type.Optional(
    Type.Union([Type.Boolean(), Type.Number(), Name(), Type.Array(Name(), { maxItems: MOST_CHOICES }), Metadata()], {
      description,
    }),
  );
const Unavailable = () => Unused(REFUSED);
const Ignored = () => Unused(NO_EFFECT);

const LanguageOptions = Type.Object(
  {
    expected_languages: Type.Optional(Type.Array(SpokenLanguage(), { maxItems: MOST_LANGUAGES })),
    code_switching: Switch(),
    fallback_language: Ignored(),
    code_switching_confidence_threshold: Ignored(),
    on_low_language_confidence: Ignored(),
    swiss_german: Ignored(),
    language_detection_model: Ignored(),
    localization: Ignored(),
  },
  { title: "TranscriptLanguageOptions" },
);

const SpeakerOptions = Type.Object(
  {
    min_speakers_expected: Speakers(),
    max_speakers_expected: Speakers(),
    use_two_stage_clustering: Ignored(),
    short_file_diarization_method: Ignored(),
    long_file_diarization_method: Ignored(),
  },
  { title: "TranscriptSpeakerOptions" },
);

const Understanding = Type.Object(
  {
    request: Type.Optional(
      Type.Object({
        translation: Type.Optional(
          Type.Object({
            target_languages: Type.Array(TargetLanguage(), { minItems: 1, maxItems: MOST_LANGUAGES }),
            formal: Type.Optional(Type.Boolean({ description: "No effect: translations are formal" })),
            match_original_utterance: Switch(),
          }),
        ),
        speaker_identification: Unavailable(),
        custom_formatting: Unavailable(),
        summarization: Unavailable(),
      }),
    ),
  },
  { title: "TranscriptUnderstanding" },
);

export const TranscriptRequest = Type.Object(
  {
    audio_url: WebAddress({ description: "The upload_url of an upload, or the address of any audio or video file" }),
    speech_model: Type.Optional(Name({ description: "AssemblyAI's names mean the default model" })),
    speech_models: Type.Optional(
      Type.Array(Name(), { maxItems: MOST_MODELS, description: "The first one that is installed or known is used" }),
    ),
    language_code: Type.Optional(SpokenLanguage({ description: "en_us without language_detection" })),
    language_codes: Type.Optional(Type.Array(SpokenLanguage(), { maxItems: MOST_LANGUAGES })),
    language_detection: Switch(),
    language_detection_options: Type.Optional(LanguageOptions),
    language_confidence_threshold: Share(NO_EFFECT),
    punctuate: Type.Optional(Type.Boolean({ "x-absent": true })),
    format_text: Type.Optional(Type.Boolean({ "x-absent": true, description: "Capitals, and numbers in digits" })),
    audio_start_from: Milliseconds("Start of the part that is transcribed, in milliseconds"),
    audio_end_at: Milliseconds(
      "End of the part that is transcribed, in milliseconds; 0 means the end of the recording",
    ),
    multichannel: Switch(),
    dual_channel: Switch({ description: "The former name of multichannel" }),
    speaker_labels: Switch(),
    speakers_expected: Speakers(),
    speaker_options: Type.Optional(SpeakerOptions),
    keyterms_prompt: Terms(),
    word_boost: Terms(),
    custom_spelling: Type.Optional(
      Type.Array(
        Type.Object({
          from: Type.Union([Phrase(), Type.Array(Phrase(), { minItems: 1, maxItems: MOST_VARIANTS })]),
          to: Phrase(),
        }),
        { maxItems: MOST_VOCABULARY_ENTRIES, "x-most-forms": MOST_FORMS },
      ),
    ),
    redact_pii: Switch(),
    redact_pii_policies: Type.Optional(Type.Array(Name(), { maxItems: MOST_CHOICES })),
    redact_pii_sub: Type.Optional(Enum(["hash", "entity_name"], { description: "hash by default" })),
    sentiment_analysis: Switch(),
    entity_detection: Switch(),
    auto_chapters: Switch(),
    summarization: Switch(),
    summary_type: Type.Optional(
      Enum(["bullets", "bullets_verbose", "gist", "headline", "paragraph"], { description: "bullets by default" }),
    ),
    speech_understanding: Type.Optional(Understanding),
    webhook_url: Type.Optional(WebAddress()),
    webhook_auth_header_name: Type.Optional(
      Type.String({ maxLength: MOST_HEADER_CHARACTERS, pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" }),
    ),
    webhook_auth_header_value: Type.Optional(
      Type.String({ maxLength: MOST_HEADER_CHARACTERS, pattern: "^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$" }),
    ),
    prompt: Type.Optional(Prompt({ description: NO_EFFECT })),
    boost_param: Ignored(),
    disfluencies: Type.Optional(
      Type.Boolean({
        description: "false removes words such as um; without it, they are written as the model writes them",
      }),
    ),
    domain: Ignored(),
    keyterms_prompt_options: Ignored(),
    remove_audio_tags: Ignored(),
    summary_model: Ignored(),
    temperature: Ignored(),
    content_safety_confidence: Ignored(),
    redact_pii_audio_quality: Ignored(),
    redact_pii_audio_options: Ignored(),
    topics: Ignored(),
    speech_threshold: Share("Not available: refused unless it is 0"),
    auto_highlights: Unavailable(),
    content_safety: Unavailable(),
    custom_topics: Unavailable(),
    filter_profanity: Switch({
      description: "Masks profane English words: each keeps its first letter, and the others become asterisks (`s***`)",
    }),
    iab_categories: Unavailable(),
    redact_pii_audio: Unavailable(),
    redact_pii_return_unredacted: Unavailable(),
  },
  { title: "TranscriptRequest" },
);
export type TranscriptRequest = Static<typeof TranscriptRequest>;

/**
 * Stored with a job of this interface, in addition to its parameters.
 * @property form       how texts are printed; `translates`: each utterance with its translations
 * @property shown      fields of the request that its record repeats
 * @property webhook    of the request's webhook; its value is sealed if the operator has a key
 */
export const TranscriptJob = Type.Object({
  form: Type.Object({
    ...{ punctuates: Type.Boolean(), formats: Type.Boolean(), multichannel: Type.Boolean() },
    translates: Type.Optional(Type.Boolean()),
  }),
  shown: Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true }),
  webhook: Type.Optional(Type.Object({ name: Type.String(), value: Type.String() })),
});
export type TranscriptJob = Static<typeof TranscriptJob>;
