// Estimates whether speech is played too slowly or too fast, as it is if its sampling rate is not the declared one. At half
// the rate, pitch, formants and changes are all an octave lower. A linear model, fitted on one half of ../shared/data
// (bench/learn-speech-speed.ts), reads them from windows with sound. Noise and music may have any estimate: the caller
// confirms it with voice activity. See docs/decisions/2026-11-25-live-input.md.
import { Fourier400 } from "./fourier-400.ts";
import { SPEED_BIAS, SPEED_WEIGHTS } from "./speech-speed-weights.ts";
import { WINDOW_SAMPLES } from "./voice-activity/detector-windows.ts";

/** Windows with sound in one estimate: 2.4 s. */
export const SPEED_WINDOWS = 75;

const TRANSFORM_SAMPLES = 400;
const BIN_HERTZ = 40;
const BINS = TRANSFORM_SAMPLES / 2;
const HANN = Float64Array.from({ length: TRANSFORM_SAMPLES }, (_, at) => {
  return 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / TRANSFORM_SAMPLES);
});
/** Thirds of an octave from 100 Hz to 8 kHz. */
const BANDS = 19;
const edgeOf = (band: number) => (100 * 2 ** (band / 3)) / BIN_HERTZ;

/** For each band, its bins with their weights. */
const BAND_BINS = Array.from({ length: BANDS }, (_, band) => {
  const [low, high] = [edgeOf(band), Math.min(BINS + 0.5, edgeOf(band + 1))];
  return Array.from({ length: BINS + 1 }, (_, bin) => ({
    bin,
    weight: Math.max(0, Math.min(high, bin + 0.5) - Math.max(low, bin - 0.5)),
  })).filter(({ weight }) => weight > 0);
});

const decibels = (power: number) => 10 * Math.log10(power + 1e-9);

/** Pitch is found in samples of 4 kHz: lags of 29 Hz to 1 kHz. */
const DECIMATION = 4;
const COMPARED = 480;
const LEAST_LAG = 4;
const MOST_LAG = 136;
const LAGS = MOST_LAG + 2;
const PITCH_SAMPLES = DECIMATION * (COMPARED + MOST_LAG + 4);
/** Correlation of a pitched sound with itself, one period later; a longer period must be this much more similar. */
const LEAST_PERIODIC = 0.55;
const MORE_SIMILAR = 1.1;
/** Before the first period, the correlation falls below this. */
const BETWEEN_PERIODS = 0.2;

/** Levels in relation to the loudest windows, dB. */
const SPECTRUM_RANGE = 25;
const LEAST_IN_SPECTRUM = 50;
const LEAST_IN_CHANGES = 45;
/** Distances in windows at which changes are measured, and the bands. */
const CHANGE_DISTANCES = [1, 2, 3, 4, 6, 8, 12, 16];
const CHANGE_BANDS = [2, 16] as const;
const TYPICAL_PITCH = 7.2;
const TYPICAL_CHANGE = 0.8;

interface SpeedWindow {
  /** Number of the window in its stream. */
  number: number;
  /** Power of each band, dB. */
  bands: Float64Array;
  level: number;
}

export class SpeechSpeed {
  private readonly transform = new Fourier400();
  private readonly windows: SpeedWindow[] = [];
  /** Logarithms to the base 2 of frequencies in hertz. */
  private readonly pitches: number[] = [];

  get count(): number {
    return this.windows.length;
  }

  /**
   * Adds a window with sound. Takes about 0.05 ms.
   * @param number   of the window in its stream
   * @param samples  16 kHz, ends with the window; the pitch needs 2,480 samples or more
   */
  push(number: number, samples: Float32Array): void {
    const bands = this.bandsOf(samples.subarray(-WINDOW_SAMPLES));
    const level = decibels(bands.reduce((sum, band) => sum + 10 ** (band / 10), 0));
    this.windows.push({ number, bands, level });
    const pitch = pitchOf(samples);
    if (pitch !== undefined) this.pitches.push(Math.log2(pitch));
  }

  /**
   * Logarithm to the base 2 of the speed: about -1 for speech that is played at half its speed, 1 at twice. Its error in
   * speech at its own speed is about 0.25; noise may have any value.
   */
  get octaves(): number {
    return this.features.reduce((sum, value, at) => sum + value * (SPEED_WEIGHTS[at] as number), SPEED_BIAS);
  }

