// Detects two channels that are read as one, and one that is read as two. In a signal of one channel, the samples at even
// and at odd places have the same level and the same differences to their neighbours, and lie between them. The
// thresholds are from one half of ../shared/data; see docs/decisions/2026-11-25-live-input.md.

/** Quieter parts are not checked: root mean square. */
const LEAST_LEVEL = 0.001;

/** Samples at even and at odd places, and their differences: mean squares. */
interface Places {
  /** Without their mean. */
  even: number;
  odd: number;
  /** Of three neighbours at even or at odd places, weighted 1, 2, 1: without high frequencies. */
  lowEven: number;
  lowOdd: number;
  /** Difference of a sample at an even place to the next one. */
  within: number;
  /** Of a sample at an odd place to the next one. */
  between: number;
  /** Over two places. */
  evenOverTwo: number;
  oddOverTwo: number;
}

function placesOf(samples: Float32Array): Places {
  let [evenSum, oddSum, even, odd, lowEven, lowOdd] = [0, 0, 0, 0, 0, 0];
  let [within, between, evenOverTwo, oddOverTwo, pairs] = [0, 0, 0, 0, 0];
  for (let at = 0; at + 5 < samples.length; at += 2) {
    const first = samples[at] as number;
    const second = samples[at + 1] as number;
    const next = samples[at + 2] as number;
    const afterNext = samples[at + 3] as number;
    evenSum += first;
    oddSum += second;
    even += first * first;
    odd += second * second;
    lowEven += (first + 2 * next + (samples[at + 4] as number)) ** 2 / 16;
    lowOdd += (second + 2 * afterNext + (samples[at + 5] as number)) ** 2 / 16;
    within += (second - first) ** 2;
    between += (next - second) ** 2;
    evenOverTwo += (next - first) ** 2;
    oddOverTwo += (afterNext - second) ** 2;
    pairs++;
  }
  const [evenMean, oddMean] = [(evenSum / pairs) ** 2, (oddSum / pairs) ** 2];
  return {
    even: even / pairs - evenMean,
    odd: odd / pairs - oddMean,
    lowEven: lowEven / pairs - evenMean,
    lowOdd: lowOdd / pairs - oddMean,
    within: within / pairs,
    between: between / pairs,
    evenOverTwo: evenOverTwo / pairs,
    oddOverTwo: oddOverTwo / pairs,
  };
}

/** Correlation of samples two places apart that speech of one of two channels has at least. */
const LEAST_OVER_TWO = 0.5;
/** Share of the energy that three neighbours of one channel keep: a tone at a quarter of the sampling rate keeps none. */
const LEAST_LOW = 0.2;
/** A channel this much quieter than the other may be noise. */
const SILENT_SHARE = 0.01;
/** Root mean square of a first channel that is not digital silence. */
const LEAST_FIRST_LEVEL = 1e-4;
/**
 * Mean square of the differences to neighbours, in relation to that over two places. Smooth samples of one channel have
 * 0.25, independent ones 0.5. More means that the samples do not lie between their neighbours.
 */
const LEAST_APART = 0.6;
/**
 * Logarithms of ratios between even and odd places. One channel of the recordings has at most 0.07, and at most 0.03 where
 * samples do not lie between their neighbours.
 */
const UNEQUAL_DIFFERENCES = 0.3;
const UNEQUAL_LEVELS = 0.12;

const isSmooth = (level: number, overTwo: number, low: number) =>
  1 - overTwo / (2 * level) >= LEAST_OVER_TWO && low >= LEAST_LOW * level;

/** Logarithm of the ratio; finite for silence. */
const logRatio = (one: number, other: number) => Math.log((one + 1e-12) / (other + 1e-12));

/** In which way a part looks like two channels; the same in all parts, as each channel stays at its places. */
type Inequality = "even is louder" | "odd is louder" | "pairs at even places" | "pairs at odd places";

