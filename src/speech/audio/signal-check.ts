// Detects samples that were decoded in the wrong format. Neighbouring samples of speech and music are similar; with the
// wrong byte order, width or encoding they are not, and mostly loud. If another format gives a smooth signal from the
// same bytes, it is named. The thresholds are from one half of ../shared/data; see
// docs/decisions/2026-11-25-live-input.md.
import { isOneSignal, likelyChannelCount } from "./channel-count-check.ts";
import { isText } from "./container-format.ts";
import { likelyLaw } from "./law-check.ts";
import {
  A_LAW,
  BIG_ENDIAN_WIDE,
  CANDIDATE_FORMATS,
  type CandidateFormat,
  LITTLE_ENDIAN_FLOAT,
  type LikelyFormat,
  MU_LAW,
  ONE_CHANNEL,
  RANDOM,
  SHORT,
  TEXT,
  TWO_CHANNELS,
  TWO_CHANNELS_OF_16_BITS,
  WIDE,
  WIDE_OR_TWO_CHANNELS,
} from "./likely-format.ts";
import { decodeFrames, type SampleFormat } from "./stream-format.ts";

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
  let sum = 0;
  let squares = 0;
  let differences = 0;
  let before = samples[0] as number;
  for (let at = 0; at < samples.length; at++) {
    const value = samples[at] as number;
    if (!(Math.abs(value) <= MOST_SAMPLE)) return undefined;
    sum += value;
    squares += value * value;
    differences += (value - before) ** 2;
    before = value;
  }
  const mean = sum / samples.length;
  const variance = squares / samples.length - mean * mean;
  if (!(variance > SILENCE_LEVEL ** 2)) return undefined;
  const roughness = differences / (samples.length - 1);
  return { level: Math.sqrt(variance), roughness, correlation: 1 - roughness / (2 * variance) };
}

/** Values that are too large for samples, or not numbers: other samples that are read as floating-point numbers have them. */
const NO_SOUND: Shape = { level: 1, roughness: Number.POSITIVE_INFINITY, correlation: 0 };
const isNoSound = (samples: Float32Array | undefined) =>
  samples?.some((value) => !(Math.abs(value) <= MOST_SAMPLE)) === true;

/** Samples of a channel in another format. */
function channelIn(
  bytes: Buffer,
  { sampleBytes, read, skippedBytes = 0, every = 1 }: CandidateFormat,
  channels: number,
  channel = 0,
) {
  const frameBytes = sampleBytes * channels * every;
  const begin = skippedBytes + channel * sampleBytes;
  const count = Math.max(0, Math.floor((bytes.length - begin - sampleBytes) / frameBytes) + 1);
  const samples = new Float32Array(count);
  for (let at = 0; at < count; at++) samples[at] = read(bytes, begin + at * frameBytes);
  return samples;
}

/** Levels of the low halves of wider samples: digital silence, or like random bytes. */
const MOST_SILENT_LEVEL = 1e-4;
const LEAST_RANDOM_LEVEL = 0.4;
/** Least level of the low halves of samples that are read as the first of two channels: about 0.38 in a quiet recording. */
const LEAST_LOW_HALVES_LEVEL = 0.3;

/** @param samples  of 16 bits @returns whether every other one may be the low half of a sample of 32 bits */
function mayBeHalves(samples: Float32Array): boolean {
  return [0, 1].some((place) => {
    const half = new Float32Array(samples.length >> 1);
    for (let at = 0; at < half.length; at++) half[at] = samples[2 * at + place] as number;
    const level = shapeOf(half)?.level ?? 0;
    return level < MOST_SILENT_LEVEL || level > LEAST_RANDOM_LEVEL;
  });
}

/** Readings that may be right in a session of a format. */
function candidatesFor({ encoding, bitDepth, channels }: SampleFormat, samples: Float32Array) {
  if (encoding === "float") return CANDIDATE_FORMATS.filter((reading) => reading !== LITTLE_ENDIAN_FLOAT);
  if (encoding !== "wav/pcm" || bitDepth !== 16 || channels > 1 || mayBeHalves(samples)) return CANDIDATE_FORMATS;
  return CANDIDATE_FORMATS.filter(({ sampleBytes }) => sampleBytes !== 4);
}