  get features(): number[] {
    const { windows, pitches } = this;
    const levels = windows.map(({ level }) => level).sort((left, right) => right - left);
    const loudest = levels[Math.floor(levels.length / 10)] ?? 0;
    const spectrum = windows.filter(({ level }) => level > loudest - SPECTRUM_RANGE);
    const columns = Array.from({ length: BANDS }, (_, band) =>
      spectrum.map(({ bands }) => Math.max(bands[band] as number, loudest - LEAST_IN_SPECTRUM)),
    );
    const means = columns.map(meanOf);
    const middle = meanOf(means);
    const spreads = columns.map((column, band) =>
      Math.sqrt(meanOf(column.map((value) => (value - (means[band] as number)) ** 2))),
    );
    const sorted = [...pitches].sort((left, right) => left - right);
    const pitchAt = (share: number) => (sorted[Math.floor(share * sorted.length)] ?? TYPICAL_PITCH) - TYPICAL_PITCH;
    return [
      ...means.map((value) => (value - middle) / 10),
      ...spreads.map((value) => value / 10),
      ...[0.5, 0.2, 0.8].map(pitchAt),
      pitches.length / windows.length,
      ...changesOf(windows, loudest - LEAST_IN_CHANGES),
    ];
  }

  private bandsOf(samples: Float32Array): Float64Array {
    const { transform } = this;
    for (let at = 0; at < TRANSFORM_SAMPLES; at++) {
      transform.real[at] = (samples[at] ?? 0) * (HANN[at] as number);
      transform.imaginary[at] = 0;
    }
    transform.transform();
    const { real, imaginary } = transform;
    return Float64Array.from(BAND_BINS, (bins) => {
      let power = 0;
      for (const { bin, weight } of bins) {
        power += weight * ((real[bin] as number) ** 2 + (imaginary[bin] as number) ** 2);
      }
      return decibels(power);
    });
  }
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);

/** Mean change of the bands over each distance, in units of 10 dB. */
function changesOf(windows: readonly SpeedWindow[], least: number): number[] {
  const byNumber = new Map(windows.map(({ number, bands }) => [number, bands]));
  return CHANGE_DISTANCES.map((distance) => {
    let [sum, count] = [0, 0];
    for (const { number, bands } of windows) {
      const later = byNumber.get(number + distance);
      if (!later) continue;
      for (let band = CHANGE_BANDS[0]; band < CHANGE_BANDS[1]; band++) {
        sum += Math.abs(Math.max(bands[band] as number, least) - Math.max(later[band] as number, least));
        count++;
      }
    }
    return count > 0 ? sum / count / 10 : TYPICAL_CHANGE;
  });
}

/**
 * @returns for each lag from 0 to MOST_LAG + 1, the sum of products of samples that far apart. Four sums at once: an addition waits for the
 * one before it of the same sum, so that one sum at a time takes four times as long.
 */
function productsOf(samples: Float64Array): Float64Array {
  const products = new Float64Array(LAGS + 3);
  for (let lag = 0; lag < LAGS; lag += 4) {
    let [first, second, third, fourth] = [0, 0, 0, 0];
    let now = samples[lag] as number;
    let next = samples[lag + 1] as number;
    let afterNext = samples[lag + 2] as number;
    for (let at = 0; at < COMPARED; at++) {
      const sample = samples[at] as number;
      const last = samples[at + lag + 3] as number;
      first += sample * now;
      second += sample * next;
      third += sample * afterNext;
      fourth += sample * last;
      now = next;
      next = afterNext;
      afterNext = last;
    }
    products[lag] = first;
    products[lag + 1] = second;
    products[lag + 2] = third;
    products[lag + 3] = fourth;
  }
  return products.subarray(0, LAGS);
}

/** @returns hertz; undefined without a pitch */
function pitchOf(samples: Float32Array): number | undefined {
  const from = samples.length - PITCH_SAMPLES;
  if (from < 0) return undefined;
  const centred = new Float64Array(PITCH_SAMPLES / DECIMATION);
  let total = 0;
  for (let place = 0; place < centred.length; place++) {
    let sum = 0;
    for (let at = 0; at < DECIMATION; at++) sum += samples[from + place * DECIMATION + at] as number;
    centred[place] = sum;
    total += sum;
  }
  const mean = total / centred.length;
  for (let place = 0; place < centred.length; place++) centred[place] = (centred[place] as number) - mean;
  let own = 0;
  for (let at = 0; at < COMPARED; at++) own += (centred[at] as number) ** 2;
  if (own < 1e-6) return undefined;
  const similar = productsOf(centred);
  let energy = own;
  for (let lag = 1; lag < similar.length; lag++) {
    energy += (centred[COMPARED + lag - 1] as number) ** 2 - (centred[lag - 1] as number) ** 2;
    similar[lag] = (similar[lag] as number) / Math.sqrt(own * Math.max(energy, 0) + 1e-12);
  }
  let [best, period, isBeyond] = [0, 0, false];
  for (let lag = LEAST_LAG; lag <= MOST_LAG; lag++) {
    const here = similar[lag] as number;
    const [before, after] = [similar[lag - 1] as number, similar[lag + 1] as number];
    isBeyond ||= here < BETWEEN_PERIODS;
    if (isBeyond && here > before && here >= after && here > best * MORE_SIMILAR) [best, period] = [here, lag];
  }
  return best > LEAST_PERIODIC ? 16_000 / DECIMATION / period : undefined;
}
