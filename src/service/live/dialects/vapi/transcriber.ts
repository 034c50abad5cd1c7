// Vapi's custom transcriber: WebSockets of /telephony/vapi. Two channels of PCM come in; transcripts of each speaker go out.
import { SAMPLE_RATES } from "../../../../contract/live.ts";
import type { Dialect, Frame, Opening } from "../dialect.ts";
import {
  AudioConversation,
  type AudioWire,
  type Begun,
  MOST_AUDIO_MESSAGE_BYTES,
  type Transcript,
} from "../telephony/audio-conversation.ts";
import { PCM_BIT_DEPTH, readStartMessage, StartFields, unknownFields } from "../telephony/start-message.ts";
import { readTextMessage, shown } from "../text-message.ts";

const PATH = /^\/telephony\/vapi\/?$/;
/** Speakers by their channel. */
const SPEAKERS = ["customer", "assistant"];
const CHANNELS = [1, 2];
const SWITCH = ["true", "false"];

function begin({ bytes, isBinary }: Frame, { query }: Opening): Begun | string[] {
  const message = readStartMessage(bytes, isBinary);
  if ("refused" in message) return [message.refused];
  const fields = new StartFields(message.fields);
  fields.expect("encoding", "linear16");
  fields.expect("container", "raw");
  const sampleRate = fields.oneOf("sampleRate", SAMPLE_RATES, 16_000);
  const channels = fields.oneOf("channels", CHANNELS, 2);
  const partials = query.get("partials") ?? "false";
  if (!SWITCH.includes(partials)) fields.problems.push(`partials must be true or false; it is ${shown(partials)}`);
  if (fields.problems.length > 0) return fields.problems;
  return {
    start: {
      format: { encoding: "wav/pcm", bitDepth: PCM_BIT_DEPTH, sampleRate, channels },
      metadata: { platform: "vapi" },
      sendsPartials: partials === "true",
      ineffective: unknownFields(message.unknown("encoding", "container", "sampleRate", "channels")),
    },
    read,
    print,
  };
}

function read(bytes: Buffer): { warning: string } {
  const message = readTextMessage(bytes, "start");
  if ("refused" in message) return { warning: message.refused };
  const { type } = message;
  return { warning: `a message of the type ${typeof type === "string" ? shown(type) : typeof type} has no effect` };
}

const print = ({ utterance, isFinal }: Transcript) => ({
  type: "transcriber-response",
  transcription: utterance.text.trim(),
  channel: SPEAKERS[utterance.channel] ?? SPEAKERS[0],
  transcriptType: isFinal ? "final" : "partial",
});

/** It has no message for errors: the close frame states the reason. */
const wire: AudioWire = { parameters: ["partials"], begin, error: () => undefined };

export const vapiTranscriber: Dialect = {
  name: "vapi",
  mostMessageBytes: MOST_AUDIO_MESSAGE_BYTES,
  accepts: (path) => PATH.test(path),
  open: (opening) => new AudioConversation(wire, opening),
};
