// Where the samples of a file in chunks lie: WAV (also RF64, BW64, RIFX), Wave64, AIFF, AIFF-C, 8SVX, Core Audio, AU.
import type { SampleFormat } from "../../stream-format.ts";
import type { FilePart, Patch } from "../file-part.ts";
import {
  type Chunk,
  type ChunkGrammar,
  CORE_AUDIO_CHUNKS,
  chunkAt,
  IFF_CHUNKS,
  RIFF_CHUNKS,
  WAVE64_CHUNKS,
} from "./chunk-grammar.ts";
import type { FileBytes } from "./file-bytes.ts";
import { bigEndianWave, codingOf, type SampleCoding, sampleFormat, validBitsPatch, waveFormat } from "./wave-format.ts";

export interface SoundLayout {
  format: FilePart["format"];
  startBytes: number;
  /** Position of the samples. */
  soundBytes: number;
  /** Length of the samples by the header; undefined if the header states that it is not known. */
  declaredBytes: number | undefined;
  /** undefined for AU, which has no chunks. */
  grammar?: ChunkGrammar;
  /** End by the header; another file may follow there. */
  formEndBytes?: number;
  coding?: SampleCoding;
  /** Samples of a WAV file as the header states them, if they can be judged. */
  stated?: SampleFormat;
  /** What the header must state in any case so that FFmpeg reads the samples right. */
  corrections?: readonly Patch[];
  /** Whether the header states the length in another place, too, which file-clock.ts compares. */
  statesDuration?: boolean;
  /** What the header must state so that FFmpeg reads `lengthBytes` of samples. */
  patches(lengthBytes: number): Patch[];
  /** The part to open instead of this one, since FFmpeg misreads it. */
  replacement?(lengthBytes: number): FilePart | undefined;
}

interface Kind {
  format: FilePart["format"];
  grammar: ChunkGrammar;
  /** Distance from the file's start to its first chunk. */
  first: number;
  /** Name of the chunk with the samples. */
  sound: string;
  /** Bytes of that chunk before the samples. */
  extra?: number;
}

type Found = SoundLayout & { before: ReadonlyMap<string, Chunk> };

const MAGIC_BYTES = 40;
/** Bounds the search for the samples in a file that consists of chunks. */
const MOST_CHUNKS = 1_024;
const WAVE64_RIFF = Buffer.from("726966662e91cf11a5d628db04c10000", "hex");
const WAVE64_WAVE = Buffer.from("77617665f3acd3118cd100c04f8edb8a", "hex");
const FORM_LENGTH_AT = 4;
const FORM_HEADER_BYTES = 8;
/** Bytes of a description of samples that matter. */
const DESCRIPTION_BYTES = 40;
/** In RF64, a chunk holds the lengths of the whole and of the samples as 64-bit numbers. */
const LONG_CHUNK_BYTES = 16;
const LONG_SAMPLES_AT = 8;
const LARGEST_LONG = 2n ** 53n;
/** Low byte of the bits of a sample in AIFF's description. */
const BITS_AT = 7;
const AIFC_DESCRIPTION_BYTES = 22;
/** Bytes of a sample by AU's encoding: mu-law, integers of 8 to 32 bits, and A-law. */
const AU_SAMPLE_BYTES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 3, 5: 4, 27: 1 };
const LINEAR_PCM = "lpcm";
const IS_LITTLE = 2;
const CORE_DESCRIPTION_BYTES = 32;
const AU_HEADER_BYTES = 24;
const AU_LENGTH_AT = 8;
const UNKNOWN_32_BITS = 0xffff_ffff;

