// Finds a recording in which the same sound is mixed with itself, a fraction of a second later and about as loud: a second
// device, a loudspeaker beside the microphone, a call that was recorded on both of its ends. The copy makes a ripple in the
// spectrum, which is a peak of the cepstrum at its delay (Bogert, Healy and Tukey 1963). Periods of the pitch are
// shorter than these delays, and the ripples of speech change within seconds. A sound that repeats sample by sample (drum machines, clocks, looped files) has such
// a peak, too. Three observations distinguish a copy: its cepstrum is negative at twice the delay, the peak is in at least two of
// five frames, and a quarter of the moments of these frames resembles the sound before them. `npm run bench -- doubled-source` has the figures.
import { Fourier } from "./channels/fourier.ts";
import { SAMPLE_RATE } from "./sample-rate.ts";

/** Samples are halved to 8 kHz: frames of 4 s, which begin every 2 s. */
const DECIMATION = 2;
const RATE = SAMPLE_RATE / DECIMATION;
const FRAME = 32_768;
const HOP = FRAME / 2;
/** Bins of 150 to 3,400 Hz, which telephones transmit, too. */
const FIRST = Math.ceil((150 * FRAME) / RATE);
const END = Math.floor((3_400 * FRAME) / RATE);
/** Delays that are searched. Smaller ones are usual between microphones of a room. */
const LEAST_DELAY = Math.round(0.1 * RATE);
const MOST_DELAY = Math.round(0.8 * RATE);
/** Other delays that are compared with them: repetition has peaks there. */
const LAST = FRAME / 2 - 64;
/** Quieter frames say nothing: root mean square. */
const LEAST_LEVEL = 0.0005;
/** Weaker bins, in relation to the mean, are set to this: the noise of a codec. */
const LEAST_SHARE = 1e-6;
/** After each group of frames, only every second of the frames analysed so far is analysed. */
const GROUP_FRAMES = 32;

/** Height of the peak: the level of the copy in relation to the sound, reduced by the delay in relation to the frame. */
const LEAST_HEIGHT = 0.13;
const MOST_HEIGHT = 1;
/** In relation to the root mean square of all delays, and to the highest peak elsewhere, which steady tones and hum have, too. */
const LEAST_CLEARNESS = 20;
const LEAST_ALONE = 3;
/** Most of the value at twice the delay, in relation to the height. */
const MOST_SECOND = -0.1;
/** Delays around a peak and its multiples that belong to it, samples. */
const PEAK_WIDTH = 8;
/** Delays around twice the delay, samples: a delay is rarely a whole number of samples. */
const SECOND_WIDTH = 4;
/** Delays of two frames that are the same, samples. */
const SAME_DELAY = 2;

/** A frame is divided into moments of 0.1 s. */
const MOMENT = Math.round(0.1 * RATE);
/** Correlation of a moment with the sound before it, from which it counts. */
const LEAST_CORRELATION = 0.15;
/** Moments with less power in relation to the mean do not count. */
const LEAST_MOMENT_POWER = 1e-3;
/** Bins on each side over which the spectrum is averaged: 62 Hz, so that a sound stays within its moments. */
const SMOOTHING = 256;
/** Mean share of the moments: a sound that is played twice and again after a pause is in fewer. */
const LEAST_MOMENTS = 0.26;

/** Frames that have the copy, and their share of all frames with sound. */
const LEAST_FRAMES = 2;
const LEAST_FRAME_SHARE = 0.4;

/** The highest peak of a frame. */
interface DelayPeak {
  delay: number;
  height: number;
  clearness: number;
  alone: number;
  second: number;
}

const HANN = Float64Array.from({ length: FRAME }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / FRAME));
/** Buffers that all recordings share: an analysis is not interrupted. */
let shared: { spectrum: Fourier; result: Fourier; power: Float64Array } | undefined;
const buffers = () => {
  shared ??= { spectrum: new Fourier(FRAME), result: new Fourier(FRAME), power: new Float64Array(END - FIRST) };
  return shared;
};

