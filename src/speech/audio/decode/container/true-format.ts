// Finds WAV files whose samples are not in the format that the header states: big-endian samples, signed bytes, floating-point numbers
// under the code of integers, another number of channels. FFmpeg reads them as noise. Windows of the samples vote
// (sample-votes.ts); with a clear majority, the samples are read by the format that they are in.
import { RANDOM, TEXT } from "../../likely-format.ts";
import type { Steps } from "../../steps.ts";
import { bytesPerFrame, bytesPerSecond, type SampleFormat } from "../../stream-format.ts";
import type { FilePart } from "../file-part.ts";
import { BIG_ENDIAN, BIG_ENDIAN_FLOAT, OUT_OF_STEP } from "./sample-votes.ts";
import { type SampleSource, SampleWindows } from "./sample-windows.ts";

/** FFmpeg's demuxer of raw samples, by the name of a likely format. */
interface Reading {
  format: FilePart["format"];
  sampleBytes: number;
  channels?: number;
  /** Of the samples, where the name leaves open what they are. */
  description?: string;
  skippedBytes?: number;
}

const READINGS: Readonly<Record<string, Reading>> = {
  "little-endian 16-bit PCM": { format: "s16le", sampleBytes: 2 },
  [BIG_ENDIAN]: { format: "s16be", sampleBytes: 2 },
  "unsigned 16-bit PCM": { format: "u16le", sampleBytes: 2 },
  [OUT_OF_STEP]: { format: "s16le", sampleBytes: 2, skippedBytes: 1 },
  "16-bit PCM of two channels": { format: "s16le", sampleBytes: 2, channels: 2 },
  "little-endian 24-bit PCM": { format: "s24le", sampleBytes: 3 },
  "big-endian 24-bit PCM": { format: "s24be", sampleBytes: 3 },
  "little-endian 32-bit PCM": { format: "s32le", sampleBytes: 4 },
  "little-endian 32-bit PCM, or two channels of which the first is silent": {
    format: "s32le",
    sampleBytes: 4,
    description: "little-endian 32-bit PCM",
  },
  "big-endian 32-bit PCM": { format: "s32be", sampleBytes: 4 },
  "little-endian 32-bit floating-point samples": { format: "f32le", sampleBytes: 4 },
  [BIG_ENDIAN_FLOAT]: { format: "f32be", sampleBytes: 4 },
  "little-endian 64-bit floating-point samples": { format: "f64le", sampleBytes: 8 },
  "unsigned 8-bit PCM": { format: "u8", sampleBytes: 1 },
  "signed 8-bit PCM": { format: "s8", sampleBytes: 1 },
  "mu-law": { format: "mulaw", sampleBytes: 1 },
  "A-law": { format: "alaw", sampleBytes: 1 },
};

const COUNTS: Readonly<Record<string, Pick<Reading, "description"> & { channels: number }>> = {
  "audio of one channel": { channels: 1 },
  "audio of two channels, or of one with every sample twice": { channels: 2, description: "audio of two channels" },
};

/** As it is declared: by the header, or by the request that sent raw samples. */
function statedReading({ encoding, bitDepth, channels }: SampleFormat): Reading {
  const formats = { float: "f32le", "wav/alaw": "alaw", "wav/ulaw": "mulaw" } as const;
  const sampleBytes = bitDepth / 8;
  if (encoding !== "wav/pcm") return { format: formats[encoding], sampleBytes, channels };
  return { format: bitDepth === 8 ? "u8" : (`s${bitDepth}le` as FilePart["format"]), sampleBytes, channels };
}

function readingOf(name: string, stated: SampleFormat): Reading | undefined {
  const count = COUNTS[name];
  return count ? { ...statedReading(stated), ...count } : READINGS[name];
}

function describe({ encoding, bitDepth, channels }: SampleFormat): string {
  const names = { float: "32-bit floating-point samples", "wav/alaw": "A-law", "wav/ulaw": "mu-law" };
  const name = encoding === "wav/pcm" ? `${bitDepth}-bit PCM` : names[encoding];
  return `${name} with ${channels === 1 ? "1 channel" : `${channels} channels`}`;
}

export const misstatedNote = (stated: SampleFormat, likely: string) =>
  `The samples are declared as ${describe(stated)}, but they are ${likely}; they were read as such`;

export const noSamplesNote = (stated: SampleFormat, likely: string) =>
  `The samples are declared as ${describe(stated)}, but the bytes look like ${likely}; the words are probably wrong`;

export const sectionNote = (stated: SampleFormat, likely: string, [from, end]: readonly [number, number]) =>
  `The samples are declared as ${describe(stated)}, but from ${from.toFixed(1)} s to ${end.toFixed(1)} s they are ${likely}; they were read as such`;

