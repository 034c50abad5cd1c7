// The body of POST /v2/live, and its answer.
import type { Static } from "typebox";
import * as Type from "typebox";
import {
  Enum,
  FillerWords,
  Metadata,
  Name,
  Numerals,
  ProfanityFilter,
  SourceAddress,
  StrictParameter,
  Switch,
  Warnings,
  WebAddress,
} from "./fields.ts";
import {
  DiarizationConfig,
  LanguageConfig,
  SpellingConfig,
  SummarizationConfig,
  TranslationConfig,
  UsesAccountVocabulary,
  UsesVocabularyLists,
  VocabularyConfig,
} from "./processing.ts";
import { Tags } from "./tags.ts";

/** Encodings of raw samples, with or without a WAV header. */
const SAMPLE_ENCODINGS = ["wav/pcm", "wav/alaw", "wav/ulaw"] as const;
/** Encodings of compressed streams, which state their sampling rate. */
const STREAM_ENCODINGS = ["opus", "ogg/opus", "webm/opus", "aac", "mp3", "container"] as const;

/** Of raw Opus packets: their decoder has to know nothing else. */
export const MOST_OPUS_CHANNELS = 2;

type LiveEncoding = (typeof SAMPLE_ENCODINGS)[number] | (typeof STREAM_ENCODINGS)[number];

export const isSamples = (encoding: LiveEncoding): encoding is (typeof SAMPLE_ENCODINGS)[number] =>
  SAMPLE_ENCODINGS.some((name) => name === encoding);

/** Of sessions, Hz. */
export const SAMPLE_RATES: readonly number[] = [8_000, 16_000, 24_000, 32_000, 44_100, 48_000];

const REGIONS = ["us-west", "eu-west"];

const flag = (value: boolean) => Type.Optional(Type.Boolean({ default: value }));

const TurnEvents = () =>
  Type.Boolean({ default: false, description: "Extension: turn_probably_over, turn_resumed and turn_over" });

const MessagesConfig = Type.Object({
  receive_partial_transcripts: flag(false),
  receive_final_transcripts: flag(true),
  receive_speech_events: flag(true),
  receive_pre_processing_events: flag(true),
  receive_realtime_processing_events: flag(true),
  receive_post_processing_events: flag(true),
  receive_acknowledgments: flag(true),
  receive_errors: flag(true),
  receive_lifecycle_events: flag(false),
  receive_turn_events: Type.Optional(TurnEvents()),
});

/** Which messages a connection or a callback address receives. */
export type MessageFlags = Required<Static<typeof MessagesConfig>>;

const LiveCallbackConfig = Type.Object({
  url: Type.Optional(WebAddress()),
  receive_partial_transcripts: flag(false),
  receive_final_transcripts: flag(true),
  receive_speech_events: flag(false),
  receive_pre_processing_events: flag(true),
  receive_realtime_processing_events: flag(true),
  receive_post_processing_events: flag(true),
  receive_acknowledgments: flag(false),
  receive_errors: flag(false),
  receive_lifecycle_events: flag(true),
  receive_turn_events: Type.Optional(TurnEvents()),
});

const PreProcessing = Type.Object({
  audio_enhancer: Switch(),
  speech_threshold: Type.Optional(Type.Number({ minimum: 0, maximum: 1, default: 0.6 })),
});

const RealtimeProcessing = Type.Object({
  custom_vocabulary: Switch(),
  custom_vocabulary_config: Type.Optional(VocabularyConfig),
  account_vocabulary: UsesAccountVocabulary(),
  vocabulary_lists: UsesVocabularyLists(),
  custom_spelling: Switch(),
  custom_spelling_config: Type.Optional(SpellingConfig),
  translation: Switch(),
  translation_config: Type.Optional(
    Type.Object({
      ...TranslationConfig.properties,
      partials: Type.Optional(
        Type.Boolean({ default: false, description: "Translates partials, too, where partials are sent" }),
      ),
    }),
  ),
  named_entity_recognition: Switch(),
  sentiment_analysis: Switch(),
  numerals: Numerals(),
  filler_words: FillerWords(),
  profanity_filter: ProfanityFilter(),
});

const PostProcessing = Type.Object({
  summarization: Switch(),
  summarization_config: Type.Optional(SummarizationConfig),
  chapterization: Switch(),
});

const TurnDetection = Type.Object({
  mode: Type.Optional(
    Enum(["silence", "smart"], {
      default: "silence",
      description:
        "silence: endpointing ends an utterance. smart: a model judges at each pause whether the turn is over",
    }),
  ),
  threshold: Type.Optional(
    Type.Number({
      minimum: 0.05,
      maximum: 0.99,
      default: 0.85,
      description: "Probability from which a turn counts as over: higher values wait longer",
    }),
  ),
  minimum_silence: Type.Optional(
    Type.Number({
      minimum: 0.1,
      maximum: 5,
      default: 0.2,
      description: "Least silence that ends an utterance, seconds",
    }),
  ),
  maximum_silence: Type.Optional(
    Type.Number({ minimum: 0.1, maximum: 10, default: 2, description: "Silence that always ends one, seconds" }),
  ),
  probable_threshold: Type.Optional(
    Type.Number({
      minimum: 0.05,
      maximum: 0.99,
      default: 0.5,
      description:
        "Probability from which a turn counts as probably over, for receive_turn_events: from threshold on, a turn is over without turn_probably_over",
    }),
  ),
});

/** Milliseconds. Not an enum of the schema: generators of clients refuse enums that mix integers and fractions. */
const OPUS_FRAME_DURATIONS = [2.5, 5, 10, 20, 40, 60, 80, 100, 120];

