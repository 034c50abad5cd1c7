// Validates the fields of an audio request of OpenAI's interface. Every field is used, named in a warning, or refused by its name.
import {
  MOST_NAME_CHARACTERS,
  MOST_PHRASE_CHARACTERS,
  MOST_TRACKS,
  MOST_VOCABULARY_ENTRIES,
} from "../../contract/bounds.ts";
import { firstOf } from "../../contract/first-of.ts";
import { RESPONSE_FORMATS, type ResponseFormat } from "../../contract/openai.ts";
import { MOST_PROBLEMS } from "../../platform/errors.ts";
import { beginningOf } from "../../platform/storable.ts";
import { DIARIZING } from "../../service/openai/model-names.ts";
import { promptVocabulary, promptWarning } from "../../service/openai/prompt.ts";
import { listInText } from "../../service/wire/list-in-text.ts";
import { namedLanguages } from "../../speech/text/language-choice.ts";
import { shownPath } from "../validation/text.ts";
import type { UnknownFields } from "../validation/unknown-fields.ts";
import { judgeKnownSpeakers, type KnownSpeaker } from "./known-speakers.ts";

/** Models whose answers name the detected languages. */
export const LANGUAGE_NAMING = /^gpt-(live-)?transcribe/;

export interface AudioFields {
  model: string;
  /** Codes of the languages that may be spoken; none for any. */
  languages: string[];
  prompt: string;
  keywords: string[];
  knownSpeakers: KnownSpeaker[];
  format: ResponseFormat;
  granularities: ("word" | "segment")[];
  withLogprobs: boolean;
  isStreamed: boolean;
  /** Extension: number of the audio track. */
  audioTrack?: number;
  /** Extension: false writes numbers in words. */
  numerals: boolean;
  /** Fields that are accepted and change nothing, a sentence each. */
  warnings: string[];
}

/** Values by the name of their field, without the brackets of lists. */
export type FormFields = Map<string, string[]>;

const SINGLE = ["audio_track", "language", "model", "numerals", "prompt", "response_format", "stream", "temperature"];
const LISTS = [
  "hotwords",
  "include",
  "keywords",
  "known_speaker_names",
  "known_speaker_references",
  "languages",
  "timestamp_granularities",
];
const CHUNKING = "chunking_strategy";
/** A name of the default model. */
const ANY_MODEL = "whisper-1";

const SHOWN_CHARACTERS = 100;
const shown = (value: string) => `"${beginningOf(value, SHOWN_CHARACTERS)}"`;

const KNOWN = [...SINGLE, ...LISTS, CHUNKING];

/** @param unknown  receives the fields that the interface does not have */
export function noteUnknown(fields: FormFields, unknown: UnknownFields): void {
  for (const [name, values] of fields) {
    if (!KNOWN.includes(name) && !name.startsWith(`${CHUNKING}[`)) unknown.note([], name, values.at(-1), KNOWN);
  }
}

/**
 * How the recording is cut is this service's own choice, as with "auto".
 * @returns a warning for each parameter of "server_vad"
 */
function judgeChunking(fields: FormFields, problems: string[]): string[] {
  const parts = new Map<string, unknown>();
  for (const [name, values] of fields) {
    const key = /^chunking_strategy\[(.*)\]$/.exec(name)?.[1];
    if (key !== undefined) parts.set(key, values.at(-1));
  }
  const text = fields.get(CHUNKING)?.at(-1)?.trim();
  if (text?.startsWith("{")) {
    try {
      for (const [name, value] of Object.entries(JSON.parse(text) as object)) parts.set(name, value);
    } catch {
      problems.push(`${CHUNKING} must be auto or a JSON object; it is ${shown(text)}`);
    }
  } else if (text !== undefined && text !== "" && text !== "null") {
    parts.set("type", text);
  }
  const type = parts.get("type") ?? "auto";
  if (type !== "auto" && type !== "server_vad") {
    const given = typeof type === "string" ? `; it is ${shown(type)}` : "";
    problems.push(`${CHUNKING} must be auto or server_vad${given}`);
  }
  const names = [...parts].filter(([name, value]) => name !== "type" && value !== null).map(([name]) => name);
  const { first, rest } = firstOf(names, MOST_PROBLEMS);
  const left = rest > 0 ? [`${CHUNKING}: ${rest} more parameters have no effect`] : [];
  const noEffect = "has no effect: voice activity detection finds the pauses with values of its own";
  return [...first.map((name) => `${shownPath([CHUNKING, name])} ${noEffect}`), ...left];
}

