// The header of a WAV stream (RIFF). Its lengths are ignored: a stream's header is written before its end is known.
// Source: Multimedia Programming Interface and Data Specifications 1.0, and WAVE_FORMAT_EXTENSIBLE.
import type { Encoding, StreamFormat } from "./stream-format.ts";

export type WavHeader =
  | { kind: "none" }
  /** Starts like a header; more bytes are needed. */
  | { kind: "incomplete" }
  /** `format` is undefined, and `problem` is the reason, if the samples cannot be read. */
  | { kind: "header"; headerBytes: number; format?: StreamFormat; problem?: string };

export const WAV_MAGIC = Buffer.from("RIFF");
const WAVE = Buffer.from("WAVE").readUInt32LE(0);

const ENCODINGS: Record<number, Encoding> = { 1: "wav/pcm", 6: "wav/alaw", 7: "wav/ulaw" };
const EXTENSIBLE = 0xfffe;
const CHUNK_HEADER_BYTES = 8;
/** Length of the shortest header: a format and the beginning of the samples. */
export const HEADER_BYTES = 44;
/** Bounds for the header of a stream, and so for the work of reading one. Recorders write two to ten chunks. */
const MOST_HEADER_BYTES = 65_536;
const MOST_CHUNKS = 32;

/** Names of unsupported encodings by their code (RFC 2361). */
const OTHER_ENCODINGS: Readonly<Record<number, string>> = {
  2: "Microsoft ADPCM",
  3: "floating-point samples",
  17: "IMA ADPCM",
  49: "GSM 6.10",
  80: "MPEG audio",
  85: "MP3",
  255: "AAC",
  353: "Windows Media Audio",
};

function problemOf(code: number, encoding: Encoding | undefined, { bitDepth, channels, sampleRate }: StreamFormat) {
  const name = OTHER_ENCODINGS[code] ?? `encoding ${code}`;
  const given = encoding ? `${bitDepth} bits, ${channels} channels, ${sampleRate} Hz` : `${name} (${bitDepth} bits)`;
  return (
    `the WAV header says ${given}; the samples can be PCM of 8, 16, 24 or 32 bits (integers), A-law or mu-law, ` +
    "1 to 8 channels, 4,000 to 192,000 Hz"
  );
}

function readFormat(chunk: Buffer): { format: StreamFormat } | { problem: string } {
  if (chunk.length < 16) return { problem: "the WAV header has no complete description of the samples" };
  let code = chunk.readUInt16LE(0);
  if (code === EXTENSIBLE && chunk.length >= 26) code = chunk.readUInt16LE(24);
  const encoding = ENCODINGS[code];
  const format = {
    encoding: encoding as Encoding,
    channels: chunk.readUInt16LE(2),
    sampleRate: chunk.readUInt32LE(4),
    bitDepth: chunk.readUInt16LE(14),
  };
  const isKnown =
    encoding !== undefined &&
    format.channels >= 1 &&
    format.channels <= 8 &&
    format.sampleRate >= 4_000 &&
    format.sampleRate <= 192_000 &&
    (encoding === "wav/pcm" ? [8, 16, 24, 32].includes(format.bitDepth) : format.bitDepth === 8);
  return isKnown ? { format } : { problem: problemOf(code, encoding, format) };
}

/** Whether a header can begin at a position; reads twelve bytes. Bytes that have not arrived may belong to one. */
export function mayBeWavHeader(bytes: Buffer, at: number): boolean {
  return bytes.length < at + 12 || bytes.readUInt32LE(at + 8) === WAVE;
}

/**
 * Work: at most 32 chunks, whatever their number and length.
 * @param start  the first bytes of a stream
 */
export function readWavHeader(start: Buffer): WavHeader {
  const compared = Math.min(4, start.length);
  if (!start.subarray(0, compared).equals(WAV_MAGIC.subarray(0, compared))) return { kind: "none" };
  if (start.length < 12) return { kind: "incomplete" };
  if (start.toString("latin1", 8, 12) !== "WAVE") return { kind: "none" };
  let found: ReturnType<typeof readFormat> = { problem: "the WAV header has no description of the samples" };
  for (let at = 12, chunks = 0; at <= MOST_HEADER_BYTES && chunks < MOST_CHUNKS; chunks++) {
    if (start.length < at + CHUNK_HEADER_BYTES) return { kind: "incomplete" };
    const name = start.toString("latin1", at, at + 4);
    const length = start.readUInt32LE(at + 4);
    at += CHUNK_HEADER_BYTES;
    if (name === "data") return { kind: "header", headerBytes: at, ...found };
    if (start.length < at + length) return length > MOST_HEADER_BYTES ? { kind: "none" } : { kind: "incomplete" };
    if (name === "fmt ") found = readFormat(start.subarray(at, at + length));
    // Chunks are aligned to two bytes.
    at += length + (length % 2);
  }
  return { kind: "none" };
}

const CODES: Record<Encoding, number> = { "wav/pcm": 1, "wav/alaw": 6, "wav/ulaw": 7 };

/** Header of a WAV file with `dataBytes` bytes of samples. */
export function writeWavHeader({ encoding, bitDepth, sampleRate, channels }: StreamFormat, dataBytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const frameBytes = (bitDepth / 8) * channels;
  header.write("RIFF", 0);
  header.writeUInt32LE(Math.min(0xffffffff, HEADER_BYTES - 8 + dataBytes), 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(CODES[encoding], 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * frameBytes, 28);
  header.writeUInt16LE(frameBytes, 32);
  header.writeUInt16LE(bitDepth, 34);
  header.write("data", 36);
  header.writeUInt32LE(Math.min(0xffffffff, dataBytes), 40);
  return header;
}
