// Parses the query of Deepgram's interface for recordings. Every parameter is used, named in a warning, or refused by its name.
// The options become the parameters of a job.
import type { ListenQuery, ListenWarning } from "../../contract/deepgram-recorded.ts";
import { errors } from "../../platform/errors.ts";
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
} from "../../service/deepgram/parameters.ts";
import { ENTITY_TYPES } from "../../service/intelligence/entity-types.ts";
import { Parameters, refuse, shown } from "../../service/wire/parameters.ts";
import type { RawFormat } from "../requests/raw-audio.ts";

// Values of Deepgram's parameter redact as types and presets of pii_redaction.
const GROUPS = new Map<string, readonly string[]>([
  ["pci", ["PCI"]],
  ["numbers", ["PCI", "NUMERICAL_EXCL_PCI"]],
  ["true", ["PCI", "NUMERICAL_EXCL_PCI"]],
  ["ssn", ["SSN"]],
  ["pii", ["GDPR"]],
  ["phi", ["HEALTH_INFORMATION"]],
]);

/** @returns types, and values that name none */
function redactedTypesOf(given: readonly string[]): { types: string[]; unknown: string[] } {
  const types = new Set<string>();
  const unknown: string[] = [];
  for (const value of given.map((one) => one.toLowerCase())) {
    if (value === "false") continue;
    const type = ENTITY_TYPES.find((one) => one === value.toUpperCase());
    const found = GROUPS.get(value) ?? (type === undefined ? undefined : [type]);
    if (found) for (const one of found) types.add(one);
    else unknown.push(value);
  }
  return { types: [...types], unknown };
}

export interface ListenOptions {
  model: string;
  /** Codes; none for any. */
  languages: string[];
  detectsLanguage: boolean;
  codeSwitching: boolean;
  /** Codes of language_hint, with language=multi. */
  languagesHinted: string[];
  punctuates: boolean;
  numerals: boolean;
  paragraphs: boolean;
  utterances: boolean;
  /** Pause that ends an utterance, seconds. */
  splitSeconds: number;
  diarizes: boolean;
  multichannel: boolean;
  vocabulary: string[];
  /** Found forms by their replacement; "" removes them. */
  replacements: Record<string, string[]>;
  /** Fillers and profanity, as fields of a job. */
  style: ReturnType<typeof spokenStyleIn>;
  search: string[];
  /** Entity types and presets; none to redact nothing. */
  redacted: string[];
  summarizes: boolean;
  /** Of a body of raw samples. */
  raw: RawFormat | undefined;
  extra: Record<string, string>;
  tags: string[];
  warnings: ListenWarning[];
}

const DEFAULT_SPLIT_SECONDS = 0.8;
const MOST_SPLIT_SECONDS = 60;
const MOST_SEARCHES = 100;

/** Encodings of raw samples; files of the others state theirs. */
const RAW_ENCODINGS = ["linear16", "linear32", "mulaw", "alaw"] as const;
const FILE_ENCODINGS = ["flac", "amr-nb", "amr-wb", "ogg-opus", "opus", "speex"];

const EXTRACTION = "use structured_data_extraction of POST /v2/pre-recorded";
/** What this service does not compute, with what to do instead. */
const REFUSED: Readonly<Record<string, string>> = {
  callback: "wait for the answer, or use POST /v2/pre-recorded, which has callbacks",
  callback_method: "wait for the answer, or use POST /v2/pre-recorded, which has callbacks",
  sentiment: "use sentiment_analysis of POST /v2/pre-recorded",
  topics: "use chapterization of POST /v2/pre-recorded",
  custom_topic: EXTRACTION,
  custom_topic_mode: EXTRACTION,
  intents: EXTRACTION,
  custom_intent: EXTRACTION,
  custom_intent_mode: EXTRACTION,
  detect_entities: "use named_entity_recognition of POST /v2/pre-recorded",
};