/** @param samples  a part of one channel */
function inequalitiesOf(samples: Float32Array): Inequality[] {
  const places = placesOf(samples);
  const { even, odd, within, between, evenOverTwo, oddOverTwo, lowEven, lowOdd } = places;
  const isFirstSmooth = isSmooth(even, evenOverTwo, lowEven);
  const isSecondSmooth = isSmooth(odd, oddOverTwo, lowOdd);
  const [louder, quieter] = even > odd ? [even, odd] : [odd, even];
  if (louder < LEAST_LEVEL ** 2 || !(even > odd ? isFirstSmooth : isSecondSmooth)) return [];
  const areSmooth = isFirstSmooth && isSecondSmooth;
  if (!areSmooth && quieter > SILENT_SHARE * louder) return [];
  // The low halves of 16-bit samples that were widened to 32 bits are silent, too.
  if (even < LEAST_FIRST_LEVEL ** 2) return [];
  const found: Inequality[] = [];
  const isApart = within + between > LEAST_APART * (evenOverTwo + oddOverTwo);
  const levels = logRatio(lowEven, lowOdd);
  if (isApart && levels > UNEQUAL_LEVELS) found.push("even is louder");
  if (isApart && levels < -UNEQUAL_LEVELS) found.push("odd is louder");
  const differences = logRatio(between, within);
  if (areSmooth && differences > UNEQUAL_DIFFERENCES) found.push("pairs at even places");
  if (areSmooth && differences < -UNEQUAL_DIFFERENCES) found.push("pairs at odd places");
  return found;
}

/** In one channel, the differences and levels at even and odd places are equal, and neighbours are close together. */
const EQUAL_DIFFERENCES = 0.15;
const EQUAL_LEVELS = 0.03;
const MOST_APART = 0.45;

/** @param samples  a part of two channels, interleaved */
function lookLikeOneChannel(samples: Float32Array): boolean {
  const { even, odd, within, between, evenOverTwo, oddOverTwo, lowEven, lowOdd } = placesOf(samples);
  return (
    even >= LEAST_LEVEL ** 2 &&
    isSmooth(even, evenOverTwo, lowEven) &&
    isSmooth(odd, oddOverTwo, lowOdd) &&
    Math.abs(logRatio(even, odd)) < EQUAL_LEVELS &&
    Math.abs(logRatio(within, between)) < EQUAL_DIFFERENCES &&
    within + between < MOST_APART * (evenOverTwo + oddOverTwo)
  );
}

/** Parts of a window that are checked separately: a sound may begin or change within it. */
const PARTS = 4;
const TWO_CHANNEL_PARTS = 3;
const ONE_CHANNEL_PARTS = 2;

function partsOf(samples: Float32Array): Float32Array[] {
  const length = 2 * Math.floor(samples.length / PARTS / 2);
  return Array.from({ length: PARTS }, (_, at) => samples.subarray(at * length, (at + 1) * length));
}

function areTwoChannels(samples: Float32Array): boolean {
  const found = partsOf(samples).flatMap(inequalitiesOf);
  return found.some((one) => found.filter((other) => other === one).length >= TWO_CHANNEL_PARTS);
}

/** @param samples  interleaved places, of a quarter of a second or more @returns whether they are one signal */
export function isOneSignal(samples: Float32Array): boolean {
  return partsOf(samples).filter(lookLikeOneChannel).length >= ONE_CHANNEL_PARTS;
}

function interleaved(left: Float32Array, right: Float32Array): Float32Array {
  const samples = new Float32Array(2 * left.length);
  for (let at = 0; at < left.length; at++) {
    samples[2 * at] = left[at] as number;
    samples[2 * at + 1] = right[at] as number;
  }
  return samples;
}

/**
 * Takes time linear in the samples. May be called for any part of a stream.
 * @param channels  samples of a quarter of a second or more, decoded in the current format
 * @returns likely number of channels; undefined if the current one may be right, and for more than two
 */
export function likelyChannelCount([first, second, ...others]: readonly Float32Array[]): 1 | 2 | undefined {
  if (!first || others.length > 0) return undefined;
  if (!second) return areTwoChannels(first) ? 2 : undefined;
  return isOneSignal(interleaved(first, second)) ? 1 : undefined;
}