export const doubtfulNote = (stated: SampleFormat, likely: string) =>
  `The samples are declared as ${describe(stated)}, but they look like ${likely}; they were read as declared`;

export const exchangedNote = "The channels of the file may be exchanged where its samples are out of step";

/** The samples of a recording, and the format that its header states. */
interface StatedSamples {
  soundBytes: number;
  lengthBytes: number;
  stated: SampleFormat;
  /** Whether they end where the writer ended: bytes that a copy lost or inserted then show in the length. */
  isComplete: boolean;
  /** Time of the first sample in the file, which may begin with other recordings; undefined if it is not known. */
  startSeconds: number | undefined;
}

/** Result of the search: parts that are read instead of the file, if it is certain, and notes. */
export interface TrueFormat {
  parts?: FilePart[];
  notes: string[];
}

/** A part of the samples as one of a format. */
function rawPart(from: number, end: number, stated: SampleFormat, reading: Reading): FilePart {
  const { format, sampleBytes, channels = stated.channels, skippedBytes = 0 } = reading;
  const startBytes = from + skippedBytes;
  return {
    format,
    startBytes,
    endBytes: end - ((end - startBytes) % (sampleBytes * channels)),
    patches: [],
    options: { sample_rate: String(stated.sampleRate), ch_layout: `${channels}c` },
    extension: "wav",
  };
}

/**
 * Bytes to skip so that the first sample belongs to the first channel: the remainder of the length in whole frames. Undefined if the
 * length does not show them.
 */
function bytesOutOfStep({ stated, lengthBytes, isComplete }: StatedSamples, isToEnd: boolean): number | undefined {
  if (stated.channels === 1) return 1;
  const rest = lengthBytes % bytesPerFrame(stated);
  return isToEnd && isComplete && rest % 2 === 1 ? rest : undefined;
}

/** The parts of which one is in another format. */
function partsOf(
  samples: StatedSamples,
  name: string,
  reading: Reading,
  section: readonly [from: number, end: number],
): TrueFormat {
  const { soundBytes, lengthBytes, stated, startSeconds } = samples;
  const [from, end] = section;
  const soundEnd = soundBytes + lengthBytes;
  const right = statedReading(stated);
  const before = from > soundBytes ? [rawPart(soundBytes, from, stated, right)] : [];
  const behind = end < soundEnd ? [rawPart(end, soundEnd, stated, right)] : [];
  const isOutOfStep = reading.skippedBytes !== undefined;
  const skippedBytes = isOutOfStep ? bytesOutOfStep(samples, behind.length === 0) : 0;
  const part = rawPart(from, end, stated, { ...reading, skippedBytes: skippedBytes ?? reading.skippedBytes ?? 0 });
  const secondsOf = (at: number, start: number) => start + (at - soundBytes) / bytesPerSecond(stated);
  const likely = reading.description ?? name;
  const note =
    before.length + behind.length === 0 || startSeconds === undefined
      ? misstatedNote(stated, likely)
      : sectionNote(stated, likely, [secondsOf(from, startSeconds), secondsOf(end, startSeconds)]);
  return { parts: [...before, part, ...behind], notes: skippedBytes === undefined ? [note, exchangedNote] : [note] };
}

/** @returns undefined if the header may be right */
export function* trueFormat(file: SampleSource, samples: StatedSamples): Steps<TrueFormat | undefined> {
  const { soundBytes, lengthBytes, stated } = samples;
  const windows = new SampleWindows(file, soundBytes, lengthBytes, stated);
  yield* windows.examine();
  const name = yield* windows.likelyName();
  if (name === undefined) return undefined;
  const reading = readingOf(name, stated);
  if (!reading || name === RANDOM.name || name === TEXT.name) {
    // A part of static in a recording looks like random bytes, too.
    return windows.isWhole ? { notes: [noSamplesNote(stated, name)] } : undefined;
  }
  const soundEnd = soundBytes + lengthBytes;
  const count = COUNTS[name];
  if (count) {
    // Another number of channels is smooth in the stated one: a change within the file is not found.
    if (!windows.isWhole) return undefined;
    const isCertain = count.channels === 1 || (yield* windows.hasTwoSources(name));
    return isCertain
      ? partsOf(samples, name, reading, [soundBytes, soundEnd])
      : { notes: [doubtfulNote(stated, name)] };
  }
  const section = yield* windows.section();
  if (!section) return undefined;
  const from = soundBytes + section.first * windows.bytes;
  const end = section.end >= windows.count ? soundEnd : soundBytes + section.end * windows.bytes;
  return partsOf(samples, name, reading, [from, end]);
}
