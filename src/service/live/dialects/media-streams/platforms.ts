// The platforms whose calls are streamed in JSON messages: what each calls its fields, and which codecs it sends.
import type { StreamFormat } from "../../../../speech/audio/stream-format.ts";
import type { Parameter } from "../telephony/parameters.ts";
import { type Fields, fieldsIn, isFields, shown } from "../text-message.ts";
import { countIn, numberOf, shownValue, textIn } from "./messages.ts";

export type ByteOrder = "big" | "little";

export interface Platform {
  readonly name: string;
  readonly path: RegExp;
  /** Whether it signs the requests that open its streams. */
  readonly isSigned?: true;
  /** Field of the start message with the format. */
  readonly formatField: string;
  readonly sampleRateField: string;
  /** Encodings in lower case. */
  readonly encodings: Readonly<Record<string, StreamFormat["encoding"]>>;
  /** Of 16-bit samples, unless the client states another one. */
  readonly byteOrder: ByteOrder;
  /** Ids of the call: fields of `start`. */
  readonly ids: readonly string[];
  readonly sequenceField: string;
  /** Events without audio, and why they have no effect. */
  readonly ignored: Readonly<Record<string, string>>;
  parametersOf(message: Fields, start: Fields): Parameter[];
}

const DIGITS = "digits are no part of a transcript";
const PLAYBACK = "this service plays nothing into the call";

/** An object whose values are texts. */
function pairsOf(value: unknown): Parameter[] {
  if (!isFields(value)) return [];
  return Object.entries(value).map(([name, given]) => [
    name,
    typeof given === "string" ? given : JSON.stringify(given),
  ]);
}

