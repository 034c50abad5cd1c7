// The interface of jambonz for custom speech vendors: WebSockets of /telephony/jambonz.
import { languageCode } from "../../../../contract/languages.ts";
import { SAMPLE_RATES } from "../../../../contract/live.ts";
import { listInText } from "../../../wire/list-in-text.ts";
import type { Dialect, Frame } from "../dialect.ts";
import {
  AudioConversation,
  type AudioWire,
  type Begun,
  MOST_AUDIO_MESSAGE_BYTES,
  type Transcript,
} from "../telephony/audio-conversation.ts";
import { notOffered } from "../telephony/parameters.ts";
import { PCM_BIT_DEPTH, readStartMessage, StartFields, unknownFields } from "../telephony/start-message.ts";
import { type Fields, isFields, readTextMessage, shown, wrongType } from "../text-message.ts";

const PATH = /^\/telephony\/jambonz\/?$/;
const SAMPLE_RATE = 8_000;
const FIELDS = ["language", "format", "encoding", "interimResults", "sampleRateHz", "options"];

/** Hints are phrases, or objects with a phrase and its boost. jambonz sends those with boosts as JSON in a text. */
function vocabularyIn(hints: unknown, problems: string[]): string[] {
  const given = (typeof hints === "string" ? listInText(hints) : undefined) ?? hints ?? [];
  const phrases = Array.isArray(given) ? given.map((one) => (isFields(one) ? one["phrase"] : one)) : [given];
  if (phrases.every((one) => typeof one === "string")) return phrases.filter((one) => one.trim() !== "");
  problems.push("options.hints must be a list of phrases");
  return [];
}

interface ReadOptions {
  /** Fields of POST /v2/live. */
  options: Record<string, unknown>;
  /** Metadata of the call. */
  metadata: Record<string, string>;
}

/** `options` has hints, the id of the call, and otherwise fields of POST /v2/live. */
function optionsOf(fields: Fields, problems: string[], warnings: string[]): ReadOptions {
  const given = fields["options"] ?? {};
  if (!isFields(given)) {
    problems.push(`options must be an object; it is ${shown(String(JSON.stringify(given)))}`);
    return { options: {}, metadata: {} };
  }
  const { hints, hintsBoost, callSid, ...options } = given;
  const metadata = typeof callSid === "string" && callSid !== "" ? { callSid } : {};
  if (hintsBoost !== undefined) warnings.push("options.hintsBoost has no effect: hints have the default intensity");
  for (const name of Object.keys(options)) {
    const refused = notOffered(name);
    if (refused !== undefined) problems.push(`options.${refused}`);
  }
  const vocabulary = vocabularyIn(hints, problems);
  if (vocabulary.length === 0) return { options, metadata };
  const before = isFields(options["realtime_processing"]) ? options["realtime_processing"] : {};
  const ofHints = { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } };
  return { options: { ...options, realtime_processing: { ...before, ...ofHints } }, metadata };
}

/** @returns the language of a start message as jambonz names it, and as sessions do */
function languageOf(fields: Fields, problems: string[]): { name: string; options: Record<string, unknown> } {
  const name = fields["language"] ?? "";
  if (typeof name !== "string") {
    problems.push(`language must be a text; it is ${shown(String(JSON.stringify(name)))}`);
    return { name: "", options: {} };
  }
  return name === "" ? { name, options: {} } : { name, options: { language_config: { languages: [name] } } };
}

function begin({ bytes, isBinary }: Frame): Begun | string[] {
  const message = readStartMessage(bytes, isBinary);
  if ("refused" in message) return [message.refused];
  const fields = new StartFields(message.fields);
  fields.expect("format", "raw");
  fields.expect("encoding", "LINEAR16");
  const sampleRate = fields.oneOf("sampleRateHz", SAMPLE_RATES, SAMPLE_RATE);
  const sendsPartials = fields.isTrue("interimResults");
  const warnings = unknownFields(message.unknown(...FIELDS));
  const language = languageOf(message.fields, fields.problems);
  const read = optionsOf(message.fields, fields.problems, warnings);
  const options = { ...language.options, ...read.options };
  if (fields.problems.length > 0) return fields.problems;
  return {
    start: {
      format: { encoding: "wav/pcm", bitDepth: PCM_BIT_DEPTH, sampleRate, channels: 1 },
      metadata: { platform: "jambonz", ...read.metadata },
      ...{ options, sendsPartials, ineffective: warnings },
    },
    read: readMessage,
    print: (transcript) => print(transcript, language.name),
  };
}

function readMessage(bytes: Buffer): "stop" | { warning: string } {
  const message = readTextMessage(bytes, "stop");
  if ("refused" in message) return { warning: message.refused };
  return message.type === "stop" ? "stop" : { warning: wrongType(message.type, "stop") };
}

/** @param asked  the language as jambonz named it, which it expects in the answer */
function print({ utterance, isFinal }: Transcript, asked: string): object {
  const { text, confidence, language, channel } = utterance;
  return {
    type: "transcription",
    is_final: isFinal,
    alternatives: [{ transcript: text.trim(), confidence }],
    channel: channel + 1,
    language: languageCode(asked) === language ? asked : language,
  };
}

const wire: AudioWire = { parameters: [], begin, error: (reason) => ({ type: "error", error: reason }) };

export const jambonzSpeech: Dialect = {
  name: "jambonz",
  mostMessageBytes: MOST_AUDIO_MESSAGE_BYTES,
  accepts: (path) => PATH.test(path),
  open: (opening) => new AudioConversation(wire, opening),
};
