// The scale of samples with more range than the 16 bits that are stored: integers that a program wrote as floating-point numbers
// (32,767 instead of 1), mixes above full scale, and samples that use only the low bits of 24 or 32. Without scaling, the first are
// clipped to noise, and the last are rounded to nothing.
import type { Demuxer, Frame, Stream } from "node-av";
import type { AsyncSteps } from "../steps.ts";
import { framesOf } from "./frames.ts";
import { noFaults, openDecoder } from "./resampled.ts";
import "./promise-with-resolvers.ts";
import { audioStreams } from "./tracks.ts";

const {
  AV_CODEC_ID_FLAC,
  AV_CODEC_ID_PCM_F32BE,
  AV_CODEC_ID_PCM_F32LE,
  AV_CODEC_ID_PCM_F64BE,
  AV_CODEC_ID_PCM_F64LE,
  AV_CODEC_ID_PCM_S24BE,
  AV_CODEC_ID_PCM_S24LE,
  AV_CODEC_ID_PCM_S32BE,
  AV_CODEC_ID_PCM_S32LE,
  AV_SAMPLE_FMT_DBL,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_S32,
  FFmpegError,
} = await import("node-av");

const WIDE_CODECS: ReadonlySet<number> = new Set<number>([
  AV_CODEC_ID_PCM_F32BE,
  AV_CODEC_ID_PCM_F32LE,
  AV_CODEC_ID_PCM_F64BE,
  AV_CODEC_ID_PCM_F64LE,
  AV_CODEC_ID_PCM_S24BE,
  AV_CODEC_ID_PCM_S24LE,
  AV_CODEC_ID_PCM_S32BE,
  AV_CODEC_ID_PCM_S32LE,
]);

const STORED_BITS = 16;
/** Whether a stream has samples with more range than the stored ones. */
export const isWide = ({ codecpar: { codecId, bitsPerRawSample } }: Stream) =>
  WIDE_CODECS.has(codecId) || (codecId === AV_CODEC_ID_FLAC && bitsPerRawSample > STORED_BITS);

/** Level of a second: this share of its samples reaches it. Clicks and single wrong values are fewer. */
const LOUD_SHARE = 0.001;
/** A second is above full scale if this share of its samples is. */
const ABOVE_SHARE = 0.01;
/** Powers of two, as histograms count them. */
const LEAST_POWER = -160;
const MOST_POWER = 160;
/** Signed and unsigned integers of 8, 16, 24 and 32 bits, as powers of two. Mixes above full scale stay below the first. */
const INTEGER_POWERS = [7, 8, 15, 16, 23, 24, 31, 32];
const MOST_MIX_POWER = 5;
/** Samples below -48 dBFS are brought to -36 dBFS: quiet enough for what raises quiet speech, and fine enough for 16 bits. */
const QUIET_POWER = -8;
const RAISED_POWER = -6;
/** Usual seconds after which the scale is certain. A recording of another scale may begin with noise in the lowest bits. */
const CERTAIN_SECONDS = 60;

export interface SampleScale {
  /** Factor of the samples. */
  gain: number;
  /** Whether some of the samples are not numbers. */
  hasOthers: boolean;
}

const USUAL_SCALE: SampleScale = { gain: 1, hasOthers: false };

type Samples = Float32Array | Float64Array | Int32Array;

/** The interleaved samples of a frame, in its own memory; undefined for other formats. */
function samplesOf(frame: Frame): Samples | undefined {
  const [plane] = frame.data ?? [];
  if (!plane) return undefined;
  const count = frame.nbSamples * frame.channels;
  const { buffer, byteOffset } = plane;
  if (frame.format === AV_SAMPLE_FMT_FLT) return new Float32Array(buffer, byteOffset, count);
  if (frame.format === AV_SAMPLE_FMT_DBL) return new Float64Array(buffer, byteOffset, count);
  return frame.format === AV_SAMPLE_FMT_S32 ? new Int32Array(buffer, byteOffset, count) : undefined;
}

/** Levels of whole seconds, as powers of two. */
class Levels {
  loudest = Number.NEGATIVE_INFINITY;
  /** Loudest of the seconds above full scale. */
  above = Number.NEGATIVE_INFINITY;
  usualSeconds = 0;
  hasOthers = false;
  private counts = new Uint32Array(MOST_POWER - LEAST_POWER + 1);
  private left: number;

