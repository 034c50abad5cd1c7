// The description of the samples in WAV files, and the same as the header of an AU file: FFmpeg's demuxer of RIFX, the
// big-endian form of WAV, takes the samples for little-endian ones.
import type { SampleFormat } from "../../stream-format.ts";
import type { FilePart, Patch } from "../file-part.ts";
import { LEAST_SAMPLE_RATE, MOST_SAMPLE_RATE } from "../frames.ts";
import { MAXIMUM_CHANNELS } from "../message.ts";

/** Samples of a fixed size. */
export interface SampleCoding {
  sampleBytes: number;
  /** Position of the most significant byte of a sample. */
  significantByte: number;
}

export interface WaveFormat {
  code: number;
  channels: number;
  sampleRate: number;
  bits: number;
}

const FORMAT_BYTES = 16;
const EXTENSIBLE = 0xfffe;
/** Offset of the encoding's identifier in the extensible form. */
const SUBFORMAT_AT = 24;
const BITS_AT = 14;
const VALID_BITS_AT = 18;
const PCM = 1;
const FLOAT = 3;
const A_LAW = 6;
const MU_LAW = 7;

const AU_HEADER_BYTES = 24;
const WAVE_HEADER_BYTES = 44;
const LARGEST_32_BITS = 0xffff_ffff;
/** AU's encodings by WAV's code and the bits of a sample. */
const AU_ENCODINGS: Readonly<Record<string, number>> = {
  [`${PCM}-16`]: 3,
  [`${PCM}-24`]: 4,
  [`${PCM}-32`]: 5,
  [`${FLOAT}-32`]: 6,
  [`${FLOAT}-64`]: 7,
  [`${MU_LAW}-8`]: 1,
  [`${A_LAW}-8`]: 27,
};

/** @param chunk  content of the chunk "fmt " @returns undefined if it is too short */
export function waveFormat(chunk: Buffer, isBig: boolean): WaveFormat | undefined {
  if (chunk.length < FORMAT_BYTES) return undefined;
  const short = (at: number) => (isBig ? chunk.readUInt16BE(at) : chunk.readUInt16LE(at));
  const code = short(0);
  const isExtensible = code === EXTENSIBLE && chunk.length >= SUBFORMAT_AT + 4;
  return {
    code: isExtensible ? short(isBig ? SUBFORMAT_AT + 2 : SUBFORMAT_AT) : code,
    channels: short(2),
    sampleRate: isBig ? chunk.readUInt32BE(4) : chunk.readUInt32LE(4),
    bits: short(BITS_AT),
  };
}

/**
 * FFmpeg takes the number of valid bits for the size of a sample: it reads 24 valid bits in samples of 32 bits as samples of 24 bits.
 * @param chunk    content of the chunk "fmt "
 * @param atBytes  its position in the file
 * @returns what must replace it
 */
export function validBitsPatch(chunk: Buffer, atBytes: number): Patch[] {
  if (chunk.length < SUBFORMAT_AT + 4 || chunk.readUInt16LE(0) !== EXTENSIBLE) return [];
  const bits = chunk.subarray(BITS_AT, BITS_AT + 2);
  const isSame = bits.equals(chunk.subarray(VALID_BITS_AT, VALID_BITS_AT + 2));
  return isSame || chunk.readUInt16LE(BITS_AT) % 8 !== 0 ? [] : [{ atBytes: atBytes + VALID_BITS_AT, bytes: bits }];
}

/** @returns undefined for compressed samples */
export function codingOf({ code, bits }: WaveFormat, isBig: boolean): SampleCoding | undefined {
  const isPlain = code === PCM || code === FLOAT || code === A_LAW || code === MU_LAW;
  if (!isPlain || bits % 8 !== 0 || bits < 8 || bits > 64) return undefined;
  const sampleBytes = bits / 8;
  return { sampleBytes, significantByte: isBig ? 0 : sampleBytes - 1 };
}

/** Samples that signal-check.ts can judge. */
export function sampleFormat({ code, bits, channels, sampleRate }: WaveFormat): SampleFormat | undefined {
  if (channels < 1 || channels > MAXIMUM_CHANNELS) return undefined;
  if (sampleRate < LEAST_SAMPLE_RATE || sampleRate > MOST_SAMPLE_RATE) return undefined;
  const common = { bitDepth: bits, channels, sampleRate };
  if (code === PCM && [8, 16, 24, 32].includes(bits)) return { encoding: "wav/pcm", ...common };
  if (code === FLOAT && bits === 32) return { encoding: "float", ...common };
  if (bits !== 8) return undefined;
  if (code === A_LAW) return { encoding: "wav/alaw", ...common };
  return code === MU_LAW ? { encoding: "wav/ulaw", ...common } : undefined;
}

function auHeader({ channels, sampleRate }: WaveFormat, encoding: number, lengthBytes: number): Buffer {
  const header = Buffer.alloc(AU_HEADER_BYTES);
  header.write(".snd");
  const fields = [AU_HEADER_BYTES, Math.min(lengthBytes, LARGEST_32_BITS), encoding, sampleRate, channels];
  for (const [index, field] of fields.entries()) header.writeUInt32BE(field, 4 + 4 * index);
  return header;
}

/** Samples of one byte have no order of bytes. */
function waveHeader({ channels, sampleRate }: WaveFormat, lengthBytes: number): Buffer {
  const header = Buffer.alloc(WAVE_HEADER_BYTES);
  header.write("RIFF");
  header.writeUInt32LE(Math.min(LARGEST_32_BITS, lengthBytes + WAVE_HEADER_BYTES - 8), 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(FORMAT_BYTES, 16);
  header.writeUInt16LE(PCM, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * channels, 28);
  header.writeUInt16LE(channels, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36);
  header.writeUInt32LE(lengthBytes > LARGEST_32_BITS ? 0 : lengthBytes, 40);
  return header;
}

/**
 * A part that FFmpeg reads with the right order of bytes: its header replaces the bytes before the samples.
 * @param soundBytes  position of the samples; at least the length of a WAV header
 * @returns undefined if the samples are compressed
 */
export function bigEndianWave(format: WaveFormat, soundBytes: number, lengthBytes: number): FilePart | undefined {
  const encoding = AU_ENCODINGS[`${format.code}-${format.bits}`];
  const isBytes = format.code === PCM && format.bits === 8;
  if (encoding === undefined && !isBytes) return undefined;
  const header = encoding === undefined ? waveHeader(format, lengthBytes) : auHeader(format, encoding, lengthBytes);
  const startBytes = soundBytes - header.length;
  return {
    format: encoding === undefined ? "wav" : "au",
    startBytes,
    endBytes: soundBytes + lengthBytes,
    patches: [{ atBytes: startBytes, bytes: header }],
    extension: "wav",
  };
}
