// Recognises by the first bytes of a stream that it does not consist of raw samples: containers, compressed audio,
// text. WAV headers are handled in wav.ts. Sources: the specifications of the formats; signatures of four bytes and
// more do not occur at the start of real recordings.

export type StreamKind =
  /** No known format: raw samples. */
  | { kind: "raw" }
  /** More bytes are needed. */
  | { kind: "incomplete" }
  | { kind: "known"; name: string };

export const ID3_HEADER_BYTES = 10;

/** Flag of an ID3v2.4 tag. */
const HAS_FOOTER = 0x10;

/** @param header  of an ID3v2 tag @returns length of the tag with its header and footer; its lengths have seven bits in a byte */
export function id3Length(header: Buffer): number {
  const footer = ((header[5] ?? 0) & HAS_FOOTER) === 0 ? 0 : ID3_HEADER_BYTES;
  return ID3_HEADER_BYTES + id3Number(header.subarray(6, ID3_HEADER_BYTES)) + footer;
}

/** A number of which each byte has seven bits. */
export const id3Number = (bytes: Buffer): number => bytes.reduce((sum, byte) => sum * 128 + (byte & 127), 0);

/** Longest distance from the first byte to the end of a signature. */
const SIGNATURE_BYTES = 16;

const latin = (text: string) => Buffer.from(text, "latin1");

/** Name, then pairs of an offset and the bytes at it. */
const SIGNATURES: readonly (readonly [
  name: string,
  ...parts: readonly (readonly [offset: number, bytes: Buffer])[],
])[] = [
  ["WebM or Matroska", [0, Buffer.from("1a45dfa3", "hex")]],
  ["WebM or Matroska", [0, Buffer.from("1f43b675", "hex")]],
  ["Ogg", [0, latin("OggS")]],
  ["FLAC", [0, latin("fLaC")]],
  ...["ftyp", "styp", "moov", "moof", "sidx"].map((box) => ["MP4, M4A or QuickTime", [4, latin(box)]] as const),
  ["AIFF", [0, latin("FORM")], [8, latin("AIF")]],
  ["8SVX", [0, latin("FORM")], [8, latin("8SVX")]],
  ["MP3 (ID3 tag)", [0, latin("ID3")], [4, Buffer.of(0)]],
  ["big-endian WAV (RIFX)", [0, latin("RIFX")]],
  ["64-bit WAV (RF64)", [0, latin("RF64")]],
  ["Wave64", [0, Buffer.from("726966662e91cf11", "hex")]],
  ["AVI", [0, latin("RIFF")], [8, latin("AVI ")]],
  ["Core Audio Format (CAF)", [0, latin("caff")]],
  ["AU", [0, latin(".snd")]],
  ["NIST SPHERE", [0, latin("NIST_1A")]],
  ["AMR", [0, latin("#!AMR")]],
  ["SILK", [0, latin("#!SILK")]],
  ["SILK", [1, latin("#!SILK")]],
  ["ASF or WMA", [0, Buffer.from("3026b2758e66cf11", "hex")]],
  ["Flash video", [0, Buffer.from("464c5601", "hex")]],
  ["MPEG program stream", [0, Buffer.from("000001ba", "hex")]],
  ["WavPack", [0, latin("wvpk")]],
  ["Monkey's Audio", [0, latin("MAC ")], [6, Buffer.of(0, 0)]],
  ["gzip", [0, Buffer.from("1f8b0800", "hex")]],
  ["ZIP", [0, Buffer.from("504b0304", "hex")]],
];