  constructor(private readonly secondSamples: number) {
    this.left = secondSamples;
  }

  add(samples: Samples): void {
    const unit = samples instanceof Int32Array ? 2 ** -31 : 1;
    for (let at = 0; at < samples.length; at++) {
      const value = Math.abs((samples[at] as number) * unit);
      if (value > 0 && value < Number.POSITIVE_INFINITY) {
        const power = Math.max(LEAST_POWER, Math.min(MOST_POWER, Math.floor(Math.log2(value))));
        (this.counts[power - LEAST_POWER] as number)++;
      } else if (value !== 0) this.hasOthers = true;
      if (--this.left === 0) this.end();
    }
  }

  /** The rest counts as a second. */
  end(): void {
    const samples = this.secondSamples - this.left;
    let [count, level, aboveCount] = [0, Number.NEGATIVE_INFINITY, 0];
    for (let power = MOST_POWER; power >= LEAST_POWER; power--) {
      count += this.counts[power - LEAST_POWER] as number;
      if (level === Number.NEGATIVE_INFINITY && count > LOUD_SHARE * samples) level = power;
      if (power === 0) aboveCount = count;
    }
    this.loudest = Math.max(this.loudest, level);
    if (aboveCount > ABOVE_SHARE * samples) this.above = Math.max(this.above, level);
    else if (level >= QUIET_POWER) this.usualSeconds++;
    this.counts.fill(0);
    this.left = this.secondSamples;
  }

  get gain(): number {
    if (this.above >= 0) {
      const power = this.above + 1;
      const integer = INTEGER_POWERS.find((bits) => bits >= power);
      return 2 ** -(power <= MOST_MIX_POWER ? power : (integer ?? power));
    }
    const isQuiet = Number.isFinite(this.loudest) && this.loudest < QUIET_POWER;
    return isQuiet ? 2 ** (RAISED_POWER - this.loudest - 1) : 1;
  }
}

/**
 * Reads the samples until their scale is certain.
 * @param open  opens the part of the file
 */
export async function* scaleOf(open: () => Promise<Demuxer>, track: number): AsyncSteps<SampleScale> {
  const input = await open();
  try {
    const streams = audioStreams(input);
    const stream = streams[track] ?? streams[0];
    if (!stream || !isWide(stream)) return USUAL_SCALE;
    const decoder = await openDecoder(stream);
    const { sampleRate, channels } = stream.codecpar;
    const levels = new Levels(Math.max(1, sampleRate * channels));
    try {
      for (const decoded of framesOf(input, stream, decoder.context, noFaults())) {
        const samples = decoded && samplesOf(decoded.frame);
        if (samples) levels.add(samples);
        else yield 0;
        if (levels.usualSeconds >= CERTAIN_SECONDS) break;
      }
      levels.end();
      return { gain: levels.gain, hasOthers: levels.hasOthers };
    } finally {
      decoder.close();
    }
  } finally {
    await input.close();
  }
}

const LARGEST_32_BITS = 2 ** 31 - 1;

/** @returns what brings the samples of a frame to scale, in its memory; undefined for the usual scale */
export function scaler({ gain, hasOthers }: SampleScale): ((frame: Frame) => void) | undefined {
  if (gain === 1 && !hasOthers) return undefined;
  return (frame) => {
    FFmpegError.throwIfError(frame.makeWritable());
    const samples = samplesOf(frame) ?? [];
    const most = samples instanceof Int32Array ? LARGEST_32_BITS : Number.POSITIVE_INFINITY;
    for (let at = 0; at < samples.length; at++) {
      const value = (samples[at] as number) * gain;
      samples[at] = Number.isFinite(value) ? Math.max(-most, Math.min(most, value)) : 0;
    }
  };
}

export function scaleNotes({ gain, hasOthers }: SampleScale): string[] {
  const notes: string[] = [];
  if (gain < 1) notes.push(`The samples of the file go beyond full scale; they were divided by ${1 / gain}`);
  if (gain > 1) notes.push(`The samples of the file are very quiet; they were multiplied by ${gain}`);
  if (hasOthers) notes.push("Some samples of the file are not numbers; they count as silence");
  return notes;
}
