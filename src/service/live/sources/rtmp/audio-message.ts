// Messages of audio in RTMP: those of FLV, and Enhanced RTMP.
import { errors } from "../../../../platform/errors.ts";
import type { CodecSetup } from "../../../../speech/audio/streams/demuxer.ts";
import { shownText } from "../packets/source-error.ts";

/** By the first four bits of a message. */
const NAMES: Readonly<Record<number, string>> = {
  0: "PCM of the sender's order of bytes",
  1: "ADPCM",
  2: "MP3",
  3: "PCM",
  4: "Nellymoser",
  5: "Nellymoser",
  6: "Nellymoser",
  7: "A-law",
  8: "mu-law",
  9: "Enhanced RTMP",
  10: "AAC",
  11: "Speex",
  14: "MP3",
  15: "device-specific",
};
const [MP3, PCM, A_LAW, MU_LAW, ENHANCED, AAC, MP3_8_KHZ] = [2, 3, 7, 8, 9, 10, 14];
const RATES = [5_512, 11_025, 22_050, 44_100];
const TELEPHONE_RATE = 8_000;
/** Types of packets of Enhanced RTMP. */
const [SEQUENCE_START, CODED_FRAMES, MODIFIER] = [0, 1, 7];
const FOUR_CC_BYTES = 4;
const MOST_CONFIG_BYTES = 64;
/** Of the part of OpusHead that states the channels. */
const OPUS_CHANNELS_AT = 9;

export interface AudioMessage {
  /** The format of the packets that follow. */
  setup?: CodecSetup;
  packet?: Buffer;
}

const refused = (name: string) =>
  errors.liveSourceRefused(`its audio is ${name}; over RTMP, AAC, MP3, Opus, G.711 and PCM of 16 bits can be read`);

const configOf = (bytes: Buffer): Buffer | undefined =>
  bytes.length >= 2 && bytes.length <= MOST_CONFIG_BYTES ? Buffer.from(bytes) : undefined;

function aac(bytes: Buffer): AudioMessage {
  const body = bytes.subarray(2);
  if (bytes[1] !== 0) return body.length > 0 ? { packet: body } : {};
  const head = configOf(body);
  return head ? { setup: { codec: "aac", head } } : {};
}

/** @throws live.source_refused */
function samples(format: number, flags: number, bytes: Buffer): AudioMessage {
  const packet = bytes.subarray(1);
  const channels = 1 + (flags & 1);
  if (format !== PCM) {
    const codec = format === A_LAW ? "a-law" : "mu-law";
    return { setup: { codec, sampleRate: TELEPHONE_RATE, channels }, packet };
  }
  const sampleRate = RATES[(flags >> 2) & 3] as number;
  if ((flags & 2) === 0 || sampleRate < TELEPHONE_RATE) throw refused("PCM of 8 bits, or of less than 8,000 Hz");
  return { setup: { codec: "s16le", sampleRate, channels }, packet };
}

/** @throws live.source_refused */
function enhanced(first: number, bytes: Buffer): AudioMessage {
  let type = first & 15;
  let at = 1;
  // Modifiers, such as finer timestamps, precede the packet.
  while (type === MODIFIER && at + 3 < bytes.length) {
    let length = 1 + (bytes[at++] as number);
    if (length === 256) {
      length = 1 + bytes.readUInt16BE(at);
      at += 2;
    }
    at += length;
    type = (bytes[at++] ?? 0) & 15;
  }
  // Further tracks of the sender, and descriptions of channels.
  if ((type !== SEQUENCE_START && type !== CODED_FRAMES) || at + FOUR_CC_BYTES > bytes.length) return {};
  const name = bytes.toString("latin1", at, at + FOUR_CC_BYTES);
  const body = bytes.subarray(at + FOUR_CC_BYTES);
  if (name !== "mp4a" && name !== "Opus" && name !== ".mp3") throw refused(shownText(name));
  if (type === CODED_FRAMES) {
    const packet = body.length > 0 ? { packet: body } : {};
    return name === ".mp3" ? { setup: { codec: "mp3" }, ...packet } : packet;
  }
  if (name === ".mp3") return { setup: { codec: "mp3" } };
  const head = configOf(body);
  if (name === "mp4a") return head ? { setup: { codec: "aac", head } } : {};
  const isHead = body.toString("latin1", 0, 8) === "OpusHead" && body.length > OPUS_CHANNELS_AT;
  const channels = isHead ? Math.min(Math.max(body[OPUS_CHANNELS_AT] as number, 1), 2) : 2;
  return { setup: { codec: "opus", channels } };
}

/** @param bytes  of a message of audio @throws live.source_refused: its format, with its name */
export function readAudio(bytes: Buffer): AudioMessage {
  const first = bytes[0];
  // Senders without sound send empty messages.
  if (first === undefined || bytes.length < 2) return {};
  const format = first >> 4;
  switch (format) {
    case AAC:
      return aac(bytes);
    case MP3:
    case MP3_8_KHZ:
      return { setup: { codec: "mp3" }, packet: bytes.subarray(1) };
    case PCM:
    case A_LAW:
    case MU_LAW:
      return samples(format, first, bytes);
    case ENHANCED:
      return enhanced(first, bytes);
    default:
      throw refused(NAMES[format] ?? `format ${format}`);
  }
}
