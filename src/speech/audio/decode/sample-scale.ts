// The scale of samples with more range than the 16 bits that are stored: integers that a program wrote as floating-point numbers
// (32,767 instead of 1), mixes above full scale, and samples that use only the low bits of 24 or 32. Without scaling, the first are
// clipped to noise, and the last are rounded to nothing. Codecs decode to floating-point numbers, too: a very quiet MP3 is raised.
import type { CodecContext, Demuxer, Frame, Stream } from "node-av";
import { shortageOf } from "../../../platform/system-shortage.ts";
import type { AsyncSteps, Steps } from "../steps.ts";
import { startOfFile } from "./file-clock.ts";
import { framesOf } from "./frames.ts";
import "./promise-with-resolvers.ts";
import { noFaults, openDecoder } from "./resampled.ts";
import { SampleLevels, type Scale, USUAL_SCALE, type WideSamples } from "./sample-levels.ts";
import { spreadPlace } from "./spread.ts";
import { audioStreams, readOnly } from "./tracks.ts";

const {
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_AC3,
  AV_CODEC_ID_FLAC,
  AV_CODEC_ID_MP3,
  AV_CODEC_ID_OPUS,
  AV_CODEC_ID_PCM_F32BE,
  AV_CODEC_ID_PCM_F32LE,
  AV_CODEC_ID_PCM_F64BE,
  AV_CODEC_ID_PCM_F64LE,
  AV_CODEC_ID_PCM_S8,
  AV_CODEC_ID_PCM_S24BE,
  AV_CODEC_ID_PCM_S24LE,
  AV_CODEC_ID_PCM_S32BE,
  AV_CODEC_ID_PCM_S32LE,
  AV_CODEC_ID_PCM_U8,
  AV_CODEC_ID_VORBIS,
  AV_SAMPLE_FMT_DBL,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
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

/** Codecs that keep sound below the steps of 16 bits. Their scale is never another one, but they may be very quiet. */
const LOSSY_CODECS: ReadonlySet<number> = new Set<number>([
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_AC3,
  AV_CODEC_ID_MP3,
  AV_CODEC_ID_OPUS,
  AV_CODEC_ID_VORBIS,
]);
const isLossy = ({ codecpar: { codecId } }: Stream) => LOSSY_CODECS.has(codecId);

const STORED_BITS = 16;
/** Whether a stream has samples with more range than the stored ones. */
export const isWide = (stream: Stream) => {
  const { codecId, bitsPerRawSample } = stream.codecpar;
  return (
    isLossy(stream) || WIDE_CODECS.has(codecId) || (codecId === AV_CODEC_ID_FLAC && bitsPerRawSample > STORED_BITS)
  );
};

/** Whether quiet sound of a stream consists of zeros: a step of 8 bits is at -42 dBFS. */
export const hasCoarseSteps = ({ codecpar: { codecId } }: Stream) =>
  codecId === AV_CODEC_ID_PCM_U8 || codecId === AV_CODEC_ID_PCM_S8;

/** The samples of a frame, in its own memory: interleaved, or those of each channel; none for other formats. */
function samplesOf(frame: Frame): WideSamples[] {
  const planes = frame.data ?? [];
  const [plane] = planes;
  if (!plane) return [];
  if (frame.format === AV_SAMPLE_FMT_FLTP)
    return planes.length < frame.channels
      ? []
      : planes
          .slice(0, frame.channels)
          .map(({ buffer, byteOffset }) => new Float32Array(buffer, byteOffset, frame.nbSamples));
  const count = frame.nbSamples * frame.channels;
  const { buffer, byteOffset } = plane;
  if (frame.format === AV_SAMPLE_FMT_FLT) return [new Float32Array(buffer, byteOffset, count)];
  if (frame.format === AV_SAMPLE_FMT_DBL) return [new Float64Array(buffer, byteOffset, count)];
  return frame.format === AV_SAMPLE_FMT_S32 ? [new Int32Array(buffer, byteOffset, count)] : [];
}

/** Usual seconds after which the scale is certain. A recording of another scale may begin with noise in the lowest bits. */
const CERTAIN_SECONDS = 60;
/** Windows bound the work for a long recording; samples bound it for many channels and high sample rates. */
const WINDOW_SECONDS = 2;
const MOST_WINDOWS = 120;
const MOST_SECONDS = WINDOW_SECONDS * MOST_WINDOWS;
const MOST_SAMPLES = 1e8;
/** Formats in which FFmpeg finds a time without reading up to it. */
const SEEKABLE = /^(wav|w64|aiff|au|caf|flac|mov|[suf](16|24|32|64)[lb]e$)/;

/** Starts of the stretches to be measured, in seconds; undefined for the beginning alone. */
function startsOf({ formatName, duration }: Demuxer): (number | undefined)[] {
  if (!SEEKABLE.test(formatName ?? "") || !(duration > MOST_SECONDS)) return [undefined];
  return Array.from({ length: MOST_WINDOWS }, (_, at) => spreadPlace(at) * (duration - WINDOW_SECONDS));
}

/** Measures a stretch. Damage is left to decoding, which reports it. */
function* measure(
  input: Demuxer,
  stream: Stream,
  decoder: CodecContext,
  levels: SampleLevels,
  seconds: number,
  isOver: () => boolean,
): Steps<number> {
  const { secondSamples } = levels;
  let [total, passed] = [0, 0];
  try {
    for (const decoded of framesOf(input, stream, decoder, noFaults())) {
      const planes = decoded ? samplesOf(decoded.frame) : [];
      for (const samples of planes) {
        levels.add(samples);
        total += samples.length;
      }
      if (planes.length === 0) {
        yield (total - passed) / secondSamples;
        passed = total;
      }
      if (total >= seconds * secondSamples || total >= MOST_SAMPLES || isOver()) break;
    }
  } catch (thrown) {
    if (shortageOf(thrown)) throw thrown;
  }
  levels.end();
  yield (total - passed) / secondSamples;
  return total;
}

/**
 * Measures the scale of a part of a file: of all of a short one, otherwise of stretches that are spread over it.
 * @param open  opens the part of the file
 */
export async function* scaleOf(open: () => Promise<Demuxer>, track: number): AsyncSteps<Scale> {
  const input = await open();
  try {
    const streams = audioStreams(input);
    const stream = streams[track] ?? streams[0];
    if (!stream || !isWide(stream)) return USUAL_SCALE;
    readOnly(input, stream);
    const decoder = await openDecoder(stream);
    const { sampleRate, channels } = stream.codecpar;
    const levels = new SampleLevels(Math.max(1, sampleRate * channels));
    const originSeconds = startOfFile(input, stream);
    let total = 0;
    try {
      for (const start of startsOf(input)) {
        if (start !== undefined) {
          if (input.seekSync(originSeconds + start) < 0) continue;
          decoder.context.flushBuffers();
        }
        const seconds = start === undefined ? MOST_SECONDS : WINDOW_SECONDS;
        const isOver = () => isLossy(stream) && levels.usualSeconds + levels.aboveSeconds > 0;
        total += yield* measure(input, stream, decoder.context, levels, seconds, isOver);
        const isCertain = levels.usualSeconds >= CERTAIN_SECONDS && levels.usualSeconds > levels.aboveSeconds;
        if (isCertain || total >= MOST_SAMPLES) break;
      }
      // One second at a usual level is enough, and a codec may go beyond full scale where the music is loud.
      const { scale } = levels;
      return isLossy(stream) && scale.gain <= 1 ? { ...USUAL_SCALE, isSilence: scale.isSilence } : scale;
    } finally {
      decoder.close();
    }
  } finally {
    await input.close();
  }
}

const LARGEST_32_BITS = 2 ** 31 - 1;
/** Raising ends for good at a frame in which this share of the samples would be above full scale: only what came before is quiet. */
const MOST_RAISED_SHARE = 0.02;

/** Zero times a value is zero only for numbers. */
function areNumbers(samples: WideSamples): boolean {
  if (samples instanceof Int32Array) return true;
  let sum = 0;
  for (let at = 0; at < samples.length; at++) sum += 0 * (samples[at] as number);
  return sum === 0;
}

/** Brings samples to scale. */
export class Scaler {
  /** Whether some of the samples were not numbers. */
  hasOthers = false;
  private gain: number;

  constructor(gain: number) {
    this.gain = gain;
  }

  /** Changes the samples of a frame. */
  prepare(frame: Frame): void {
    const read = samplesOf(frame);
    if (this.gain > 1 && read.some((samples) => this.isAbove(samples))) this.gain = 1;
    const hasOthers = !read.every(areNumbers);
    this.hasOthers ||= hasOthers;
    if (this.gain === 1 && !hasOthers) return;
    FFmpegError.throwIfError(frame.makeWritable());
    for (const samples of samplesOf(frame)) {
      const most = samples instanceof Int32Array ? LARGEST_32_BITS : Number.POSITIVE_INFINITY;
      for (let at = 0; at < samples.length; at++) {
        const value = (samples[at] as number) * this.gain;
        samples[at] = Number.isFinite(value) ? Math.max(-most, Math.min(most, value)) : 0;
      }
    }
  }

  private isAbove(samples: WideSamples): boolean {
    const limit = (samples instanceof Int32Array ? LARGEST_32_BITS : 1) / this.gain;
    let above = 0;
    for (let at = 0; at < samples.length; at++) if (Math.abs(samples[at] as number) > limit) above++;
    return above > MOST_RAISED_SHARE * samples.length;
  }
}

export function scaleNotes({ gain, isClipped }: Pick<Scale, "gain" | "isClipped">): string[] {
  const notes: string[] = [];
  if (gain < 1) notes.push(`The samples of the file go beyond full scale; they were divided by ${1 / gain}`);
  if (gain > 1) notes.push(`The samples of the file are very quiet; they were multiplied by ${gain}`);
  if (isClipped) notes.push("Some samples of the file go beyond full scale; they were clipped");
  return notes;
}

export const NOT_NUMBERS = "Some samples of the file are not numbers; they count as silence";
