// The query of Deepgram's live interface: how a session is configured, and how its events are printed. Every parameter is used, named in
// a warning, or refused by its name.
import type { ListenWarning } from "../../../../contract/deepgram-recorded.ts";
import { isSamples, type LiveBody, MOST_OPUS_CHANNELS, SAMPLE_RATES } from "../../../../contract/live.ts";
import { errors } from "../../../../platform/errors.ts";
import {
  DEFAULT_MODEL_NAME,
  extraIn,
  languagesIn,
  MOST_CHANNELS,
  MOST_EXTRAS,
  replacementsIn,
  spokenStyleIn,
  vocabularyIn,
  warnOfOthers,
} from "../../../deepgram/parameters.ts";
import { Parameters, refuse, shown } from "../../../wire/parameters.ts";
import { OTHER_INTERFACE_DETECTION, OTHER_INTERFACE_EVENTS } from "../dialect.ts";

/** As the client chose them. */
interface Features {
  numerals: boolean;
  punctuate: boolean;
  smart_format: boolean;
}

export const writesNumerals = ({ numerals, smart_format }: Features) => numerals || smart_format;
export const punctuates = ({ punctuate, smart_format }: Features) => punctuate || smart_format;

export interface ListenOptions {
  model: string;
  body: LiveBody;
  channels: number;
  punctuates: boolean;
  features: Features;
  namesLanguages: boolean;
  /** Codes of language_hint, with language=multi. */
  languagesHinted: string[];
  /** Whether the final of an utterance that silence ended has `speech_final: true`. */
  detectsEnds: boolean;
  /** Silence that ends an utterance, seconds. */
  endpointingSeconds: number;
  /** Silence after which an empty result has `speech_final: true`, where it is longer than the one that ends utterances; seconds. */
  speechEndSeconds: number | undefined;
  vadEvents: boolean;
  /** Undefined without UtteranceEnd. */
  utteranceEndSeconds: number | undefined;
  isResumable: boolean;
  /** The session that continues. */
  resumes: string | undefined;
  extra: Record<string, string>;
  tags: string[];
  warnings: ListenWarning[];
}

const ENCODINGS = {
  linear16: "wav/pcm",
  mulaw: "wav/ulaw",
  alaw: "wav/alaw",
  opus: "opus",
  "ogg-opus": "ogg/opus",
} as const;
const PCM_BIT_DEPTH = 16;
const DEFAULT_ENDPOINTING_MILLISECONDS = 10;
const [LEAST_ENDPOINTING_MILLISECONDS, MOST_ENDPOINTING_MILLISECONDS] = [10, 10_000];
const [LEAST_UTTERANCE_END_MILLISECONDS, MOST_UTTERANCE_END_MILLISECONDS] = [100, 60_000];
/** After this long, an utterance has a final even if the speech continues, seconds. */
const LONGEST_UTTERANCE_SECONDS = 10;
/** As in a request for a recording. */
const MOST_PARAMETERS = 200;

const RECORDED = "it is available for recordings, POST /v1/listen";
const CALLBACK = "read the messages of the connection, or use callback_config of POST /v2/live";
const REFUSED: Readonly<Record<string, string>> = {
  callback: CALLBACK,
  callback_method: CALLBACK,
  redact: RECORDED,
  search: RECORDED,
  summarize: "use summarization of POST /v2/live",
  detect_entities: "use named_entity_recognition of POST /v2/live",
  sentiment: "use sentiment_analysis of POST /v2/live",
  topics: "use chapterization of POST /v2/live",
  custom_topic: RECORDED,
  custom_topic_mode: RECORDED,
  intents: RECORDED,
  custom_intent: RECORDED,
  custom_intent_mode: RECORDED,
};
const OF_RECORDINGS = ["paragraphs", "utterances", "utt_split"];

/** Parameters that state the format of the audio. */
export function formatIn(parameters: Parameters) {
  const given = parameters.one("encoding")?.toLowerCase();
  const rate = parameters.number("sample_rate", 1, 384_000);
  const channels = parameters.number("channels", 1, MOST_CHANNELS) ?? 1;
  if (!Number.isInteger(channels)) parameters.problems.push("channels must be a whole number");
  const encoding =
    given !== undefined && Object.hasOwn(ENCODINGS, given) ? (given as keyof typeof ENCODINGS) : undefined;
  const format = {
    encoding: ENCODINGS[encoding ?? "linear16"],
    bit_depth: PCM_BIT_DEPTH,
    sample_rate: rate ?? 16_000,
    channels: Math.floor(channels),
  };
  if (given === undefined) {
    if (rate !== undefined) parameters.warn("sample_rate", "it is used only with encoding");
    return { ...format, encoding: "container" as const, sample_rate: 16_000 };
  }
  if (encoding === undefined) {
    parameters.problems.push(
      `encoding must be one of the following values: ${Object.keys(ENCODINGS).join(", ")}; it is ${shown(given)}. Without encoding, send a container: WAV, Ogg or WebM with Opus, AAC (ADTS) or MP3`,
    );
  } else if (!isSamples(format.encoding)) {
    if (rate !== undefined) parameters.warn("sample_rate", "Opus states its own");
    if (format.encoding === "opus" && channels > MOST_OPUS_CHANNELS) {
      parameters.problems.push(`channels must be at most ${MOST_OPUS_CHANNELS} with encoding=opus; it is ${channels}`);
    }
    return { ...format, sample_rate: 16_000 };
  } else if (rate === undefined) parameters.problems.push("sample_rate is required with encoding");
  if (rate !== undefined && !SAMPLE_RATES.includes(rate)) {
    parameters.problems.push(`sample_rate must be one of ${SAMPLE_RATES.join(", ")}; it is ${rate}`);
  }
  return format;
}