function chunked(file: FileBytes, from: number, { format, grammar, first, sound, extra = 0 }: Kind): Found | undefined {
  const before = new Map<string, Chunk>();
  for (let at = from + first, count = 0; count < MOST_CHUNKS; count++) {
    const chunk = chunkAt(file, at, grammar);
    if (!chunk) return undefined;
    const { name, contentBytes, lengthBytes, nextBytes } = chunk;
    if (name === sound) {
      const lengthAt = at + grammar.lengthAt;
      return {
        format,
        grammar,
        before,
        startBytes: from,
        soundBytes: contentBytes + extra,
        declaredBytes: Number.isFinite(lengthBytes) ? Math.max(0, lengthBytes - extra) : undefined,
        patches: (samples) => [{ atBytes: lengthAt, bytes: grammar.writeLength(samples + extra) }],
      };
    }
    before.set(name, chunk);
    at = nextBytes;
  }
  return undefined;
}

/** Content of a chunk, as far as it matters. */
const contentOf = (file: FileBytes, chunk: Chunk) =>
  file.read(chunk.contentBytes, Math.min(chunk.lengthBytes, DESCRIPTION_BYTES));

const waveKind = (isBig: boolean): Kind => ({
  format: "wav",
  grammar: isBig ? IFF_CHUNKS : RIFF_CHUNKS,
  first: 12,
  sound: "data",
});
const WAVE64: Kind = { format: "w64", grammar: WAVE64_CHUNKS, first: MAGIC_BYTES, sound: "data" };

function wave(file: FileBytes, from: number, isBig: boolean, kind = waveKind(isBig)): Found | undefined {
  const layout = chunked(file, from, kind);
  const description = layout?.before.get("fmt ");
  if (!layout || !description) return layout;
  const content = contentOf(file, description);
  const format = waveFormat(content, isBig);
  if (!format) return layout;
  const coding = codingOf(format, isBig);
  const stated = isBig ? undefined : sampleFormat(format);
  return {
    ...layout,
    ...(coding ? { coding } : {}),
    ...(stated ? { stated } : {}),
    ...(isBig ? {} : { corrections: validBitsPatch(content, description.contentBytes) }),
    ...(isBig ? { replacement: (length: number) => bigEndianWave(format, layout.soundBytes, length) } : {}),
  };
}

/** EBU Tech 3306, ITU-R BS.2088. */
function longWave(file: FileBytes, from: number): SoundLayout | undefined {
  const layout = wave(file, from, false);
  const long = layout?.before.get("ds64");
  if (!layout) return undefined;
  const lengths = long && contentOf(file, long);
  if (!lengths || lengths.length < LONG_CHUNK_BYTES) {
    // FFmpeg refuses RF64 without the long lengths.
    const asWave = { atBytes: from, bytes: Buffer.from("RIFF") };
    return { ...layout, patches: (samples) => [asWave, ...layout.patches(samples)] };
  }
  const samples = lengths.readBigUInt64LE(LONG_SAMPLES_AT);
  return {
    ...layout,
    formEndBytes: from + FORM_HEADER_BYTES + Number(lengths.readBigUInt64LE(0)),
    declaredBytes: samples < LARGEST_LONG ? Number(samples) : undefined,
    patches(length) {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(BigInt(length));
      return [{ atBytes: long.contentBytes + LONG_SAMPLES_AT, bytes }];
    },
  };
}

/** @returns undefined for compressed samples */
function aiffCoding(common: Buffer): SampleCoding | undefined {
  const compression = common.length >= AIFC_DESCRIPTION_BYTES ? common.toString("latin1", 18, 22) : "NONE";
  // Samples are padded to whole bytes at the less significant end.
  const sampleBytes = Math.ceil((common[BITS_AT] ?? 0) / 8);
  if (sampleBytes === 0 || !["NONE", "twos", "sowt"].includes(compression)) return undefined;
  return { sampleBytes, significantByte: compression === "sowt" ? sampleBytes - 1 : 0 };
}

