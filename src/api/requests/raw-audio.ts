// Raw samples of a request as a WAV file: decoders read containers. The length is not known before the end, so the header states an
// unknown one, as FFmpeg does for a pipe.
import { Readable } from "node:stream";
import { streamKind } from "../../speech/audio/container-format.ts";

export interface RawFormat {
  encoding: keyof typeof ENCODINGS;
  sampleRate: number;
  channels: number;
}

/** Format tag of WAVE (RFC 2361) and bits of a sample. linear32 has floating-point samples. */
const ENCODINGS = { linear16: [1, 16], linear32: [3, 32], mulaw: [7, 8], alaw: [6, 8] } as const;

const UNKNOWN_LENGTH = 0xffff_ffff;
const HEADER_BYTES = 46;
const FORMAT_BYTES = 18;
/** Frames of MP3 and AAC are recognised by the first three. */
const MOST_BEGINNING_BYTES = 8_192;

export const bytesPerSecond = ({ encoding, sampleRate, channels }: RawFormat) =>
  (sampleRate * channels * ENCODINGS[encoding][1]) / 8;

export function waveHeader(format: RawFormat): Buffer {
  const { encoding, sampleRate, channels } = format;
  const [tag, bits] = ENCODINGS[encoding];
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(UNKNOWN_LENGTH, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(FORMAT_BYTES, 16);
  header.writeUInt16LE(tag, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(bytesPerSecond(format), 28);
  header.writeUInt16LE((channels * bits) / 8, 32);
  header.writeUInt16LE(bits, 34);
  header.write("data", 38, "latin1");
  header.writeUInt32LE(UNKNOWN_LENGTH, 42);
  return header;
}

const isWave = (bytes: Buffer) =>
  bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WAVE";

/** @returns undefined if more bytes are needed */
function isFile(beginning: Buffer): boolean | undefined {
  const { kind } = streamKind(beginning);
  if (kind === "incomplete" && beginning.length < MOST_BEGINNING_BYTES) return undefined;
  return kind === "known" || isWave(beginning);
}

export interface RawAudioOptions {
  /** Of the samples that are kept; the others are read and discarded. */
  mostSeconds?: number;
  /** Called with the samples, in pieces of any size; not called for a file. */
  onSamples?(bytes: Buffer): void;
}

async function* withHeader(
  content: AsyncIterable<Buffer>,
  format: RawFormat,
  { mostSeconds = Number.POSITIVE_INFINITY, onSamples }: RawAudioOptions,
): AsyncGenerator<Buffer> {
  let beginning = Buffer.alloc(0);
  let hasBegun = false;
  let isRaw = true;
  let left = mostSeconds * bytesPerSecond(format);
  const kept = (bytes: Buffer) => {
    const part = bytes.subarray(0, left);
    left -= part.length;
    if (isRaw) onSamples?.(part);
    return part;
  };
  for await (const chunk of content) {
    if (hasBegun) {
      if (left > 0) yield kept(chunk);
      continue;
    }
    beginning = Buffer.concat([beginning, chunk]);
    const found = isFile(beginning);
    if (found === undefined) continue;
    hasBegun = true;
    // Some clients send a file as raw samples; what it contains is no sound.
    isRaw = !found;
    if (isRaw) yield waveHeader(format);
    yield kept(beginning);
  }
  if (!hasBegun && beginning.length > 0) {
    isRaw = !isWave(beginning);
    yield isRaw ? Buffer.concat([waveHeader(format), kept(beginning)]) : kept(beginning);
  }
}

/** Gives raw samples the header of a WAV file. A file of a known format is passed through. Empty input gives empty output. */
export function asWave(content: AsyncIterable<Buffer>, format: RawFormat, options: RawAudioOptions = {}): Readable {
  return Readable.from(withHeader(content, format, options), { objectMode: false });
}