/** @returns milliseconds; undefined where silence is no end of speech */
function endpointingIn(parameters: Parameters): number | undefined {
  const given = parameters.one("endpointing")?.toLowerCase();
  if (given === "false") return undefined;
  if (given === undefined || given === "true") return DEFAULT_ENDPOINTING_MILLISECONDS;
  const value = parameters.number("endpointing", 0, MOST_ENDPOINTING_MILLISECONDS);
  return Math.max(LEAST_ENDPOINTING_MILLISECONDS, value ?? DEFAULT_ENDPOINTING_MILLISECONDS);
}

function utteranceEndIn(parameters: Parameters): number | undefined {
  if (parameters.one("utterance_end_ms")?.toLowerCase() === "false") return undefined;
  const most = MOST_UTTERANCE_END_MILLISECONDS;
  const value = parameters.number("utterance_end_ms", LEAST_UTTERANCE_END_MILLISECONDS, most);
  return value === undefined ? undefined : value / 1000;
}

function processingIn(
  parameters: Parameters,
  numerals: boolean,
  languages: readonly string[],
): NonNullable<LiveBody["realtime_processing"]> {
  const vocabulary = vocabularyIn(parameters);
  const replacements = replacementsIn(parameters);
  return {
    numerals,
    ...spokenStyleIn(parameters, languages),
    ...(vocabulary.length > 0 ? { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } } : {}),
    ...(Object.keys(replacements).length > 0
      ? { custom_spelling: true, custom_spelling_config: { spelling_dictionary: replacements } }
      : {}),
  };
}

function judgeOthers(parameters: Parameters, isStrict: boolean): void {
  refuse(parameters, REFUSED);
  warnOfOthers(parameters);
  for (const name of OF_RECORDINGS) if (parameters.isWanted(name)) parameters.warn(name, "it applies to recordings");
  // Accepted: text is sent as soon as it is final, and no audio is used for training.
  for (const name of ["no_delay", "mip_opt_out"]) parameters.flag(name);
  const refusesUnknown = parameters.one("strict") === undefined ? isStrict : parameters.flag("strict");
  for (const name of parameters.unread.map(shown)) {
    if (refusesUnknown) parameters.problems.push(`${name} is not a parameter of this address`);
    else parameters.note(name, `${name} is not a parameter of this address and was ignored`);
  }
}

/** @param endpointingSeconds  silence that ends an utterance */
function bodyOf(
  parameters: Parameters,
  format: object,
  endpointingSeconds: number,
  { hasNumerals, languages, codeSwitching }: ReturnType<typeof languagesIn> & { hasNumerals: boolean },
): LiveBody {
  const diarizer = parameters.one("diarize_model");
  return {
    ...format,
    endpointing: endpointingSeconds,
    maximum_duration_without_endpointing: LONGEST_UTTERANCE_SECONDS,
    language_config: { languages, code_switching: codeSwitching },
    pre_processing: OTHER_INTERFACE_DETECTION,
    realtime_processing: processingIn(parameters, hasNumerals, languages),
    diarization: parameters.flag("diarize") || diarizer !== undefined,
    messages_config: {
      ...OTHER_INTERFACE_EVENTS,
      receive_partial_transcripts: parameters.flag("interim_results"),
      receive_lifecycle_events: true,
    },
  };
}

/** @throws request.invalid naming every bad parameter */
export function listenOptions(query: URLSearchParams, isStrict: boolean): ListenOptions {
  const names = [...new Set(query.keys())];
  if (query.size > MOST_PARAMETERS) {
    throw errors.invalidParameters([`the address must not have more than ${MOST_PARAMETERS} parameters`]);
  }
  const parameters = new Parameters(Object.fromEntries(names.map((name) => [name, query.getAll(name)])));
  const features = {
    numerals: parameters.flag("numerals"),
    punctuate: parameters.flag("punctuate"),
    smart_format: parameters.flag("smart_format"),
  };
  const format = formatIn(parameters);
  const endpointing = endpointingIn(parameters);
  const utteranceEndSeconds = utteranceEndIn(parameters);
  const speechSeconds = (endpointing ?? MOST_ENDPOINTING_MILLISECONDS) / 1000;
  // The final precedes UtteranceEnd, as clients read the words so far then.
  const endpointingSeconds = Math.min(speechSeconds, utteranceEndSeconds ?? speechSeconds);
  const language = languagesIn(parameters);
  const hasNumerals = writesNumerals(features);
  const body = bodyOf(parameters, format, endpointingSeconds, { hasNumerals, ...language });
  const isLater = endpointingSeconds < speechSeconds;
  if (!parameters.flag("multichannel") && format.channels > 1) {
    parameters.note("multichannel", "every channel is transcribed by itself, as with multichannel=true");
  }
  const options = {
    model: parameters.one("model") ?? DEFAULT_MODEL_NAME,
    body,
    channels: format.channels,
    features,
    punctuates: punctuates(features),
    namesLanguages: language.codeSwitching || language.detectsLanguage,
    languagesHinted: language.languagesHinted,
    endpointingSeconds,
    detectsEnds: endpointing !== undefined && !isLater,
    speechEndSeconds: endpointing !== undefined && isLater ? speechSeconds : undefined,
    vadEvents: parameters.flag("vad_events"),
    utteranceEndSeconds,
    isResumable: parameters.flag("resumable"),
    resumes: parameters.one("session_id"),
    extra: extraIn(parameters),
    tags: parameters.phrases("tag", MOST_EXTRAS),
  };
  judgeOthers(parameters, isStrict);
  if (parameters.problems.length > 0) throw errors.invalidParameters(parameters.problems);
  return { ...options, warnings: parameters.warnings };
}