const OUTER_QUOTES = /^(["'])(.*)\1$/s;
const unquoted = (text: string) => text.trim().replace(OUTER_QUOTES, "$2").trim();

/** @returns undefined for a text that is no JSON object */
function jsonPairs(text: string): Parameter[] | undefined {
  const fields = fieldsIn(text);
  return typeof fields === "string" ? undefined : pairsOf(fields);
}

/** Plivo's extra_headers: `name=value` or `name: value`, with semicolons or commas between, or JSON, also as a text. */
function headerPairs(value: unknown): Parameter[] {
  if (typeof value !== "string") return pairsOf(value);
  const text = value.trim();
  return (
    jsonPairs(text) ??
    text
      .replace(/^\{|\}$/g, "")
      .split(/[;,]/)
      .flatMap((pair): Parameter[] => {
        const at = pair.search(/[=:]/);
        if (at >= 0) return [[unquoted(pair.slice(0, at)), unquoted(pair.slice(at + 1))]];
        // It may be a key, which must not be stored: neither as a name nor as a value.
        return pair.trim() === "" ? [] : [["", ""]];
      })
  );
}

export const TWILIO: Platform = {
  name: "twilio",
  path: /^\/telephony\/twilio\/?$/,
  isSigned: true,
  formatField: "mediaFormat",
  sampleRateField: "sampleRate",
  encodings: { "audio/x-mulaw": "wav/ulaw" },
  byteOrder: "little",
  ids: ["streamSid", "callSid", "accountSid"],
  sequenceField: "sequenceNumber",
  ignored: { dtmf: DIGITS, mark: PLAYBACK },
  parametersOf: (_message, start) => pairsOf(start["customParameters"]),
};

export const TELNYX: Platform = {
  name: "telnyx",
  path: /^\/telephony\/telnyx\/?$/,
  formatField: "media_format",
  sampleRateField: "sample_rate",
  encodings: { pcmu: "wav/ulaw", pcma: "wav/alaw", l16: "wav/pcm" },
  // RFC 3551, 4.5.11: L16 is in network byte order.
  byteOrder: "big",
  ids: ["call_control_id", "call_session_id", "user_id", "from", "to", "client_state"],
  sequenceField: "sequence_number",
  ignored: { dtmf: DIGITS, mark: PLAYBACK },
  parametersOf: (_message, start) => pairsOf(start["custom_parameters"]),
};

export const PLIVO: Platform = {
  name: "plivo",
  path: /^\/telephony\/plivo\/?$/,
  formatField: "mediaFormat",
  sampleRateField: "sampleRate",
  encodings: { "audio/x-mulaw": "wav/ulaw", "audio/x-l16": "wav/pcm" },
  byteOrder: "little",
  ids: ["streamId", "callId", "accountId"],
  sequenceField: "sequenceNumber",
  ignored: { dtmf: DIGITS, playedStream: PLAYBACK, clearedAudio: PLAYBACK },
  parametersOf: (message, start) => headerPairs(message["extra_headers"] ?? start["extra_headers"]),
};

/** Tracks by their channel. */
const TRACKS = ["inbound", "outbound"];
/** How the platforms name their choices of tracks, in an address or a start message. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  inbound: ["inbound"],
  inbound_track: ["inbound"],
  outbound: ["outbound"],
  outbound_track: ["outbound"],
  both: TRACKS,
  both_tracks: TRACKS,
};

const SAMPLE_RATES = [8_000, 16_000, 24_000];
const [LAW_BITS, PCM_BITS] = [8, 16];

export interface Stream {
  format: StreamFormat;
  tracks: readonly string[];
  byteOrder: ByteOrder;
  parameters: Parameter[];
  metadata: Record<string, string>;
  ineffective: string[];
}

/** Parameters that this interface reads itself. */
export const OWN_PARAMETERS = ["tracks", "byte_order"];

function tracksOf(given: unknown, chosen: string | undefined, problems: string[]): readonly string[] {
  if (chosen !== undefined) {
    const tracks = Object.hasOwn(CHOICES, chosen) ? CHOICES[chosen] : undefined;
    if (!tracks) problems.push(`tracks must be inbound, outbound or both; it is ${shown(chosen)}`);
    return tracks ?? ["inbound"];
  }
  if (!Array.isArray(given)) return ["inbound"];
  const tracks = TRACKS.filter((track) => given.includes(track));
  if (tracks.length === 0 || tracks.length < new Set(given).size) {
    problems.push(`start.tracks must name inbound, outbound or both; it is ${shown(JSON.stringify(given))}`);
  }
  return tracks;
}

function formatOf(platform: Platform, start: Fields, problems: string[]): StreamFormat {
  const { encodings, formatField, sampleRateField } = platform;
  const given = start[formatField];
  const fields = isFields(given) ? given : {};
  const name = textIn(fields, "encoding")?.toLowerCase() ?? "";
  const encoding = Object.hasOwn(encodings, name) ? encodings[name] : undefined;
  const allowed = Object.keys(encodings).map((one) => (formatField === "media_format" ? one.toUpperCase() : one));
  const place = `start.${formatField}`;
  if (!encoding) {
    const what = name === "" ? "it is missing" : `it is ${shownValue(fields["encoding"])}`;
    problems.push(`${place}.encoding must be ${allowed.join(" or ")}; ${what}. Choose such a codec at the platform`);
  }
  const sampleRate = numberOf(fields[sampleRateField] ?? SAMPLE_RATES[0]);
  if (!SAMPLE_RATES.includes(sampleRate)) {
    problems.push(
      `${place}.${sampleRateField} must be ${SAMPLE_RATES.join(", ")}; it is ${shownValue(fields[sampleRateField])}`,
    );
  }
  if (numberOf(fields["channels"] ?? 1) !== 1)
    problems.push(`${place}.channels must be 1: each track has its own messages`);
  const bitDepth = encoding === "wav/pcm" ? PCM_BITS : LAW_BITS;
  return { encoding: encoding ?? "wav/ulaw", bitDepth, sampleRate, channels: 1 };
}

/**
 * @param message  with the event `start`
 * @param address  parameters of the address
 * @returns the stream, or its problems, a sentence each
 */
export function readStart(platform: Platform, message: Fields, address: readonly Parameter[]): Stream | string[] {
  const start = message["start"];
  if (!isFields(start)) return ["the message start must have an object start"];
  const problems: string[] = [];
  const all = platform.parametersOf(message, start);
  const own = (name: string) => [...all, ...address].find(([one]) => one === name)?.[1];
  const tracks = tracksOf(start["tracks"], own("tracks"), problems);
  const order = own("byte_order") ?? platform.byteOrder;
  if (order !== "big" && order !== "little") problems.push(`byte_order must be big or little; it is ${shown(order)}`);
  const format = { ...formatOf(platform, start, problems), channels: Math.max(1, tracks.length) };
  countIn(message, platform.sequenceField, problems);
  if (problems.length > 0) return problems;
  const metadata: Record<string, string> = { platform: platform.name };
  for (const name of platform.ids) {
    const value = textIn(start, name) ?? textIn(message, name);
    if (value !== undefined) metadata[name] = value;
  }
  const stream = textIn(message, "stream_id");
  if (stream !== undefined) metadata["stream_id"] = stream;
  const parameters = all.filter(([name]) => name !== "" && !OWN_PARAMETERS.includes(name));
  const isUnnamed = all.some(([name]) => name === "");
  const ineffective = isUnnamed ? ["a parameter of start has no effect: it has no name"] : [];
  return { format, tracks, byteOrder: order as ByteOrder, parameters, metadata, ineffective };
}
