// Finds WAV files whose samples are not in the format that the header states: big-endian samples, signed bytes, floating-point numbers
// under the code of integers, another number of channels. FFmpeg reads them as noise. Windows of the samples vote
// (signal-check.ts); with a clear majority, the samples are read by the format that they are in.
import { RANDOM, TEXT } from "../../likely-format.ts";
import { inspectSamples, STEP_BYTES } from "../../signal-check.ts";
import type { Steps } from "../../steps.ts";
import { bytesPerFrame, bytesPerSecond, type SampleFormat } from "../../stream-format.ts";
import type { FilePart } from "../file-part.ts";
import type { FileBytes } from "./file-bytes.ts";

const WINDOW_SECONDS = 0.5;
/** Windows with sound that are examined, and all windows: a recording may begin with minutes of silence. */
const MOST_SOUNDING = 24;
const MOST_WINDOWS = 400;
/** Share of the circle that lies between neighbours of a golden spiral: windows in this order are spread evenly at any time. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Votes for a format, as a number, a share of the windows with sound, and in relation to the next format. */
const LEAST_VOTES = 2;
const LEAST_SHARE = 0.2;
const LEAST_LEAD = 2;
/** Floating-point samples up to this are judged as they are. */
const MOST_SAMPLE = 4;
/**
 * Larger ones are samples of another scale (sample-scale.ts) with this correlation of neighbours, at most this ratio of the peak to the
 * root mean square, and at most this share of values that are not numbers: the bytes of integers have a few huge values.
 */
const LEAST_CORRELATION = 0.3;
const MOST_CREST = 40;
const MOST_OTHERS = 0.05;

const BIG_ENDIAN_FLOAT = "big-endian 32-bit floating-point samples";

/** FFmpeg's demuxer of raw samples, by the name of a likely format. */
interface Reading {
  format: FilePart["format"];
  sampleBytes: number;
  channels?: number;
  skippedBytes?: number;
}

const READINGS: Readonly<Record<string, Reading>> = {
  "little-endian 16-bit PCM": { format: "s16le", sampleBytes: 2 },
  "big-endian 16-bit PCM": { format: "s16be", sampleBytes: 2 },
  "unsigned 16-bit PCM": { format: "u16le", sampleBytes: 2 },
  "16-bit PCM that is one byte out of step": { format: "s16le", sampleBytes: 2, skippedBytes: 1 },
  "16-bit PCM of two channels": { format: "s16le", sampleBytes: 2, channels: 2 },
  "little-endian 24-bit PCM": { format: "s24le", sampleBytes: 3 },
  "big-endian 24-bit PCM": { format: "s24be", sampleBytes: 3 },
  "little-endian 32-bit PCM": { format: "s32le", sampleBytes: 4 },
  "little-endian 32-bit PCM, or two channels of which the first is silent": { format: "s32le", sampleBytes: 4 },
  "big-endian 32-bit PCM": { format: "s32be", sampleBytes: 4 },
  "little-endian 32-bit floating-point samples": { format: "f32le", sampleBytes: 4 },
  [BIG_ENDIAN_FLOAT]: { format: "f32be", sampleBytes: 4 },
  "little-endian 64-bit floating-point samples": { format: "f64le", sampleBytes: 8 },
  "unsigned 8-bit PCM": { format: "u8", sampleBytes: 1 },
  "signed 8-bit PCM": { format: "s8", sampleBytes: 1 },
  "mu-law": { format: "mulaw", sampleBytes: 1 },
  "A-law": { format: "alaw", sampleBytes: 1 },
};

const COUNTS: Readonly<Record<string, number>> = {
  "audio of one channel": 1,
  "audio of two channels, or of one with every sample twice": 2,
};

/** Large floating-point numbers look like these: their low bytes are random, and their high ones vary little. */
const BYTES: ReadonlySet<string> = new Set(["unsigned 8-bit PCM", "signed 8-bit PCM", "mu-law", "A-law"]);

/** As the header states it. */
function statedReading({ encoding, bitDepth, channels }: SampleFormat): Reading {
  const formats = { float: "f32le", "wav/alaw": "alaw", "wav/ulaw": "mulaw" } as const;
  const sampleBytes = bitDepth / 8;
  if (encoding !== "wav/pcm") return { format: formats[encoding], sampleBytes, channels };
  return { format: bitDepth === 8 ? "u8" : (`s${bitDepth}le` as FilePart["format"]), sampleBytes, channels };
}

function readingOf(name: string, stated: SampleFormat): Reading | undefined {
  const count = COUNTS[name];
  return count === undefined ? READINGS[name] : { ...statedReading(stated), channels: count };
}

/** Whether floating-point numbers are sound, although some are above full scale or not numbers: those count as their neighbours. */
function areScaled(bytes: Buffer, channels: number): boolean {
  const frameBytes = 4 * channels;
  let [peak, squares, differences, before, count, others] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at + 4 <= bytes.length; at += frameBytes) {
    const read = bytes.readFloatLE(at);
    const isNumber = Number.isFinite(read);
    const value = isNumber ? read : before;
    if (!isNumber) others++;
    count++;
    peak = Math.max(peak, Math.abs(value));
    squares += value * value;
    differences += (value - before) ** 2;
    before = value;
  }
  if (others > MOST_OTHERS * count || (peak <= MOST_SAMPLE && others === 0)) return false;
  const isEven = peak ** 2 * count < MOST_CREST ** 2 * squares;
  return isEven && 1 - differences / (2 * squares) > LEAST_CORRELATION;
}