/** Some clients send a list as JSON in one field. */
function listedIn(value: string): string[] {
  const items = listInText(value);
  return items?.every((item) => typeof item === "string") ? items : [value];
}

/** @returns the entries of lists with commas, each once; a list that is too long is a problem, and only its beginning is read */
function distinctEntries(name: string, lists: readonly string[], problems: string[]): string[] {
  const entries = new Set<string>();
  let left = MOST_VOCABULARY_ENTRIES;
  for (const list of lists) {
    const parts = list.split(",", left + 1);
    if (parts.length > left) {
      problems.push(`${name} must not have more than ${MOST_VOCABULARY_ENTRIES} entries`);
      break;
    }
    left -= parts.length;
    for (const part of parts) entries.add(part.trim());
  }
  return [...entries];
}

const STREAMED_FORMATS: readonly string[] = ["json", "text", "diarized_json"];
const STREAMED = "json, text or diarized_json";

/** @param problems  receives a sentence for each field that cannot be used */
export function judgeFields(fields: FormFields, problems: string[]): AudioFields {
  const one = (name: string) => fields.get(name)?.at(-1);
  const many = (name: string) => (fields.get(name) ?? []).flatMap(listedIn);
  const commaSeparated = (name: string) => distinctEntries(name, many(name), problems);
  const refuse = (name: string, value: string, allowed: readonly string[]) =>
    problems.push(`${name} must be one of the following values: ${allowed.join(", ")}; it is ${shown(value)}`);
  const choice = <T extends string>(name: string, value: string, allowed: readonly T[], fallback: T): T => {
    const found = allowed.find((one) => one === value);
    if (found === undefined) refuse(name, value, allowed);
    return found ?? fallback;
  };
  const choices = <T extends string>(name: string, allowed: readonly T[]): T[] => {
    const given = commaSeparated(name);
    const { first, rest } = firstOf(
      given.filter((value) => !(allowed as readonly string[]).includes(value)),
      MOST_PROBLEMS,
    );
    for (const value of first) refuse(name, value, allowed);
    if (rest > 0) problems.push(`${name} has ${rest} more values that are not allowed`);
    return allowed.filter((value) => given.includes(value));
  };
  for (const name of SINGLE) {
    const values = new Set(fields.get(name) ?? []);
    if (values.size > 1) problems.push(`${name} must be sent once; the form has ${values.size} different ones`);
  }
  const ofChunking = judgeChunking(fields, problems);
  const given = (one("model") ?? "").trim();
  const model = given === "" ? ANY_MODEL : given;
  if (model.length > MOST_NAME_CHARACTERS)
    problems.push(`model must not be longer than ${MOST_NAME_CHARACTERS} characters`);
  const format = choice("response_format", (one("response_format") ?? "json").trim(), RESPONSE_FORMATS, "json");
  const granularities = choices("timestamp_granularities", ["word", "segment"] as const);
  const temperature = Number(one("temperature") ?? 0);
  if (!(temperature >= 0 && temperature <= 1)) problems.push("temperature must be a number from 0 to 1");
  const wantsStream = judgeSwitch("stream", one("stream"), problems);
  const canStream = STREAMED_FORMATS.includes(format);
  const isStreamed = wantsStream && canStream;
  // OpenAI ignores it for this model, with any format.
  const ignoresStream = wantsStream && !canStream && model === ANY_MODEL;
  if (wantsStream && !canStream && !ignoresStream) problems.push(`stream needs response_format ${STREAMED}`);
  const track = one("audio_track")?.trim();
  if (track !== undefined && !(/^\d{1,4}$/.test(track) && Number(track) <= MOST_TRACKS)) {
    problems.push(`audio_track must be the number of an audio track, from 0; it is ${shown(track)}`);
  }
  const include = choices("include", ["logprobs"] as const);
  if (include.length > 0 && format !== "json" && !isStreamed) {
    problems.push("include with logprobs needs response_format json, or stream");
  }
  const prompt = one("prompt") ?? "";
  // Clients of speaches send a list with commas.
  const hotwords = commaSeparated("hotwords");
  const knownSpeakers = judgeKnownSpeakers(many("known_speaker_names"), many("known_speaker_references"), problems);
  if (knownSpeakers.length > 0 && format !== "diarized_json" && !DIARIZING.test(model)) {
    problems.push("known_speaker_names needs the model gpt-4o-transcribe-diarize, or response_format diarized_json");
  }
  const warnings: string[] = [...ofChunking];
  if (given === "") warnings.push("model is missing: the default model is used");
  // The AI SDK sends it with json for models that have no other format. "segment" is the default, which it always sends.
  if (granularities.includes("word") && format !== "verbose_json") {
    warnings.push("timestamp_granularities has no effect: only response_format verbose_json has times of words");
  }
  if (ignoresStream) warnings.push(`stream has no effect: only response_format ${STREAMED} is streamed`);
  if (temperature > 0) warnings.push("temperature has no effect: decoding is greedy");
  const named = promptVocabulary(prompt);
  if (prompt.trim() !== "" && named.used.length === 0) {
    warnings.push("prompt has no effect: it has no names or terms; keywords takes them");
  }
  const ofPrompt = promptWarning("prompt", named);
  if (ofPrompt !== undefined) warnings.push(`${ofPrompt}; keywords takes more`);
  return {
    model,
    warnings,
    knownSpeakers,
    languages: judgeLanguages(commaSeparated, problems),
    prompt,
    keywords: judgeKeywords({ keywords: many("keywords"), hotwords }, problems),
    format,
    granularities: granularities.length > 0 ? granularities : ["segment"],
    withLogprobs: include.length > 0,
    isStreamed,
    numerals: judgeSwitch("numerals", one("numerals")?.trim() || "true", problems),
    ...(track === undefined ? {} : { audioTrack: Number(track) }),
  };
}

