// Raw audio from clients: interleaved samples of one encoding. Converts bytes to samples per channel.
import { ALAW, ULAW } from "./g711.ts";

export type Encoding = "wav/pcm" | "wav/alaw" | "wav/ulaw";

export interface StreamFormat {
  encoding: Encoding;
  /** 8 (unsigned), 16, 24 or 32 for PCM; 8 for A-law and mu-law. */
  bitDepth: number;
  /** Hz. */
  sampleRate: number;
  channels: number;
}

/** Format of the raw samples of a request, which may also be 32-bit floating-point numbers. */
export type SampleFormat = Omit<StreamFormat, "encoding"> & { encoding: Encoding | "float" };

export const bytesPerFrame = ({ bitDepth, channels }: SampleFormat) => (bitDepth / 8) * channels;
export const bytesPerSecond = (format: SampleFormat) => bytesPerFrame(format) * format.sampleRate;

/** The byte that represents silence. */
export function silentByte({ encoding, bitDepth }: StreamFormat): number {
  if (encoding === "wav/alaw") return 0xd5;
  if (encoding === "wav/ulaw") return 0xff;
  return bitDepth === 8 ? 128 : 0;
}

type ReadSample = (bytes: Buffer, offset: number) => number;

function sampleReader({ encoding, bitDepth }: SampleFormat): ReadSample {
  if (encoding === "float") return (bytes, offset) => bytes.readFloatLE(offset);
  if (encoding === "wav/alaw") return (bytes, offset) => ALAW[bytes[offset] as number] as number;
  if (encoding === "wav/ulaw") return (bytes, offset) => ULAW[bytes[offset] as number] as number;
  switch (bitDepth) {
    case 8:
      return (bytes, offset) => ((bytes[offset] as number) - 128) / 128;
    case 16:
      return (bytes, offset) => bytes.readInt16LE(offset) / 32_768;
    case 24:
      return (bytes, offset) => bytes.readIntLE(offset, 3) / 8_388_608;
    default:
      return (bytes, offset) => bytes.readInt32LE(offset) / 2_147_483_648;
  }
}

/**
 * @param bytes  whole frames; an incomplete frame at the end is ignored
 * @returns samples in -1 to 1, one array per channel; floating-point numbers as they are
 */
export function decodeFrames(bytes: Buffer, format: SampleFormat): Float32Array[] {
  const read = sampleReader(format);
  const frameBytes = bytesPerFrame(format);
  const sampleBytes = format.bitDepth / 8;
  const frames = Math.floor(bytes.length / frameBytes);
  return Array.from({ length: format.channels }, (_, channel) => {
    const samples = new Float32Array(frames);
    for (let frame = 0; frame < frames; frame++) {
      samples[frame] = read(bytes, frame * frameBytes + channel * sampleBytes);
    }
    return samples;
  });
}