/** Consecutive matching frames required for MPEG audio: a single frame header also occurs in raw samples. */
const AGREEING_FRAMES = 3;
const TRANSPORT_PACKET_BYTES = 188;
const TRANSPORT_SYNC = 0x47;
/** Kilobits per second, by index. */
const BITRATES: Readonly<Record<string, readonly number[]>> = {
  "1.1": [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  "1.2": [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  "1.3": [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  "2.1": [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  "2.2": [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/** A frame of MPEG audio or of AAC with an ADTS header. */
export interface StreamFrame {
  name: string;
  bytes: number;
  /** Header bits that are equal in all frames of a stream. */
  traits: number;
}

/** ISO 11172-3 and 13818-3. */
export function mpegFrame(bytes: Buffer, at: number): StreamFrame | undefined {
  const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
  const [version, layerBits] = [(second >> 3) & 3, (second >> 1) & 3];
  const [bitrateIndex, rateIndex] = [third >> 4, (third >> 2) & 3];
  const isHeader = first === 0xff && second >= 0xe0 && version !== 1 && layerBits !== 0;
  if (!isHeader || bitrateIndex === 0 || bitrateIndex === 15 || rateIndex === 3) return undefined;
  const layer = 4 - layerBits;
  const bitrates = version === 3 ? BITRATES[`1.${layer}`] : BITRATES[layer === 1 ? "2.1" : "2.2"];
  const rate = (SAMPLE_RATES[rateIndex] as number) / (version === 3 ? 1 : version === 2 ? 2 : 4);
  const bitrate = 1_000 * ((bitrates as readonly number[])[bitrateIndex - 1] as number);
  const padding = (third >> 1) & 1;
  const slots = layer === 3 && version !== 3 ? 72 : 144;
  const length =
    layer === 1 ? 4 * (Math.floor((12 * bitrate) / rate) + padding) : Math.floor((slots * bitrate) / rate) + padding;
  return { name: layer === 3 ? "MP3" : `MPEG audio layer ${layer}`, bytes: length, traits: (second << 2) | rateIndex };
}

/** ISO 13818-7: at most 6,144 bits per channel; longer frames of many channels are not recognised. */
const AAC_FRAME_BYTES: readonly [least: number, most: number] = [8, 2_048];

export function aacFrame(bytes: Buffer, at: number): StreamFrame | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = bytes.subarray(at, at + 6);
  if (first !== 0xff || (second & 0xf6) !== 0xf0) return undefined;
  const length = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
  const [least, most] = AAC_FRAME_BYTES;
  return length >= least && length <= most
    ? { name: "AAC (ADTS)", bytes: length, traits: (second << 8) | (third & 0xfd) }
    : undefined;
}

export const FRAME_HEADER_BYTES = 6;

/** @returns undefined if the bytes are not such frames */
function framesKind(
  start: Buffer,
  frameAt: (bytes: Buffer, at: number) => StreamFrame | undefined,
): StreamKind | undefined {
  const first = frameAt(start, 0);
  if (!first) return undefined;
  let at = 0;
  for (let count = 0; count < AGREEING_FRAMES; count++) {
    if (start.length < at + FRAME_HEADER_BYTES) return { kind: "incomplete" };
    const frame = frameAt(start, at);
    if (frame?.traits !== first.traits) return undefined;
    at += frame.bytes;
  }
  return { kind: "known", name: first.name };
}

function transportKind(start: Buffer): StreamKind | undefined {
  for (let count = 0; count < AGREEING_FRAMES; count++) {
    const byte = start[count * TRANSPORT_PACKET_BYTES];
    if (byte === undefined) return { kind: "incomplete" };
    if (byte !== TRANSPORT_SYNC) return undefined;
  }
  return { kind: "known", name: "MPEG transport stream" };
}

const LEAST_TEXT_BYTES = 128;
/** Neighbouring characters of text differ by about 25; 8-bit samples in this range by less. */
const LEAST_TEXT_DIFFERENCE = 8;
const isTextByte = (byte: number) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Samples with these bytes would have those between the digits and the letters, too. */
const isHexadecimal = (text: string) =>
  /\d/.test(text) && /[A-Fa-f]/.test(text) && (/^[\da-f\s]*$/.test(text) || /^[\dA-F\s]*$/.test(text));

/** Whether the bytes are text, for example base64, rather than samples. @param bytes  LEAST_TEXT_BYTES or more */
export function isText(bytes: Buffer): boolean {
  if (bytes.length < LEAST_TEXT_BYTES || !bytes.every(isTextByte)) return false;
  let difference = 0;
  for (let at = 1; at < bytes.length; at++) difference += Math.abs((bytes[at] as number) - (bytes[at - 1] as number));
  const text = bytes.toString("latin1");
  if (difference / bytes.length <= LEAST_TEXT_DIFFERENCE) return false;
  return isHexadecimal(text) || (/[A-Z]/.test(text) && /[a-z]/.test(text));
}

export const TEXT_NAME = "text, for example base64";

/** Encodings of the compressed streams that a live session can decode, by the names above. */
export const STREAM_ENCODINGS: Readonly<Record<string, string>> = {
  Ogg: "ogg/opus",
  "WebM or Matroska": "webm/opus",
  "AAC (ADTS)": "aac",
  MP3: "mp3",
  "MP3 (ID3 tag)": "mp3",
};

/** @param start  the first bytes of a stream that does not begin with a WAV header */
export function streamKind(start: Buffer): StreamKind {
  if (start.length < SIGNATURE_BYTES) return { kind: "incomplete" };
  for (const [name, ...parts] of SIGNATURES) {
    if (parts.every(([offset, bytes]) => bytes.equals(start.subarray(offset, offset + bytes.length)))) {
      return { kind: "known", name };
    }
  }
  const framed = framesKind(start, mpegFrame) ?? framesKind(start, aacFrame) ?? transportKind(start);
  if (framed) return framed;
  const beginning = start.subarray(0, LEAST_TEXT_BYTES);
  if (!beginning.every(isTextByte)) return { kind: "raw" };
  if (start.length < LEAST_TEXT_BYTES) return { kind: "incomplete" };
  return isText(beginning) ? { kind: "known", name: TEXT_NAME } : { kind: "raw" };
}