/** Computes the spectrum of a frame, and the power of its bins. */
function transformFrame(frame: Float64Array): void {
  const { spectrum, power } = buffers();
  for (let at = 0; at < FRAME; at++) spectrum.real[at] = (frame[at] as number) * (HANN[at] as number);
  spectrum.imaginary.fill(0);
  spectrum.transform();
  for (let bin = FIRST; bin < END; bin++)
    power[bin - FIRST] = (spectrum.real[bin] as number) ** 2 + (spectrum.imaginary[bin] as number) ** 2;
}

/** @returns the transform of the logarithms of the power, without their mean; both sides of the spectrum */
function cepstrumOf(power: Float64Array): Float64Array {
  const { result } = buffers();
  const least = (LEAST_SHARE * power.reduce((sum, value) => sum + value, 0)) / power.length + Number.MIN_VALUE;
  const logarithms = power.map((value) => Math.log(Math.max(value, least)));
  const mean = logarithms.reduce((sum, value) => sum + value, 0) / power.length;
  result.real.fill(0);
  result.imaginary.fill(0);
  logarithms.forEach((value, at) => {
    const half = (value - mean) / power.length / 2;
    result.real[FIRST + at] = half;
    result.real[FRAME - FIRST - at] = half;
  });
  result.transform();
  return result.real;
}

function peakOf(cepstrum: Float64Array): DelayPeak {
  let best = LEAST_DELAY;
  let squares = 0;
  for (let delay = LEAST_DELAY; delay <= MOST_DELAY; delay++) {
    if ((cepstrum[delay] as number) > (cepstrum[best] as number)) best = delay;
    squares += (cepstrum[delay] as number) ** 2;
  }
  let other = Number.MIN_VALUE;
  for (let delay = LEAST_DELAY; delay <= LAST; delay++) {
    const multiple = Math.max(1, Math.round(delay / best));
    if (Math.abs(delay - multiple * best) > PEAK_WIDTH * multiple)
      other = Math.max(other, Math.abs(cepstrum[delay] as number));
  }
  let second = 0;
  for (let delay = 2 * best - SECOND_WIDTH; delay <= 2 * best + SECOND_WIDTH; delay++)
    if (Math.abs(cepstrum[delay] as number) > Math.abs(second)) second = cepstrum[delay] as number;
  const height = cepstrum[best] as number;
  return {
    delay: best,
    height,
    clearness: height / (Math.sqrt(squares / (MOST_DELAY - LEAST_DELAY + 1)) || 1),
    alone: height / other,
    second: second / height,
  };
}

const isCopy = ({ height, clearness, alone, second }: DelayPeak) =>
  height >= LEAST_HEIGHT &&
  height <= MOST_HEIGHT &&
  clearness >= LEAST_CLEARNESS &&
  alone >= LEAST_ALONE &&
  second <= MOST_SECOND;

/** The frame whose spectrum was computed last, with about the same power at all frequencies. */
function whitened(): Float64Array {
  const { spectrum, result, power } = buffers();
  const sums = new Float64Array(power.length + 1);
  for (let at = 0; at < power.length; at++) sums[at + 1] = (sums[at] as number) + (power[at] as number);
  const least = ((sums[power.length] as number) / power.length) * LEAST_SHARE + Number.MIN_VALUE;
  result.real.fill(0);
  result.imaginary.fill(0);
  for (let at = 0; at < power.length; at++) {
    const [from, to] = [Math.max(0, at - SMOOTHING), Math.min(power.length, at + SMOOTHING + 1)];
    const gain = 1 / Math.sqrt(((sums[to] as number) - (sums[from] as number)) / (to - from) + least);
    const bin = FIRST + at;
    // The transform of the conjugate is the inverse; the other side of the spectrum mirrors this one.
    result.real[bin] = gain * (spectrum.real[bin] as number);
    result.imaginary[bin] = -gain * (spectrum.imaginary[bin] as number);
    result.real[FRAME - bin] = result.real[bin] as number;
    result.imaginary[FRAME - bin] = -(result.imaginary[bin] as number);
  }
  result.transform();
  return result.real;
}

