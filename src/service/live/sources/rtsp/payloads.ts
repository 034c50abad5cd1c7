// Formats of RTP whose packets are decoded: what the description of a track states, and the frames in its packets.
import { mpegFrame } from "../../../../speech/audio/container-format.ts";
import type { CodecSetup } from "../../../../speech/audio/streams/demuxer.ts";
import type { RtpPacket } from "./rtp.ts";
import type { RtpFormat } from "./sdp.ts";

export interface Frame {
  bytes: Buffer;
  /** Time after that of the packet. */
  seconds: number;
}

export interface Payloads {
  setup: CodecSetup;
  /** @param isAfterLoss  packets before it are missing: the frame that they began is lost */
  frames(packet: RtpPacket, isAfterLoss: boolean): Frame[];
}

/** Longest frame that several packets have. */
const MOST_FRAME_BYTES = 65_536;
const AAC_SAMPLES = 1_024;
const AAC_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000];
const LOW_COMPLEXITY = 2;
const MOST_CONFIG_BYTES = 64;
const MOST_FIELD_BITS = 16;
const [LEAST_RATE, MOST_RATE] = [8_000, 48_000];
const OPUS_CHANNELS = 2;
/** Field before the frames of MPEG audio (RFC 2250, 3.5). */
const MPEG_HEADER_BYTES = 4;
/** Bits of StreamMuxConfig before the description of AAC, for one program of one layer (ISO 14496-3, 1.7.3). */
const MULTIPLEX_BITS = 15;

/** Gathers the pieces of a frame. */
class Pieces {
  private pieces: Buffer[] = [];
  private length = 0;

  clear(): void {
    this.pieces = [];
    this.length = 0;
  }

  /** Bytes so far. */
  get size(): number {
    return this.length;
  }

  add(piece: Buffer): void {
    if (this.length + piece.length > MOST_FRAME_BYTES) {
      this.clear();
      return;
    }
    // The memory of a packet is part of a larger one.
    this.pieces.push(Buffer.from(piece));
    this.length += piece.length;
  }

  whole(): Buffer {
    const whole = Buffer.concat(this.pieces, this.length);
    this.clear();
    return whole;
  }
}

/** AudioSpecificConfig in hexadecimal digits. */
function configOf(text: string | undefined): Buffer | undefined {
  return text !== undefined && /^(?:[0-9a-f]{2}){2,64}$/i.test(text) && text.length <= 2 * MOST_CONFIG_BYTES
    ? Buffer.from(text, "hex")
    : undefined;
}

/** The configuration that is assumed for cameras that describe none. */
function standardConfig({ rate, channels }: RtpFormat): Buffer | undefined {
  const index = AAC_RATES.indexOf(rate);
  return index < 0 ? undefined : Buffer.of((LOW_COMPLEXITY << 3) | (index >> 1), ((index & 1) << 7) | (channels << 3));
}

const bitsAt = (bytes: Buffer, at: number, count: number): number => {
  let value = 0;
  for (let bit = at; bit < at + count; bit++) value = (value << 1) | (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1);
  return value;
};

/** AAC in the mode for high rates (RFC 3640, 3.3.6). */
function genericAac(format: RtpFormat): Payloads | undefined {
  const { parameters, rate } = format;
  const mode = parameters.get("mode")?.toLowerCase();
  if (mode !== undefined && !mode.startsWith("aac")) return undefined;
  const isLow = mode === "aac-lbr";
  const bits = (name: string, high: number, low: number) => {
    const value = Number.parseInt(parameters.get(name) ?? "", 10);
    return Number.isNaN(value) ? (isLow ? low : high) : Math.min(Math.max(value, 0), MOST_FIELD_BITS);
  };
  const size = Math.max(1, bits("sizelength", 13, 6));
  const [first, next] = [size + bits("indexlength", 3, 2), size + bits("indexdeltalength", 3, 2)];
  const head = configOf(parameters.get("config")) ?? standardConfig(format);
  if (!head || rate < LEAST_RATE) return undefined;
  const pieces = new Pieces();
  /** Of the frame whose pieces arrive. */
  let begun = { length: 0, timestamp: 0 };
  const frames = ({ payload, isMarked, timestamp }: RtpPacket, isAfterLoss: boolean): Frame[] => {
    if (isAfterLoss || timestamp !== begun.timestamp) pieces.clear();
    if (payload.length < 2) return [];
    const headers = payload.readUInt16BE(0);
    const end = 16 + headers;
    let at = 2 + Math.ceil(headers / 8);
    const found: Frame[] = [];
    for (let bit = 16; bit + size <= end && at < payload.length; bit += bit === 16 ? first : next) {
      const length = bitsAt(payload, bit, size);
      const bytes = payload.subarray(at, at + length);
      at += bytes.length;
      if (bytes.length === length && pieces.size === 0) {
        found.push({ bytes, seconds: (found.length * AAC_SAMPLES) / rate });
        continue;
      }
      if (pieces.size === 0) begun = { length, timestamp };
      pieces.add(bytes);
      if (!isMarked) continue;
      const whole = pieces.whole();
      if (whole.length === begun.length) found.push({ bytes: whole, seconds: 0 });
    }
    return found;
  };
  return { setup: { codec: "aac", head }, frames };
}