/** Level and correlation of big-endian floating-point samples; as little-endian ones, most are near zero. */
const LEAST_SWAPPED_LEVEL = 0.003;
const SWAPPED_CORRELATION = 0.8;

function areSwapped(bytes: Buffer, channels: number): boolean {
  let [squares, differences, before, count] = [0, 0, 0, 0];
  for (let at = 0; at + 4 <= bytes.length; at += 4 * channels) {
    const value = bytes.readFloatBE(at);
    if (!(Math.abs(value) <= MOST_SAMPLE)) return false;
    squares += value * value;
    differences += (value - before) ** 2;
    before = value;
    count++;
  }
  return squares > LEAST_SWAPPED_LEVEL ** 2 * count && 1 - differences / (2 * squares) > SWAPPED_CORRELATION;
}

/** Name of the likely format of a window; "" for the stated one, undefined for silence. */
function voteOf(bytes: Buffer, format: SampleFormat): string | undefined {
  if (format.encoding === "float") {
    if (areScaled(bytes, format.channels)) return "";
    if (areSwapped(bytes, format.channels)) return BIG_ENDIAN_FLOAT;
  }
  const { isSilence, likely } = inspectSamples(bytes, format);
  return likely?.name ?? (isSilence ? undefined : "");
}

function* votesOf(file: FileBytes, soundBytes: number, lengthBytes: number, format: SampleFormat) {
  const stepBytes = STEP_BYTES * bytesPerFrame(format);
  const windowBytes = Math.ceil((WINDOW_SECONDS * bytesPerSecond(format)) / stepBytes) * stepBytes;
  const windows = Math.floor(lengthBytes / windowBytes);
  const votes = new Map<string, number>();
  let sounding = 0;
  const order = Array.from({ length: Math.min(windows, MOST_WINDOWS) }, (_, at) =>
    windows <= MOST_WINDOWS ? at : Math.floor(((at * GOLDEN) % 1) * windows),
  );
  // A short file is examined in the same order as a long one.
  order.sort((left, right) => ((left * GOLDEN) % 1) - ((right * GOLDEN) % 1));
  for (const window of order) {
    const name = voteOf(file.read(soundBytes + window * windowBytes, windowBytes), format);
    yield 0;
    if (name === undefined) continue;
    votes.set(name, (votes.get(name) ?? 0) + 1);
    if (++sounding >= MOST_SOUNDING) break;
  }
  return { votes, sounding };
}

function* likelyName(file: FileBytes, soundBytes: number, lengthBytes: number, format: SampleFormat) {
  const { votes, sounding } = yield* votesOf(file, soundBytes, lengthBytes, format);
  // Loud windows of any wrong format look like random bytes.
  const random = votes.get(RANDOM.name) ?? 0;
  const [first, second] = [...votes]
    .filter(([name]) => name !== "" && name !== RANDOM.name && !(format.encoding === "float" && BYTES.has(name)))
    .sort(([, left], [, right]) => right - left);
  const [name, count] = first ?? [RANDOM.name, random];
  const isClear = count >= LEAST_VOTES && count >= LEAST_SHARE * sounding && count >= LEAST_LEAD * (second?.[1] ?? 0);
  return isClear ? name : undefined;
}

function describe({ encoding, bitDepth, channels }: SampleFormat): string {
  const names = { float: "32-bit floating-point samples", "wav/alaw": "A-law", "wav/ulaw": "mu-law" };
  const name = encoding === "wav/pcm" ? `${bitDepth}-bit PCM` : names[encoding];
  return `${name} with ${channels === 1 ? "1 channel" : `${channels} channels`}`;
}

export const misstatedNote = (stated: SampleFormat, likely: string) =>
  `The file's header states ${describe(stated)}, but its samples are ${likely}; they were read as such`;

export const noSamplesNote = (stated: SampleFormat, likely: string) =>
  `The file's header states ${describe(stated)}, but its bytes look like ${likely}; the words are probably wrong`;

/**
 * @param lengthBytes  of the samples
 * @returns a part that is read in the right format, if the header states a wrong one, and the note about it
 */
export function* trueFormat(
  file: FileBytes,
  soundBytes: number,
  lengthBytes: number,
  stated: SampleFormat,
): Steps<{ part?: FilePart; note: string } | undefined> {
  const name = yield* likelyName(file, soundBytes, lengthBytes, stated);
  if (name === undefined) return undefined;
  const reading = readingOf(name, stated);
  if (!reading || name === RANDOM.name || name === TEXT.name) return { note: noSamplesNote(stated, name) };
  const { format, sampleBytes, channels = stated.channels, skippedBytes = 0 } = reading;
  const heldBytes = lengthBytes - skippedBytes;
  return {
    part: {
      format,
      startBytes: soundBytes + skippedBytes,
      endBytes: soundBytes + lengthBytes - (heldBytes % (sampleBytes * channels)),
      patches: [],
      options: { sample_rate: String(stated.sampleRate), ch_layout: `${channels}c` },
      extension: "wav",
    },
    note: misstatedNote(stated, name),
  };
}