/** @returns share of the moments that resemble the sound before them */
function similarMoments(samples: Float64Array, delay: number): number {
  const meanPower = samples.reduce((sum, value) => sum + value * value, 0) / samples.length;
  let [count, similar] = [0, 0];
  for (let start = delay; start + MOMENT <= FRAME; start += MOMENT) {
    let [product, own, before] = [0, 0, 0];
    for (let at = start; at < start + MOMENT; at++) {
      const [value, earlier] = [samples[at] as number, samples[at - delay] as number];
      product += value * earlier;
      own += value * value;
      before += earlier * earlier;
    }
    count++;
    const least = LEAST_MOMENT_POWER * meanPower * MOMENT;
    if (own > least && before > least && product >= LEAST_CORRELATION * Math.sqrt(own * before)) similar++;
  }
  return similar / count;
}

/** For the owner of the recording. */
export const doubledWarning = (delaySeconds: number): string =>
  `The recording has the same sound twice, the second time ${delaySeconds.toFixed(2)} s later and about as loud, so words may be doubled or ` +
  "wrong: two devices or lines that carry the same sound were probably mixed; record one of them";

export class DoubledSource {
  private readonly frame = new Float64Array(FRAME);
  private filled = 0;
  private rest: number | undefined;
  /** Frames with a copy, by its delay. */
  private readonly copies = new Uint16Array(MOST_DELAY + 1);
  /** Sum of their shares of moments. */
  private readonly moments = new Float64Array(MOST_DELAY + 1);
  private analysed = 0;
  private frames = 0;
  private step = 1;

  /** About 1.5 ms for a second of the first minute, less later. @param samples  the next ones, 16 kHz, -1 to 1 */
  push(samples: Float32Array): void {
    let at = 0;
    if (this.rest !== undefined && samples.length > 0) {
      this.add((this.rest + (samples[0] as number)) / DECIMATION);
      at = 1;
      this.rest = undefined;
    }
    for (; at + 1 < samples.length; at += DECIMATION)
      this.add(((samples[at] as number) + (samples[at + 1] as number)) / DECIMATION);
    if (at < samples.length) this.rest = samples[at] as number;
  }

  /** Delay of a copy of the sound in the audio so far; undefined without one. */
  get delaySeconds(): number | undefined {
    const near = (sums: Uint16Array | Float64Array, delay: number) => {
      let sum = 0;
      for (let at = delay - SAME_DELAY; at <= Math.min(MOST_DELAY, delay + SAME_DELAY); at++) sum += sums[at] as number;
      return sum;
    };
    let [best, most] = [LEAST_DELAY, 0];
    for (let delay = LEAST_DELAY; delay <= MOST_DELAY; delay++) {
      const own = this.copies[delay] as number;
      if (own === 0) continue;
      const count = near(this.copies, delay);
      if (count > most || (count === most && own > (this.copies[best] as number))) [best, most] = [delay, count];
    }
    if (most < LEAST_FRAMES || most < LEAST_FRAME_SHARE * this.analysed) return undefined;
    return near(this.moments, best) >= LEAST_MOMENTS * most ? best / RATE : undefined;
  }

  private add(value: number): void {
    this.frame[this.filled++] = value;
    if (this.filled < FRAME) return;
    this.analyse();
    this.frame.copyWithin(0, HOP);
    this.filled = FRAME - HOP;
  }

  private analyse(): void {
    const power = this.frame.reduce((sum, sample) => sum + sample * sample, 0) / FRAME;
    if (power < LEAST_LEVEL ** 2) return;
    if (this.frames++ % this.step !== 0) return;
    transformFrame(this.frame);
    const peak = peakOf(cepstrumOf(buffers().power));
    if (isCopy(peak)) {
      this.copies[peak.delay] = (this.copies[peak.delay] as number) + 1;
      this.moments[peak.delay] = (this.moments[peak.delay] as number) + similarMoments(whitened(), peak.delay);
    }
    this.analysed++;
    if (this.analysed % GROUP_FRAMES === 0) this.step *= 2;
  }
}
