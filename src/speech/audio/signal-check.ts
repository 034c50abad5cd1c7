// Detects samples that were decoded in the wrong format. Neighbouring samples of speech and music are similar; with the
// wrong byte order, width or encoding they are not, and mostly loud. If another format gives a smooth signal from the
// same bytes, it is named. The thresholds are from one half of ../shared/data; see
// docs/decisions/2026-11-25-live-input.md.
import { isText, TEXT_NAME } from "./container-format.ts";
import { ALAW, ULAW } from "./g711.ts";
import { decodeFrames, type StreamFormat } from "./stream-format.ts";

/** A candidate format: its name, bytes per sample, and how to read one. */
interface CandidateFormat {
  name: string;
  sampleBytes: number;
  read: (bytes: Buffer, at: number) => number;
  /** Bytes before the first sample. */
  skippedBytes?: number;
  /** Decimation: only the first of this many frames is read. */
  every?: number;
  /**
   * Only considered if the signal's own correlation is below this: the low bytes of widened 16-bit samples are smooth,
   * too.
   */
  mostCorrelation?: number;
}

const WIDENED_CORRELATION = 0.6;

const CANDIDATE_FORMATS: readonly CandidateFormat[] = [
  { name: "little-endian 16-bit PCM", sampleBytes: 2, read: (bytes, at) => bytes.readInt16LE(at) / 32_768 },
  { name: "big-endian 16-bit PCM", sampleBytes: 2, read: (bytes, at) => bytes.readInt16BE(at) / 32_768 },
  {
    name: "16-bit PCM that is one byte out of step",
    sampleBytes: 2,
    read: (bytes, at) => bytes.readInt16LE(at) / 32_768,
    skippedBytes: 1,
  },
  { name: "16-bit PCM of two channels", sampleBytes: 2, read: (bytes, at) => bytes.readInt16LE(at) / 32_768, every: 2 },
  {
    name: "little-endian 24-bit PCM",
    sampleBytes: 3,
    read: (bytes, at) => bytes.readIntLE(at, 3) / 8_388_608,
    mostCorrelation: WIDENED_CORRELATION,
  },
  {
    name: "big-endian 24-bit PCM",
    sampleBytes: 3,
    read: (bytes, at) => bytes.readIntBE(at, 3) / 8_388_608,
    mostCorrelation: WIDENED_CORRELATION,
  },
  {
    name: "little-endian 32-bit PCM",
    sampleBytes: 4,
    read: (bytes, at) => bytes.readInt32LE(at) / 2_147_483_648,
    mostCorrelation: WIDENED_CORRELATION,
  },
  {
    name: "big-endian 32-bit PCM",
    sampleBytes: 4,
    read: (bytes, at) => bytes.readInt32BE(at) / 2_147_483_648,
    mostCorrelation: WIDENED_CORRELATION,
  },
  { name: "little-endian 32-bit floating-point samples", sampleBytes: 4, read: (bytes, at) => bytes.readFloatLE(at) },
  { name: "big-endian 32-bit floating-point samples", sampleBytes: 4, read: (bytes, at) => bytes.readFloatBE(at) },
  { name: "little-endian 64-bit floating-point samples", sampleBytes: 8, read: (bytes, at) => bytes.readDoubleLE(at) },
  { name: "unsigned 8-bit PCM", sampleBytes: 1, read: (bytes, at) => ((bytes[at] as number) - 128) / 128 },
  { name: "signed 8-bit PCM", sampleBytes: 1, read: (bytes, at) => bytes.readInt8(at) / 128 },
  { name: "mu-law", sampleBytes: 1, read: (bytes, at) => ULAW[bytes[at] as number] as number },
  { name: "A-law", sampleBytes: 1, read: (bytes, at) => ALAW[bytes[at] as number] as number },
];

/** A multiple of every sample width: audio cut at multiples of this is aligned for each of them. */
export const STEP_BYTES = 24;
/** Minimum roughness of a loud, rough signal, and the reduction that another format must achieve. */
const ROUGH_ENERGY = 0.05;
const LESS_ENERGY = 1 / 50;
/** Correlation of neighbouring samples below which a signal that is not loud is suspicious. */
const SUSPICIOUS_CORRELATION = 0.3;
/** Correlation that another format must reach, for a loud signal and for any signal. */
const SMOOTH_CORRELATION = 0.8;
const SMOOTHER_CORRELATION = 0.9;
/** RMS levels: silence; minimum and maximum for another format; minimum if the signal itself is not loud. */
const SILENCE_LEVEL = 1e-4;
const LEAST_LEVEL = 0.003;
const MOST_LEVEL = 0.6;
const LEAST_CLEAR_LEVEL = 0.02;
/** Floating-point samples above this are not sound. */
const MOST_SAMPLE = 4;
/** Random bytes: an RMS of about 0.58, no correlation, and few samples at the limits, unlike clipped noise. */
const RANDOM_CORRELATION = 0.1;
const RANDOM_LEVEL: readonly [least: number, most: number] = [0.5, 0.65];
const MOST_CLIPPED_SHARE = 0.03;
const CLIPPED_SAMPLE = 0.99;

