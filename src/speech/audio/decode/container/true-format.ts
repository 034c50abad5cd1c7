// Finds WAV files whose samples are not in the format that the header states: big-endian samples, signed bytes, floating-point numbers
// under the code of integers, another number of channels. FFmpeg reads them as noise. Windows of the samples vote
// (sample-votes.ts); with a clear majority, the samples are read by the format that they are in.
import { RANDOM, TEXT } from "../../likely-format.ts";
import { STEP_BYTES } from "../../signal-check.ts";
import type { Steps } from "../../steps.ts";
import { bytesPerFrame, bytesPerSecond, type SampleFormat } from "../../stream-format.ts";
import type { FilePart } from "../file-part.ts";
import type { FileBytes } from "./file-bytes.ts";
import { BIG_ENDIAN_FLOAT, STATED, voteOf } from "./sample-votes.ts";

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
/** With so many windows of sound in the stated format at the beginning or the end, that is in the stated format. */
const LEAST_RIGHT = 5;

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

/** The samples of a file in windows, each with a vote. */
class Windows {
  readonly bytes: number;
  readonly count: number;
  private readonly votes = new Map<number, string>();

  constructor(
    private readonly file: FileBytes,
    private readonly soundBytes: number,
    lengthBytes: number,
    private readonly format: SampleFormat,
  ) {
    const stepBytes = STEP_BYTES * bytesPerFrame(format);
    this.bytes = Math.ceil((WINDOW_SECONDS * bytesPerSecond(format)) / stepBytes) * stepBytes;
    this.count = Math.floor(lengthBytes / this.bytes);
  }

  *examine(): Steps<void> {
    const { count } = this;
    const order = Array.from({ length: Math.min(count, MOST_WINDOWS) }, (_, at) =>
      count <= MOST_WINDOWS ? at : Math.floor(((at * GOLDEN) % 1) * count),
    );
    // A short file is examined in the same order as a long one.
    order.sort((left, right) => ((left * GOLDEN) % 1) - ((right * GOLDEN) % 1));
    for (const window of order) {
      this.voteOf(window);
      yield 0;
      if (this.votes.size >= MOST_SOUNDING) break;
    }
  }

  /** The likely format, if the majority is clear. */
  get name(): string | undefined {
    const counts = new Map<string, number>();
    for (const name of this.votes.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
    // Loud windows of any wrong format look like random bytes.
    const random = counts.get(RANDOM.name) ?? 0;
    const isFloat = this.format.encoding === "float";
    const [first, second] = [...counts]
      .filter(([name]) => name !== "" && name !== STATED && name !== RANDOM.name && !(isFloat && BYTES.has(name)))
      .sort(([, left], [, right]) => right - left);
    const [name, count] = first ?? [RANDOM.name, random];
    const isClear = count >= LEAST_VOTES && count >= LEAST_SHARE * this.votes.size;
    return isClear && count >= LEAST_LEAD * (second?.[1] ?? 0) ? name : undefined;
  }

  /** The windows that are not in the stated format: all, except for a long beginning or end that is. */
  *section(): Steps<{ first: number; end: number }> {
    const sorted = [...this.votes].sort(([left], [right]) => left - right);
    const places = (isWanted: (name: string) => boolean) =>
      [...sorted.keys()].filter((at) => isWanted(sorted[at]?.[1] ?? ""));
    const others = places((name) => name !== "" && name !== STATED);
    const right = places((name) => name === STATED);
    const [first, last] = [others[0] ?? 0, others.at(-1) ?? 0];
    const windowAt = (at: number) => sorted[at]?.[0] ?? 0;
    let [from, end] = [0, this.count];
    if (right.filter((at) => at < first).length >= LEAST_RIGHT) {
      from = windowAt(first);
      for (let window = from - 1; window > windowAt(first - 1) && from - window < MOST_WINDOWS; window--) {
        if (this.isOther(window)) from = window;
        yield 0;
      }
    }
    if (right.filter((at) => at > last).length >= LEAST_RIGHT) {
      end = windowAt(last) + 1;
      for (let window = end; window < windowAt(last + 1) && window - end < MOST_WINDOWS; window++) {
        if (this.isOther(window)) end = window + 1;
        yield 0;
      }
    }
    return { first: from, end };
  }

  private isOther(window: number): boolean {
    const name = this.voteOf(window);
    return name !== undefined && name !== "" && name !== STATED;
  }

  private voteOf(window: number): string | undefined {
    const name = voteOf(this.file.read(this.soundBytes + window * this.bytes, this.bytes), this.format);
    if (name !== undefined) this.votes.set(window, name);
    return name;
  }
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

export const sectionNote = (stated: SampleFormat, likely: string, [from, end]: readonly [number, number]) =>
  `The file's header states ${describe(stated)}, but from ${from.toFixed(1)} s to ${end.toFixed(1)} s its samples are ${likely}; they were read as such`;

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
 * @param lengthBytes  of the samples
 * @returns the parts that are read instead of the file, if the header states a wrong format, and the note about it
 */
export function* trueFormat(
  file: FileBytes,
  soundBytes: number,
  lengthBytes: number,
  stated: SampleFormat,
): Steps<{ parts?: FilePart[]; note: string } | undefined> {
  const windows = new Windows(file, soundBytes, lengthBytes, stated);
  yield* windows.examine();
  const { name } = windows;
  if (name === undefined) return undefined;
  const reading = readingOf(name, stated);
  if (!reading || name === RANDOM.name || name === TEXT.name) return { note: noSamplesNote(stated, name) };
  // Another number of channels is smooth in the stated one.
  const isCount = COUNTS[name] !== undefined;
  const section = isCount ? { first: 0, end: windows.count } : yield* windows.section();
  const isToEnd = section.end >= windows.count;
  const soundEnd = soundBytes + lengthBytes;
  const from = soundBytes + section.first * windows.bytes;
  const end = isToEnd ? soundEnd : soundBytes + section.end * windows.bytes;
  const right = statedReading(stated);
  const before = from > soundBytes ? [rawPart(soundBytes, from, stated, right)] : [];
  const behind = isToEnd ? [] : [rawPart(end, soundEnd, stated, right)];
  const seconds = [from, end].map((at) => (at - soundBytes) / bytesPerSecond(stated)) as [number, number];
  const isWhole = before.length + behind.length === 0;
  return {
    parts: [...before, rawPart(from, end, stated, reading), ...behind],
    note: isWhole ? misstatedNote(stated, name) : sectionNote(stated, name, seconds),
  };
}
