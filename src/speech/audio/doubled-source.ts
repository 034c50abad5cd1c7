// Finds a recording in which the same sound is mixed with itself, a fraction of a second later and about as loud: a second
// device, a loudspeaker beside the microphone, a call that was recorded on both of its ends. The copy makes a ripple in the
// spectrum, which is a peak of the cepstrum at its delay (Bogert, Healy and Tukey 1963). Pitch is below these delays, and speech has no
// ripple of its own that stays the same for seconds. `npm run bench -- doubled-source` has the figures.
import { Fourier } from "./channels/fourier.ts";
import { SAMPLE_RATE } from "./sample-rate.ts";

/** Samples are halved to 8 kHz: frames of 2 s. */
const DECIMATION = 2;
const RATE = SAMPLE_RATE / DECIMATION;
const FRAME = 16_384;
/** Bins of 150 to 3,400 Hz, which telephones transmit, too. */
const FIRST = Math.ceil((150 * FRAME) / RATE);
const END = Math.floor((3_400 * FRAME) / RATE);
/** Delays that are searched. Smaller ones are usual between microphones of a room. */
const LEAST_DELAY = Math.round(0.1 * RATE);
const MOST_DELAY = Math.round(0.8 * RATE);
/** Quieter frames say nothing: root mean square. */
const LEAST_LEVEL = 0.0005;
/** Weaker bins, in relation to the mean, are set to this: the noise of a codec. */
const LEAST_SHARE = 1e-6;
/** Frames with sound that decide. */
const LEAST_FRAMES = 2;
/** After each group of frames, only every second of the frames analysed so far is analysed: about 4 ms each. */
const GROUP_FRAMES = 32;

/** Height of the peak: the level of the copy in relation to the sound, reduced by the delay in relation to the frame. */
const LEAST_HEIGHT = 0.13;
/** In relation to the root mean square of all delays, and to the highest peak elsewhere, which steady tones and hum have, too. */
const LEAST_CLEARNESS = 20;
const LEAST_ALONE = 3;
/** Delays around a peak and its multiples that belong to it, samples. */
const PEAK_WIDTH = 8;

export interface DelayPeak {
  delaySeconds: number;
  height: number;
  clearness: number;
  alone: number;
}

const HANN = Float64Array.from({ length: FRAME }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / FRAME));
let shared: [Fourier, Fourier] | undefined;

/** Adds the logarithm of the power of each bin, without its mean, to both sides of the spectrum. */
function writeLogarithms(power: Float64Array, into: Float64Array): void {
  const mean = power.reduce((sum, value) => sum + value, 0) / power.length;
  let sum = 0;
  for (let at = 0; at < power.length; at++) {
    power[at] = Math.log(Math.max(power[at] as number, LEAST_SHARE * mean) + Number.MIN_VALUE);
    sum += power[at] as number;
  }
  into.fill(0);
  for (let at = 0; at < power.length; at++) {
    const value = ((power[at] as number) - sum / power.length) / power.length;
    into[FIRST + at] = value / 2;
    into[FRAME - FIRST - at] = value / 2;
  }
}

/** For the owner of the recording. */
export const doubledWarning = (delaySeconds: number): string =>
  `The recording has the same sound twice, the second time ${delaySeconds.toFixed(2)} s later and about as loud, so words may be doubled or ` +
  "wrong: two devices or lines that carry the same sound were probably mixed; record one of them";

export class DoubledSource {
  private readonly frame = new Float64Array(FRAME);
  private filled = 0;
  private rest: number | undefined;
  private held: Float64Array | undefined;
  private readonly sum = new Float64Array(MOST_DELAY + 1);
  private analysed = 0;
  private frames = 0;
  private step = 1;

  /** About 2 ms for a second of the first minute, less later. @param samples  the next ones, 16 kHz, -1 to 1 */
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
    const { delaySeconds, height, clearness, alone } = this.peak;
    if (this.analysed < LEAST_FRAMES) return undefined;
    return height >= LEAST_HEIGHT && clearness >= LEAST_CLEARNESS && alone >= LEAST_ALONE ? delaySeconds : undefined;
  }

  /** The highest peak. */
  get peak(): DelayPeak {
    const { sum, analysed } = this;
    let best = LEAST_DELAY;
    let squares = 0;
    for (let delay = LEAST_DELAY; delay <= MOST_DELAY; delay++) {
      if ((sum[delay] as number) > (sum[best] as number)) best = delay;
      squares += (sum[delay] as number) ** 2;
    }
    let other = Number.MIN_VALUE;
    for (let delay = LEAST_DELAY; delay <= MOST_DELAY; delay++) {
      const multiple = Math.max(1, Math.round(delay / best));
      if (Math.abs(delay - multiple * best) > PEAK_WIDTH * multiple)
        other = Math.max(other, Math.abs(sum[delay] as number));
    }
    const height = sum[best] as number;
    return {
      delaySeconds: best / RATE,
      height: height / Math.max(1, analysed),
      clearness: height / (Math.sqrt(squares / (MOST_DELAY - LEAST_DELAY + 1)) || 1),
      alone: height / other,
    };
  }

  private add(value: number): void {
    this.frame[this.filled++] = value;
    if (this.filled < FRAME) return;
    this.filled = 0;
    const power = this.frame.reduce((sum, sample) => sum + sample * sample, 0) / FRAME;
    if (power < LEAST_LEVEL ** 2) return;
    if (this.frames++ % this.step !== 0) return;
    // Two real signals are transformed at once.
    if (this.held) {
      this.analyse(this.held, this.frame);
      this.held = undefined;
    } else this.held = this.frame.slice();
    if (this.analysed > 0 && this.analysed % GROUP_FRAMES === 0 && !this.held) this.step *= 2;
  }

  private analyse(one: Float64Array, other: Float64Array): void {
    shared ??= [new Fourier(FRAME), new Fourier(FRAME)];
    const [spectrum, cepstrum] = shared;
    for (let at = 0; at < FRAME; at++) {
      spectrum.real[at] = (one[at] as number) * (HANN[at] as number);
      spectrum.imaginary[at] = (other[at] as number) * (HANN[at] as number);
    }
    spectrum.transform();
    const powers = [new Float64Array(END - FIRST), new Float64Array(END - FIRST)] as const;
    for (let bin = FIRST; bin < END; bin++) {
      const [re, im] = [spectrum.real[bin] as number, spectrum.imaginary[bin] as number];
      const [mirroredRe, mirroredIm] = [
        spectrum.real[FRAME - bin] as number,
        spectrum.imaginary[FRAME - bin] as number,
      ];
      powers[0][bin - FIRST] = (re + mirroredRe) ** 2 + (im - mirroredIm) ** 2;
      powers[1][bin - FIRST] = (im + mirroredIm) ** 2 + (mirroredRe - re) ** 2;
    }
    writeLogarithms(powers[0], cepstrum.real);
    writeLogarithms(powers[1], cepstrum.imaginary);
    cepstrum.transform();
    // Both cepstra are real, because both spectra are symmetric.
    for (let delay = LEAST_DELAY; delay <= MOST_DELAY; delay++)
      this.sum[delay] =
        (this.sum[delay] as number) + (cepstrum.real[delay] as number) + (cepstrum.imaginary[delay] as number);
    this.analysed += 2;
  }
}