interface Shape {
  /** Root mean square. */
  level: number;
  /** Mean square of the differences between neighbours. */
  roughness: number;
  /** Correlation of neighbours, -1 to 1. */
  correlation: number;
}

/** @returns undefined for silence, and for values that cannot be samples */
function shapeOf(samples: Float32Array): Shape | undefined {
  let [sum, squares, differences] = [0, 0, 0];
  for (let at = 0; at < samples.length; at++) {
    const value = samples[at] as number;
    if (!(Math.abs(value) <= MOST_SAMPLE)) return undefined;
    sum += value;
    squares += value * value;
    if (at > 0) differences += (value - (samples[at - 1] as number)) ** 2;
  }
  const mean = sum / samples.length;
  const variance = squares / samples.length - mean * mean;
  if (!(variance > SILENCE_LEVEL ** 2)) return undefined;
  const roughness = differences / (samples.length - 1);
  return { level: Math.sqrt(variance), roughness, correlation: 1 - roughness / (2 * variance) };
}

function firstChannel(
  bytes: Buffer,
  { sampleBytes, read, skippedBytes = 0, every = 1 }: CandidateFormat,
  channels: number,
) {
  const frameBytes = sampleBytes * channels * every;
  const count = Math.floor((bytes.length - skippedBytes) / frameBytes);
  return Float32Array.from({ length: count }, (_, index) => read(bytes, skippedBytes + index * frameBytes));
}

/** The format that gives the smoothest sound from the bytes. */
function betterFormat(bytes: Buffer, channels: number, { roughness, correlation }: Shape): string | undefined {
  const isLoud = roughness > ROUGH_ENERGY;
  if (!isLoud && correlation >= SUSPICIOUS_CORRELATION) return undefined;
  let best: { name: string; roughness: number } | undefined;
  for (const reading of CANDIDATE_FORMATS) {
    if (correlation > (reading.mostCorrelation ?? 1)) continue;
    const shape = shapeOf(firstChannel(bytes, reading, channels));
    if (!shape || shape.level < LEAST_LEVEL || shape.level > MOST_LEVEL) continue;
    const isSmoother = isLoud && shape.correlation > SMOOTH_CORRELATION && shape.roughness < roughness * LESS_ENERGY;
    const isClear =
      correlation < SUSPICIOUS_CORRELATION &&
      shape.correlation > SMOOTHER_CORRELATION &&
      shape.level > LEAST_CLEAR_LEVEL;
    if (!isSmoother && !isClear) continue;
    if (!best || shape.roughness < best.roughness) best = { name: reading.name, roughness: shape.roughness };
  }
  return best?.name;
}

function isRandom(samples: Float32Array, { level, correlation }: Shape): boolean {
  if (Math.abs(correlation) > RANDOM_CORRELATION || level < RANDOM_LEVEL[0] || level > RANDOM_LEVEL[1]) return false;
  const clipped = samples.reduce((count, value) => count + (Math.abs(value) > CLIPPED_SAMPLE ? 1 : 0), 0);
  return clipped < MOST_CLIPPED_SHARE * samples.length;
}

const RANDOM_NAME = "compressed or encrypted data";

/**
 * @param bytes   half a second or more of received samples, whole frames, from a multiple of STEP_BYTES frames on
 * @param format  current format
 * @returns likely format of the bytes; undefined if they may be sound, or silence
 */
export function likelyFormat(bytes: Buffer, format: StreamFormat): string | undefined {
  const samples = decodeFrames(bytes, { ...format })[0] ?? new Float32Array();
  const shape = samples.length > 1 ? shapeOf(samples) : undefined;
  if (!shape) return undefined;
  if (isText(bytes)) return TEXT_NAME;
  const better = betterFormat(bytes, format.channels, shape);
  if (better !== undefined) return better;
  return isRandom(samples, shape) ? RANDOM_NAME : undefined;
}
