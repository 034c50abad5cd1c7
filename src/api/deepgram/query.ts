// Parses the query of Deepgram's interface for recordings. Every parameter is used, named in a warning, or refused by its name.
import { MOST_PHRASE_CHARACTERS, MOST_VOCABULARY_ENTRIES } from "../../contract/bounds.ts";
import type { ListenQuery, ListenWarning } from "../../contract/deepgram-recorded.ts";
import { errors } from "../../platform/errors.ts";
import { beginningOf } from "../../platform/storable.ts";
import { LANGUAGE_RULE, languagesOf, unknownLanguages } from "../../speech/text/language-choice.ts";
import type { RawFormat } from "../requests/raw-audio.ts";
import { redactedTypesOf } from "./redaction.ts";

export interface ListenOptions {
  model: string;
  /** Codes; none for any. */
  languages: string[];
  detectsLanguage: boolean;
  codeSwitching: boolean;
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

const SHOWN_CHARACTERS = 100;
const shown = (value: string) => `"${beginningOf(value, SHOWN_CHARACTERS)}"`;

const DEFAULT_MODEL_NAME = "nova-3";
const DEFAULT_SPLIT_SECONDS = 0.8;
const MOST_SPLIT_SECONDS = 60;
const DEFAULT_LANGUAGE = "en";
const SEVERAL_LANGUAGES = "multi";
const MOST_SEARCHES = 100;
const MOST_EXTRAS = 50;
const MOST_CHANNELS = 8;

/** Encodings of raw samples; files of the others state theirs. */
const RAW_ENCODINGS = ["linear16", "linear32", "mulaw", "alaw"] as const;
const FILE_ENCODINGS = ["flac", "amr-nb", "amr-wb", "ogg-opus", "opus", "speex"];

const EXTRACTION = "use structured_data_extraction of POST /v2/pre-recorded";
/** What this service does not compute, with what to do instead. */
const REFUSED: Readonly<Record<string, string>> = {
  callback: "wait for the answer, or use POST /v2/pre-recorded, which has callbacks",
  callback_method: "wait for the answer, or use POST /v2/pre-recorded, which has callbacks",
  profanity_filter: "profanity stays in the text; use moderation of POST /v2/pre-recorded",
  sentiment: "use sentiment_analysis of POST /v2/pre-recorded",
  topics: "use chapterization of POST /v2/pre-recorded",
  custom_topic: EXTRACTION,
  custom_topic_mode: EXTRACTION,
  intents: EXTRACTION,
  custom_intent: EXTRACTION,
  custom_intent_mode: EXTRACTION,
  detect_entities: "use named_entity_recognition of POST /v2/pre-recorded",
};

/** Parameters that are accepted and change nothing. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  filler_words: "words such as um are written where the model recognises them",
  measurements: "measurements are written with numerals",
  dictation: "spoken punctuation commands are written as words",
};

class Parameters {
  readonly problems: string[] = [];
  readonly warnings: ListenWarning[] = [];

  constructor(private readonly query: Readonly<Record<string, string | string[] | undefined>>) {}

  /** Every value that is not empty. */
  all(name: string): string[] {
    return [this.query[name] ?? []]
      .flat()
      .map((value) => value.trim())
      .filter((value) => value !== "");
  }

  one(name: string): string | undefined {
    const values = new Set(this.all(name));
    if (values.size > 1) this.problems.push(`${name} must be sent once; there are ${values.size} different values`);
    return [...values].at(-1);
  }

  flag(name: string): boolean {
    const value = this.one(name)?.toLowerCase();
    if (value === undefined || ["false", "0", "no"].includes(value)) return false;
    if (["true", "1", "yes"].includes(value)) return true;
    this.problems.push(`${name} must be true or false; it is ${shown(value)}`);
    return false;
  }

  number(name: string, least: number, most: number): number | undefined {
    const value = this.one(name);
    if (value === undefined) return undefined;
    const number = /^\d{1,9}(\.\d{1,9})?$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    this.problems.push(`${name} must be a number from ${least} to ${most}; it is ${shown(value)}`);
    return undefined;
  }

  phrases(name: string, most: number): string[] {
    const values = [...new Set(this.all(name))];
    if (values.length > most) this.problems.push(`${name} must not be sent more than ${most} times`);
    const long = values.find((value) => value.length > MOST_PHRASE_CHARACTERS);
    if (long !== undefined) {
      this.problems.push(`${name} must not be longer than ${MOST_PHRASE_CHARACTERS} characters; one is ${shown(long)}`);
    }
    return values;
  }

  warn(parameter: string, message: string): void {
    this.note(parameter, `${parameter} has no effect: ${message}`);
  }

  /** A part of the parameter has no effect. */
  note(parameter: string, message: string): void {
    this.warnings.push({ parameter, type: "no_effect", message });
  }
}