/** @returns A sentence if the value is within the bounds of the schema and no duration of an Opus packet. */
export function opusFrameProblems({ opus_frame_duration: duration }: LiveBody): string[] {
  if (duration === undefined || OPUS_FRAME_DURATIONS.includes(duration)) return [];
  return [`opus_frame_duration must be one of ${OPUS_FRAME_DURATIONS.join(", ")}`];
}

const Source = Type.Object({
  url: SourceAddress({
    description:
      "http or https: HLS, or an endless stream of MP3, AAC, or Opus in Ogg or WebM, as Icecast sends it; rtsp or rtsps; rtmp or rtmps; srt with a port, and streamid, passphrase and latency in its query. It may have a user name and a password, except for RTMP and SRT",
  }),
  maximum_outage: Type.Optional(
    Type.Integer({
      minimum: 5,
      maximum: 3_600,
      default: 600,
      description: "Seconds without audio after which the session ends",
    }),
  ),
});

export const LiveBody = Type.Object(
  {
    source: Type.Optional({
      ...Source,
      description:
        "Extension: the service fetches the audio of the session from an address. The session has no WebSocket; encoding, bit_depth, sample_rate and channels have no effect",
    }),
    captions: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Extension: viewers read the captions while the session runs. The answer has their addresses, with a token that reads the captions and does nothing else",
      }),
    ),
    region: Type.Optional(Enum(REGIONS)),
    encoding: Type.Optional(
      Enum([...SAMPLE_ENCODINGS, ...STREAM_ENCODINGS], {
        default: "wav/pcm",
        description:
          "Extension: opus (raw packets, one in each message), ogg/opus, webm/opus, aac (with ADTS headers), mp3, and container: WAV, or one of the last four, by the first bytes",
      }),
    ),
    opus_frame_duration: Type.Optional(
      Type.Number({
        minimum: Math.min(...OPUS_FRAME_DURATIONS),
        maximum: Math.max(...OPUS_FRAME_DURATIONS),
        description: `Extension, with the encoding opus: milliseconds of a packet, one of ${OPUS_FRAME_DURATIONS.join(", ")}. A stream of other packets is refused`,
      }),
    ),
    bit_depth: Type.Optional(Type.Unsafe<number>({ type: "integer", enum: [8, 16, 24, 32], default: 16 })),
    sample_rate: Type.Optional(Type.Unsafe<number>({ type: "integer", enum: [...SAMPLE_RATES], default: 16000 })),
    channels: Type.Optional(Type.Integer({ minimum: 1, maximum: 8, default: 1 })),
    custom_metadata: Type.Optional(Metadata()),
    tags: Type.Optional(
      Tags("Extension: tags of the session, by which lists are filtered. PATCH of the job changes them"),
    ),
    model: Type.Optional(Name({ description: "Id or alias of an installed model" })),
    endpointing: Type.Optional(Type.Number({ minimum: 0.01, maximum: 10, default: 0.05 })),
    maximum_duration_without_endpointing: Type.Optional(Type.Number({ minimum: 5, maximum: 60, default: 5 })),
    turn_detection: Type.Optional({
      ...TurnDetection,
      description:
        "Extension: how the end of an utterance is found. With mode smart, it takes the place of endpointing",
    }),
    language_config: Type.Optional(Type.Object(LanguageConfig.properties, { default: {} })),
    pre_processing: Type.Optional(Type.Object(PreProcessing.properties, { default: {} })),
    realtime_processing: Type.Optional(Type.Object(RealtimeProcessing.properties, { default: {} })),
    post_processing: Type.Optional(Type.Object(PostProcessing.properties, { default: {} })),
    diarization: Type.Optional(
      Type.Boolean({ default: false, description: "Extension: words of finals carry a speaker; see speaker_revision" }),
    ),
    diarization_config: Type.Optional(DiarizationConfig),
    messages_config: Type.Optional(Type.Object(MessagesConfig.properties, { default: {} })),
    callback: Switch(),
    callback_config: Type.Optional(LiveCallbackConfig),
  },
  { title: "LiveRequest" },
);
export type LiveBody = Static<typeof LiveBody>;

export const LiveQuery = Type.Object({ region: Type.Optional(Enum(REGIONS)), ...StrictParameter });

/** The body of PATCH /v2/live/:id: the data itself, or an object with it as post_session_metadata. */
export const SessionMetadataBody = Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true });

export const CreatedSession = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    created_at: Type.String({ format: "date-time" }),
    url: Type.String({
      format: "uri",
      description:
        "WebSocket address with the session's token. With a source, the address of its captions as server-sent events",
    }),
    captions: Type.Optional(
      Type.Object(
        {
          events: Type.String({ format: "uri", description: "Captions as server-sent events" }),
          page: Type.Optional(Type.String({ format: "uri", description: "A page that shows the captions" })),
          playlist: Type.Optional(
            Type.String({ format: "uri", description: "With a source: captions as a subtitle playlist of HLS" }),
          ),
        },
        { description: "Extension, with captions: true or a source" },
      ),
    ),
    warnings: Warnings(),
  },
  { title: "CreatedSession" },
);
export type CreatedSession = Static<typeof CreatedSession>;

/** The rule between the bounds of `turn_detection`. @returns a sentence if it is broken */
export function turnSilenceProblems(turns: LiveBody["turn_detection"]): string[] {
  const { minimum_silence: least = 0, maximum_silence: most = Number.POSITIVE_INFINITY } = turns ?? {};
  if (least <= most) return [];
  return [
    `turn_detection.minimum_silence (${least}) must not be greater than turn_detection.maximum_silence (${most}): lower the former or raise the latter`,
  ];
}