/** The format that gives the smoothest sound from the bytes. */
function smootherFormat(
  bytes: Buffer,
  format: SampleFormat,
  samples: Float32Array,
  { roughness, correlation }: Shape,
  channel = 0,
): LikelyFormat | undefined {
  const { bitDepth, channels } = format;
  const isLoud = roughness > ROUGH_ENERGY;
  if (!isLoud && correlation >= SUSPICIOUS_CORRELATION) return undefined;
  let best: { reading: CandidateFormat; roughness: number } | undefined;
  for (const reading of candidatesFor(format, samples)) {
    if (correlation > (reading.mostCorrelation ?? 1) || (reading.mustBeLoud && !isLoud)) continue;
    const shape = shapeOf(channelIn(bytes, reading, channels, channel));
    // The low bytes of clipped 24-bit and 32-bit samples are smooth and quiet.
    const least = reading.sampleBytes < bitDepth / 8 ? LEAST_CLEAR_LEVEL : LEAST_LEVEL;
    if (!shape || shape.level < least || shape.level > MOST_LEVEL) continue;
    const isSmoother = isLoud && shape.correlation > SMOOTH_CORRELATION && shape.roughness < roughness * LESS_ENERGY;
    const isClear =
      correlation < SUSPICIOUS_CORRELATION &&
      shape.correlation > SMOOTHER_CORRELATION &&
      shape.level > LEAST_CLEAR_LEVEL;
    if (!isSmoother && !isClear) continue;
    if (!best || shape.roughness < best.roughness) best = { reading, roughness: shape.roughness };
  }
  if (bitDepth === 16 && channels === 1) {
    if (best?.reading.name === TWO_CHANNELS_OF_16_BITS) return TWO_CHANNELS;
    if (best?.reading.name === WIDE) return WIDE_OR_TWO_CHANNELS;
  }
  return best?.reading;
}

function isRandom(samples: Float32Array, { level, correlation }: Shape): boolean {
  if (Math.abs(correlation) > RANDOM_CORRELATION || level < RANDOM_LEVEL[0] || level > RANDOM_LEVEL[1]) return false;
  const clipped = samples.reduce((count, value) => count + (Math.abs(value) > CLIPPED_SAMPLE ? 1 : 0), 0);
  return clipped < MOST_CLIPPED_SHARE * samples.length;
}

/** Lags from 50 ms at 16 kHz on, over which speech changes: they contain a multiple of each period up to 256 samples. */
const TONE_LAGS: readonly [least: number, most: number] = [800, 1_056];
/** Largest mean square of the change of a tone over a lag, as a share of the energy of both samples. */
const MOST_CHANGE = 0.01;
/** Only each of so many samples is compared. The step is odd, so that both even and odd places are compared. */
const TONE_STEP = 15;

/**
 * Steady tones say nothing about the format: their period may be a whole number of samples, and then their samples at
 * even and odd places differ.
 */
export function isTone(samples: Float32Array): boolean {
  for (let lag = TONE_LAGS[0]; lag < TONE_LAGS[1]; lag++) {
    let [change, energy] = [0, 0];
    for (let at = lag; at < samples.length; at += TONE_STEP) {
      const [value, earlier] = [samples[at] as number, samples[at - lag] as number];
      change += (value - earlier) ** 2;
      energy += value * value + earlier * earlier;
    }
    if (change < MOST_CHANGE * energy) return true;
  }
  return false;
}

/** Quieter windows, such as the noise of a line before a call, say nothing about the format. */
const LEAST_TELLING_LEVEL = 0.001;

export interface Inspection {
  /** Silence, or too quiet: the window says nothing about the format. */
  isSilence: boolean;
  /** Undefined if the bytes may be sound in the current format. */
  likely: LikelyFormat | undefined;
}

interface Decoded {
  /** In the current format. */
  channels: readonly Float32Array[];
  /** Of each channel. */
  shapes: readonly (Shape | undefined)[];
}

/** Samples of few different values: rounding makes those at even and odd places unequal. The level is four steps of 8-bit samples. */
const LEAST_FINE_LEVEL = 4 / 128;
const isCoarse = ({ encoding, bitDepth }: SampleFormat, { level }: Shape) =>
  encoding === "wav/pcm" && bitDepth === 8 && level < LEAST_FINE_LEVEL;