function languagesIn(parameters: Parameters) {
  const given = parameters.one("language");
  const detected = parameters.all("detect_language").flatMap((value) => value.split(","));
  const isFlag = detected.length === 1 && /^(true|false)$/i.test(detected[0] as string);
  const detectsLanguage = detected.length > 0 && detected[0]?.toLowerCase() !== "false";
  if (given?.toLowerCase() === SEVERAL_LANGUAGES && !detectsLanguage) {
    return { languages: [], detectsLanguage, codeSwitching: true };
  }
  if (detectsLanguage && given !== undefined) parameters.warn("language", "detect_language is set");
  const wanted = detectsLanguage ? (isFlag ? [] : detected) : [given ?? DEFAULT_LANGUAGE];
  const { codes, unknown } = languagesOf(wanted);
  const name = detectsLanguage ? "detect_language" : "language";
  const sentences = unknownLanguages(unknown);
  if (sentences.length > 0) parameters.problems.push(`${name} ${LANGUAGE_RULE}; ${sentences.join("; ")}`);
  return { languages: codes, detectsLanguage, codeSwitching: false };
}

/** keyterm takes phrases; keywords takes words with a weight behind a colon. */
function vocabularyIn(parameters: Parameters): string[] {
  const terms = parameters.phrases("keyterm", MOST_VOCABULARY_ENTRIES);
  const keywords: string[] = [];
  for (const keyword of parameters.phrases("keywords", MOST_VOCABULARY_ENTRIES)) {
    const [, word = keyword, weight] = /^(.*):(-?\d{1,9}(?:\.\d{1,9})?)$/.exec(keyword) ?? [];
    if (weight !== undefined && Number(weight) <= 0)
      parameters.note("keywords", `keywords: ${shown(keyword)} cannot be suppressed and was ignored`);
    else if (word.trim() !== "") keywords.push(word.trim());
    if (weight !== undefined && Number(weight) > 0)
      parameters.note("keywords", `keywords: the weight of ${shown(keyword)} is ignored`);
  }
  const all = [...new Set([...terms, ...keywords])];
  if (all.length > MOST_VOCABULARY_ENTRIES) {
    parameters.problems.push(`keyterm and keywords must not have more than ${MOST_VOCABULARY_ENTRIES} terms together`);
  }
  return all;
}

function replacementsIn(parameters: Parameters): Record<string, string[]> {
  const forms = new Map<string, string[]>();
  for (const given of parameters.phrases("replace", MOST_VOCABULARY_ENTRIES)) {
    const colon = given.indexOf(":");
    const found = given.slice(0, colon < 0 ? given.length : colon).trim();
    const replacement = colon < 0 ? "" : given.slice(colon + 1).trim();
    if (found === "") parameters.problems.push(`replace must be find:replacement; it is ${shown(given)}`);
    forms.set(replacement, [...(forms.get(replacement) ?? []), found]);
  }
  return Object.fromEntries(forms);
}

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

function extraIn(parameters: Parameters): Record<string, string> {
  return Object.fromEntries(
    parameters.phrases("extra", MOST_EXTRAS).map((given) => {
      const colon = given.indexOf(":");
      if (colon <= 0) parameters.problems.push(`extra must be key:value; it is ${shown(given)}`);
      return [given.slice(0, colon), given.slice(colon + 1)];
    }),
  );
}

/** Parameters that are refused, and those without effect. */
function judgeOthers(parameters: Parameters): void {
  for (const [name, remedy] of Object.entries(REFUSED)) {
    const isWanted = parameters.all(name).some((value) => value.toLowerCase() !== "false");
    if (isWanted) parameters.problems.push(`${name} is not available: ${remedy}`);
  }
  for (const [name, reason] of Object.entries(WITHOUT_EFFECT)) if (parameters.flag(name)) parameters.warn(name, reason);
  if ((parameters.number("alternatives", 1, 100) ?? 1) > 1)
    parameters.warn("alternatives", "only one alternative is returned");
  if (parameters.one("tier") !== undefined) parameters.warn("tier", "the parameter model selects the model");
  const version = parameters.one("version") ?? "latest";
  if (version !== "latest") parameters.warn("version", "models have no versions here");
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
  judgeOthers(parameters);
  const { types, unknown } = redactedTypesOf(parameters.all("redact"));
  for (const one of unknown) {
    parameters.problems.push(`redact must be pci, numbers, ssn, pii, phi or an entity type; it is ${shown(one)}`);
  }
  const options = {
    model: parameters.one("model") ?? DEFAULT_MODEL_NAME,
    ...languagesIn(parameters),
    punctuates: parameters.flag("punctuate") || paragraphs,
    numerals: parameters.flag("numerals") || smart,
    paragraphs,
    utterances: parameters.flag("utterances"),
    splitSeconds: parameters.number("utt_split", 0, MOST_SPLIT_SECONDS) ?? DEFAULT_SPLIT_SECONDS,
    diarizes: parameters.flag("diarize") || diarizer !== undefined,
    multichannel: parameters.flag("multichannel"),
    vocabulary: vocabularyIn(parameters),
    replacements: replacementsIn(parameters),
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
