// Raw samples of a request as a WAV file: decoders read containers. The length is not known before the end, so the header states an
// unknown one, as FFmpeg does for a pipe.
import { Readable } from "node:stream";

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
const MAGIC_BYTES = 12;

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

/** @param mostSeconds  of the samples that are kept; the others are read and discarded */
async function* withHeader(
  content: AsyncIterable<Buffer>,
  format: RawFormat,
  mostSeconds: number,
): AsyncGenerator<Buffer> {
  let beginning = Buffer.alloc(0);
  let hasBegun = false;
  let left = mostSeconds * bytesPerSecond(format);
  const kept = (bytes: Buffer) => {
    const part = bytes.subarray(0, left);
    left -= part.length;
    return part;
  };
  for await (const chunk of content) {
    if (hasBegun) {
      if (left > 0) yield kept(chunk);
      continue;
    }
    beginning = Buffer.concat([beginning, chunk]);
    if (beginning.length < MAGIC_BYTES) continue;
    hasBegun = true;
    // Some clients send a WAV file as raw samples; its header is no sound.
    if (!isWave(beginning)) yield waveHeader(format);
    yield kept(beginning);
  }
  if (!hasBegun && beginning.length > 0) yield Buffer.concat([waveHeader(format), kept(beginning)]);
}

/** Gives raw samples the header of a WAV file. A WAV file is passed through. Empty input gives empty output. */
export function asWave(
  content: AsyncIterable<Buffer>,
  format: RawFormat,
  mostSeconds = Number.POSITIVE_INFINITY,
): Readable {
  return Readable.from(withHeader(content, format, mostSeconds), { objectMode: false });
}
