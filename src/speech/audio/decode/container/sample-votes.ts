// Judges a window of the samples of a WAV file: whether they are in the format that the header states, or what they look like.
import { inspectSamples } from "../../signal-check.ts";
import { bytesPerFrame, decodeFrames, type SampleFormat } from "../../stream-format.ts";

/** Floating-point samples up to this are judged as they are. */
const MOST_SAMPLE = 4;
/**
 * Larger ones are samples of another scale (sample-scale.ts) with this correlation of neighbours, at most this ratio of the peak to the
 * root mean square, and at most this share of values that are not numbers: the bytes of integers have a few huge values.
 */
const LEAST_CORRELATION = 0.3;
const MOST_CREST = 40;
const MOST_OTHERS = 0.05;

export const BIG_ENDIAN = "big-endian 16-bit PCM";
export const OUT_OF_STEP = "16-bit PCM that is one byte out of step";
export const BIG_ENDIAN_FLOAT = "big-endian 32-bit floating-point samples";

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

/** Correlation of neighbours and levels of sound in its own format: other samples are rough in it, or near its limits. */
const SMOOTH_CORRELATION = 0.6;
const MOST_SIGNS = 0.5;
const SMOOTH_LEVELS: readonly [least: number, most: number] = [0.001, 0.3];

/** Quiet samples of 16 bits in the other order of bytes are smooth, too, but one byte of each extends the sign. */
function extendSign(bytes: Buffer, format: SampleFormat): boolean {
  if (format.bitDepth !== 16) return false;
  const frameBytes = bytesPerFrame(format);
  let signs = 0;
  for (let at = 0; at < bytes.length; at += frameBytes) if (bytes[at] === 0 || bytes[at] === 0xff) signs++;
  return signs > MOST_SIGNS * (bytes.length / frameBytes);
}

const energyOf = (samples: Float32Array) => samples.reduce((sum, value) => sum + value * value, 0);

/** The first channel may be silent. */
function loudestOf([first = new Float32Array(), ...others]: readonly Float32Array[]): Float32Array {
  if (others.length === 0) return first;
  let [loudest, most] = [first, energyOf(first)];
  for (const samples of others) {
    const energy = energyOf(samples);
    if (energy > most) [loudest, most] = [samples, energy];
  }
  return loudest;
}

function isSmooth(bytes: Buffer, format: SampleFormat): boolean {
  if (extendSign(bytes, format)) return false;
  const samples = loudestOf(decodeFrames(bytes, format));
  const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length;
  let [squares, differences, before] = [0, 0, (samples[0] ?? 0) - mean];
  for (const sample of samples) {
    const value = sample - mean;
    squares += value * value;
    differences += (value - before) ** 2;
    before = value;
  }
  const level = Math.sqrt(squares / samples.length) + Math.abs(mean);
  const [least, most] = SMOOTH_LEVELS;
  return level > least && level < most && 1 - differences / (2 * squares) > SMOOTH_CORRELATION;
}

export const STATED = "the stated format";

/** Name of the likely format of a window, or STATED; "" for one that is undecided, undefined for silence. */
export function voteOf(bytes: Buffer, format: SampleFormat): string | undefined {
  if (format.encoding === "float") {
    if (areScaled(bytes, format.channels)) return STATED;
    if (areSwapped(bytes, format.channels)) return BIG_ENDIAN_FLOAT;
  }
  const { isSilence, likely } = inspectSamples(bytes, format);
  if (likely || isSilence) return likely?.name;
  return isSmooth(bytes, format) ? STATED : "";
}