function rawFormatIn(parameters: Parameters): RawFormat | undefined {
  const given = parameters.one("encoding")?.toLowerCase();
  const sampleRate = parameters.number("sample_rate", 1_000, 384_000);
  const channels = parameters.number("channels", 1, MOST_CHANNELS) ?? 1;
  const encoding = RAW_ENCODINGS.find((one) => one === given);
  if (encoding === undefined) {
    if (given !== undefined && !FILE_ENCODINGS.includes(given)) {
      parameters.problems.push(
        `encoding must be one of the following values: ${RAW_ENCODINGS.join(", ")}; it is ${shown(given)}. For other formats, omit encoding and send a file`,
      );
    }
    if (sampleRate !== undefined) parameters.warn("sample_rate", "it is used only with encoding");
    return undefined;
  }
  if (sampleRate === undefined) parameters.problems.push("sample_rate is required with encoding");
  if (!Number.isInteger(channels)) parameters.problems.push("channels must be a whole number");
  return { encoding, sampleRate: Math.round(sampleRate ?? 1_000), channels: Math.floor(channels) };
}

/** @throws request.invalid naming every bad parameter */
export function listenOptions(query: ListenQuery): ListenOptions {
  const parameters = new Parameters(query);
  const smart = parameters.flag("smart_format");
  const paragraphs = parameters.flag("paragraphs") || smart;
  const summary = parameters.one("summarize")?.toLowerCase() ?? "false";
  if (!["true", "false", "v1", "v2"].includes(summary)) {
    parameters.problems.push(`summarize must be v2, true or false; it is ${shown(summary)}`);
  }
  const diarizer = parameters.one("diarize_model");
  refuse(parameters, REFUSED);
  warnOfOthers(parameters);
  const { types, unknown } = redactedTypesOf(parameters.all("redact"));
  for (const one of unknown) {
    parameters.problems.push(`redact must be pci, numbers, ssn, pii, phi or an entity type; it is ${shown(one)}`);
  }
  const language = languagesIn(parameters);
  const options = {
    model: parameters.one("model") ?? DEFAULT_MODEL_NAME,
    ...language,
    punctuates: parameters.flag("punctuate") || paragraphs,
    numerals: parameters.flag("numerals") || smart,
    paragraphs,
    utterances: parameters.flag("utterances"),
    splitSeconds: parameters.number("utt_split", 0, MOST_SPLIT_SECONDS) ?? DEFAULT_SPLIT_SECONDS,
    diarizes: parameters.flag("diarize") || diarizer !== undefined,
    multichannel: parameters.flag("multichannel"),
    vocabulary: vocabularyIn(parameters),
    replacements: replacementsIn(parameters),
    style: spokenStyleIn(parameters, language.languages),
    search: parameters.phrases("search", MOST_SEARCHES),
    redacted: types,
    summarizes: summary !== "false",
    raw: rawFormatIn(parameters),
    extra: extraIn(parameters),
    tags: parameters.phrases("tag", MOST_EXTRAS),
  };
  if (parameters.problems.length > 0) throw errors.invalidParameters(parameters.problems);
  return { ...options, warnings: parameters.warnings };
}

/**
 * The request as the parameters of a job.
 * @param model  as listenModel returns it
 */
export function listenParameters(options: ListenOptions, model: string) {
  const { languages, codeSwitching, vocabulary, replacements, redacted } = options;
  return {
    model,
    language_config: { languages, code_switching: codeSwitching },
    ...(options.numerals ? {} : { numerals: false }),
    ...options.style,
    ...(options.diarizes ? { diarization: true } : {}),
    ...(vocabulary.length > 0 ? { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } } : {}),
    ...(Object.keys(replacements).length > 0
      ? { custom_spelling: true, custom_spelling_config: { spelling_dictionary: replacements } }
      : {}),
    ...(redacted.length > 0 ? { pii_redaction: true, pii_redaction_config: { entity_types: redacted } } : {}),
    ...(options.summarizes ? { summarization: true } : {}),
  };
}