/** FFmpeg reads no chunk of an IFF file behind the end of the form. */
function iff(file: FileBytes, from: number, kind: string): SoundLayout | undefined {
  const isVoice = kind === "8SVX";
  const layout = chunked(file, from, {
    format: isVoice ? "iff" : "aiff",
    grammar: IFF_CHUNKS,
    first: 12,
    sound: isVoice ? "BODY" : "SSND",
    extra: isVoice ? 0 : 8,
  });
  // FFmpeg needs the description before the samples, too.
  if (!layout?.before.has(isVoice ? "VHDR" : "COMM")) return undefined;
  const common = layout.before.get("COMM");
  const coding = common ? aiffCoding(contentOf(file, common)) : { sampleBytes: 1, significantByte: 0 };
  return {
    ...layout,
    statesDuration: !isVoice,
    ...(coding ? { coding } : {}),
    patches: (samples) => [
      ...layout.patches(samples),
      {
        atBytes: from + FORM_LENGTH_AT,
        bytes: IFF_CHUNKS.writeLength(layout.soundBytes + samples - from - FORM_HEADER_BYTES),
      },
    ],
  };
}

function au(file: FileBytes, from: number): SoundLayout | undefined {
  const header = file.read(from, AU_HEADER_BYTES);
  if (header.length < AU_HEADER_BYTES) return undefined;
  const length = header.readUInt32BE(AU_LENGTH_AT);
  const sampleBytes = AU_SAMPLE_BYTES[header.readUInt32BE(AU_LENGTH_AT + 4)];
  return {
    format: "au",
    startBytes: from,
    soundBytes: from + header.readUInt32BE(FORM_LENGTH_AT),
    declaredBytes: length === UNKNOWN_32_BITS ? undefined : length,
    ...(sampleBytes === undefined ? {} : { coding: { sampleBytes, significantByte: 0 } }),
    patches(samples) {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(Math.min(samples, UNKNOWN_32_BITS));
      return [{ atBytes: from + AU_LENGTH_AT, bytes }];
    },
  };
}

/** In Core Audio, only packets of equal length follow each other without a table that lists them. */
function coreAudio(file: FileBytes, from: number): SoundLayout | undefined {
  const layout = chunked(file, from, { format: "caf", grammar: CORE_AUDIO_CHUNKS, first: 8, sound: "data", extra: 4 });
  const description = layout?.before.get("desc");
  if (!layout || !description) return undefined;
  const content = contentOf(file, description);
  if (content.length < CORE_DESCRIPTION_BYTES || content.readUInt32BE(16) === 0) return undefined;
  const sampleBytes = Math.ceil(content.readUInt32BE(28) / 8);
  if (content.toString("latin1", 8, 12) !== LINEAR_PCM || sampleBytes === 0 || sampleBytes > 8) return layout;
  const isLittle = (content.readUInt32BE(12) & IS_LITTLE) !== 0;
  return { ...layout, coding: { sampleBytes, significantByte: isLittle ? sampleBytes - 1 : 0 } };
}

/** Start of a file that may be joined to another one. */
export function layoutAt(file: FileBytes, from: number): SoundLayout | undefined {
  const magic = file.read(from, MAGIC_BYTES);
  const [first, kind] = [magic.toString("latin1", 0, 4), magic.toString("latin1", 8, 12)];
  if (kind === "WAVE" && (first === "RIFF" || first === "RIFX")) {
    const layout = wave(file, from, first === "RIFX");
    const length = first === "RIFF" ? magic.readUInt32LE(FORM_LENGTH_AT) : magic.readUInt32BE(FORM_LENGTH_AT);
    const formEndBytes = from + FORM_HEADER_BYTES + length;
    return layout && { ...layout, formEndBytes, statesDuration: first === "RIFF" && formEndBytes > file.sizeBytes };
  }
  if (kind === "WAVE" && (first === "RF64" || first === "BW64")) return longWave(file, from);
  if (first === "FORM" && ["AIFF", "AIFC", "8SVX"].includes(kind)) {
    const layout = iff(file, from, kind);
    return layout && { ...layout, formEndBytes: from + FORM_HEADER_BYTES + magic.readUInt32BE(FORM_LENGTH_AT) };
  }
  if (first === "caff") return coreAudio(file, from);
  if (first === ".snd") return au(file, from);
  const isWave64 = magic.subarray(0, 16).equals(WAVE64_RIFF) && magic.subarray(24, 40).equals(WAVE64_WAVE);
  return isWave64 ? wave(file, from, false, WAVE64) : undefined;
}