/**
 * Both halves of 32-bit samples are neighbours in one signal. The high halves alone sound like the declared format at twice its
 * speed.
 */
function areShort(bytes: Buffer, { encoding, bitDepth, channels }: SampleFormat): boolean {
  return encoding === "wav/pcm" && bitDepth === 32 && isOneSignal(channelIn(bytes, SHORT, channels));
}

/** Big-endian samples of 32 bits whose low halves are zero are read as digital silence. */
function areBigEndian(bytes: Buffer, { encoding, bitDepth, channels }: SampleFormat): boolean {
  if (encoding !== "wav/pcm" || bitDepth !== 32) return false;
  const { level, correlation } = shapeOf(channelIn(bytes, BIG_ENDIAN_WIDE, channels)) ?? NO_SOUND;
  return level > LEAST_CLEAR_LEVEL && level < MOST_LEVEL && correlation > SMOOTHER_CORRELATION;
}

function likelyFormat(bytes: Buffer, format: SampleFormat, { channels, shapes }: Decoded, shape: Shape) {
  if (isText(bytes)) return TEXT;
  const law = likelyLaw(bytes, format);
  if (law !== undefined) return law === "A-law" ? A_LAW : MU_LAW;
  if (areShort(bytes, format)) return SHORT;
  // Before other formats: two channels of 16 bits that are read as samples of 32 bits sound like one of them.
  const count = isCoarse(format, shape) ? undefined : likelyChannelCount(channels);
  if (count !== undefined) return count === 1 ? ONE_CHANNEL : TWO_CHANNELS;
  // If another channel is smooth, the format is right, and the first channel has noise. The low halves of wider samples also look like
  // noise, but they are loud.
  const [first = new Float32Array()] = channels;
  const isSmooth = shapes.slice(1).some((other) => (other?.correlation ?? 0) > SMOOTH_CORRELATION);
  if (isSmooth && (format.encoding !== "wav/pcm" || shape.level < LEAST_LOW_HALVES_LEVEL)) return undefined;
  return smootherFormat(bytes, format, first, shape) ?? (isRandom(first, shape) ? RANDOM : undefined);
}

/**
 * The format that the loudest of the other channels shows, if the first one has no sound. The first one may have the low halves of wider
 * samples: then, the other one is as smooth as sound is.
 */
function likelyOfOthers(bytes: Buffer, format: SampleFormat, { channels, shapes }: Decoded): LikelyFormat | undefined {
  const levelOf = (channel: number) => shapes[channel]?.level ?? 0;
  const loudest = [...channels.keys()].reduce((best, one) => (levelOf(one) > levelOf(best) ? one : best), 0);
  const [samples, shape] = [channels[loudest], shapes[loudest]];
  if (!samples || !shape || isTone(samples)) return undefined;
  return smootherFormat(bytes, format, samples, shape, loudest) ?? (isRandom(samples, shape) ? RANDOM : undefined);
}

/**
 * Takes time linear in the bytes. May be called for any part of a stream.
 * @param bytes   half a second or more of received samples, whole frames, from a multiple of STEP_BYTES frames on
 * @param format  current format
 */
export function inspectSamples(bytes: Buffer, format: SampleFormat): Inspection {
  const channels = decodeFrames(bytes, { ...format });
  const shapes = channels.map((channel) => (channel.length > 1 ? shapeOf(channel) : undefined));
  const isSilence = shapes.every((one) => (one?.level ?? 0) < LEAST_TELLING_LEVEL);
  const [first] = channels;
  const shape = shapes[0] ?? (isNoSound(first) ? NO_SOUND : undefined);
  if (!first || !shape) {
    if (first && areBigEndian(bytes, format)) return { isSilence, likely: BIG_ENDIAN_WIDE };
    return { isSilence, likely: likelyOfOthers(bytes, format, { channels, shapes }) };
  }
  const likely = likelyFormat(bytes, format, { channels, shapes }, shape);
  return { isSilence, likely: likely && likely !== TEXT && isTone(first) ? undefined : likely };
}