/** The description of AAC within that of a multiplex; undefined for what has more than one layer. */
function multiplexedConfig(text: string | undefined): Buffer | undefined {
  const multiplex = configOf(text);
  // Version 0, the same timing for all, one program, one layer.
  if (!multiplex || bitsAt(multiplex, 0, 1) !== 0 || bitsAt(multiplex, 8, 7) !== 0) return undefined;
  const bytes = Math.ceil((multiplex.length * 8 - MULTIPLEX_BITS) / 8);
  return Buffer.from(Array.from({ length: bytes }, (_, at) => bitsAt(multiplex, MULTIPLEX_BITS + 8 * at, 8)));
}

/** AAC in a multiplex that the description states (RFC 6416). */
function multiplexedAac({ parameters, rate }: RtpFormat): Payloads | undefined {
  const text = parameters.get("config");
  const head = parameters.get("cpresent") === "0" ? multiplexedConfig(text) : undefined;
  const multiplex = configOf(text);
  if (!head || !multiplex || rate < LEAST_RATE) return undefined;
  const most = 1 + bitsAt(multiplex, 2, 6);
  const pieces = new Pieces();
  const frames = ({ payload, isMarked }: RtpPacket, isAfterLoss: boolean): Frame[] => {
    if (isAfterLoss) pieces.clear();
    pieces.add(payload);
    if (!isMarked) return [];
    const whole = pieces.whole();
    const found: Frame[] = [];
    for (let at = 0; at < whole.length && found.length < most; ) {
      let length = 0;
      let byte = 255;
      while (byte === 255) {
        byte = whole[at++] ?? 0;
        length += byte;
      }
      found.push({ bytes: whole.subarray(at, at + length), seconds: (found.length * AAC_SAMPLES) / rate });
      at += length;
    }
    return found;
  };
  return { setup: { codec: "aac", head }, frames };
}

/** Frames of MPEG audio, of which a packet has several, or a part of one (RFC 2250). */
function mpegAudio(): Payloads {
  const pieces = new Pieces();
  let expected = 0;
  const frames = ({ payload }: RtpPacket, isAfterLoss: boolean): Frame[] => {
    if (payload.length <= MPEG_HEADER_BYTES) return [];
    const isLater = payload.readUInt16BE(2) > 0;
    const body = payload.subarray(MPEG_HEADER_BYTES);
    if (!isLater || isAfterLoss) pieces.clear();
    if (!isLater) {
      expected = mpegFrame(body, 0)?.bytes ?? 0;
      if (expected <= body.length) return [{ bytes: body, seconds: 0 }];
      pieces.add(body);
    } else if (pieces.size > 0) pieces.add(body);
    return pieces.size > 0 && pieces.size >= expected ? [{ bytes: pieces.whole(), seconds: 0 }] : [];
  };
  return { setup: { codec: "mp3" }, frames };
}

const whole = ({ payload }: RtpPacket): Frame[] => (payload.length > 0 ? [{ bytes: payload, seconds: 0 }] : []);

function samples(codec: CodecSetup["codec"], { rate, channels }: RtpFormat): Payloads | undefined {
  if (rate < LEAST_RATE || rate > MOST_RATE) return undefined;
  return { setup: { codec, sampleRate: rate, channels }, frames: whole };
}

const FORMATS = new Map<string, (format: RtpFormat) => Payloads | undefined>(
  Object.entries({
    "MPEG4-GENERIC": genericAac,
    "MP4A-LATM": multiplexedAac,
    OPUS: ({ rate }) =>
      rate === MOST_RATE ? { setup: { codec: "opus", channels: OPUS_CHANNELS }, frames: whole } : undefined,
    PCMU: (format) => samples("mu-law", format),
    PCMA: (format) => samples("a-law", format),
    L16: (format) => samples("s16be", format),
    MPA: ({ rate }) => (rate > 0 ? mpegAudio() : undefined),
  }),
);

/** @returns undefined for formats that are not decoded */
export const payloadsOf = (format: RtpFormat): Payloads | undefined => FORMATS.get(format.encoding)?.(format);
