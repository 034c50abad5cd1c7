// FreeSWITCH's modules mod_audio_fork and mod_audio_stream: WebSockets of /telephony/freeswitch. The first text message has the caller's
// metadata; audio follows in binary messages, and transcripts are JSON that the modules hand to applications as events.
import { SAMPLE_RATES } from "../../../../contract/live.ts";
import type { Dialect, Frame, Opening } from "../dialect.ts";
import {
  AudioConversation,
  type AudioWire,
  type Begun,
  MOST_AUDIO_MESSAGE_BYTES,
  type Transcript,
} from "../telephony/audio-conversation.ts";
import { PCM_BIT_DEPTH } from "../telephony/start-message.ts";
import { type Fields, isFields, isTooDeep, shown } from "../text-message.ts";

const PATH = /^\/telephony\/freeswitch\/?$/;
const PARAMETERS = ["sample_rate", "channels", "partials"];
/** The modules' own default. */
const SAMPLE_RATE = 8_000;
const MOST_METADATA_BYTES = 16_384;

function oneOf<Value extends string | number>(
  query: URLSearchParams,
  name: string,
  allowed: readonly Value[],
  missing: Value,
  problems: string[],
): Value {
  const given = query.get(name);
  if (given === null) return missing;
  const found = allowed.find((one) => String(one) === given);
  if (found === undefined) problems.push(`${name} must be one of ${allowed.join(", ")}; it is ${shown(given)}`);
  return found ?? missing;
}

/** An object in JSON, or any other text as it is. */
function metadataIn(bytes: Buffer, problems: string[]): Fields {
  if (bytes.length > MOST_METADATA_BYTES) {
    problems.push(`the metadata has ${bytes.length} bytes; at most ${MOST_METADATA_BYTES} are allowed`);
    return {};
  }
  const text = bytes.toString();
  if (isTooDeep(text)) {
    problems.push("the metadata is nested too deep");
    return {};
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return value;
  } catch {
    // Not JSON.
  }
  return text === "" ? {} : { metadata: text };
}

function begin({ bytes, isBinary }: Frame, { query }: Opening): Begun | string[] {
  const problems: string[] = [];
  const sampleRate = oneOf(query, "sample_rate", SAMPLE_RATES, SAMPLE_RATE, problems);
  const channels = oneOf(query, "channels", [1, 2], 1, problems);
  const partials = oneOf(query, "partials", ["true", "false"], "false", problems);
  const metadata = isBinary ? {} : metadataIn(bytes, problems);
  if (problems.length > 0) return problems;
  return {
    start: {
      format: { encoding: "wav/pcm", bitDepth: PCM_BIT_DEPTH, sampleRate, channels },
      metadata: { ...metadata, platform: "freeswitch" },
      sendsPartials: partials === "true",
    },
    ...(isBinary ? { audio: bytes } : {}),
    read: () => ({ warning: "text messages after the first one have no effect" }),
    print,
  };
}

function print({ sessionId, id, utterance, isFinal }: Transcript): object {
  const { text, start, end, language, confidence, channel, words, speaker } = utterance;
  return {
    type: "transcription",
    data: {
      ...{ session_id: sessionId, id, is_final: isFinal, transcript: text.trim(), confidence, language, channel },
      ...{ start, end, words, ...(speaker === undefined ? {} : { speaker }) },
    },
  };
}

const wire: AudioWire = {
  parameters: PARAMETERS,
  begin,
  error: (reason) => ({ type: "error", data: { message: reason } }),
};

export const freeswitchAudio: Dialect = {
  name: "freeswitch",
  mostMessageBytes: MOST_AUDIO_MESSAGE_BYTES,
  accepts: (path) => PATH.test(path),
  open: (opening) => new AudioConversation(wire, opening),
};