function judgeSwitch(name: string, given: string | undefined, problems: string[]): boolean {
  const value = (given ?? "").trim().toLowerCase();
  if (["", "false", "0"].includes(value)) return false;
  if (!["true", "1"].includes(value)) problems.push(`${name} must be true or false; it is ${shown(given ?? "")}`);
  return true;
}

/** @param valuesOf  of a field */
function judgeLanguages(valuesOf: (name: string) => string[], problems: string[]): string[] {
  const all = new Set<string>();
  for (const name of ["language", "languages"]) {
    const given = valuesOf(name).filter((text) => text.trim() !== "");
    const named = namedLanguages(given, name);
    for (const code of named.languages) all.add(code);
    problems.push(...named.problems);
  }
  return [...all];
}

/** @param given  terms by the name of their field */
function judgeKeywords(given: Readonly<Record<string, readonly string[]>>, problems: string[]): string[] {
  const terms = Object.values(given).flat();
  const keywords = [...new Set(terms.map((keyword) => keyword.trim()).filter((keyword) => keyword !== ""))];
  if (keywords.length > MOST_VOCABULARY_ENTRIES) {
    problems.push(`keywords must not have more than ${MOST_VOCABULARY_ENTRIES} entries; it has ${keywords.length}`);
  }
  for (const [name, ofField] of Object.entries(given)) {
    const long = ofField.find((keyword) => keyword.trim().length > MOST_PHRASE_CHARACTERS);
    if (long !== undefined) {
      problems.push(`${name} must not be longer than ${MOST_PHRASE_CHARACTERS} characters each; one is ${shown(long)}`);
    }
  }
  return keywords;
}
