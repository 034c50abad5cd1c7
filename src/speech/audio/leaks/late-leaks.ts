// Finds sound that arrives in another channel later than an adaptive filter reaches: an echo of a line, a delayed monitor. The
// whitened correlation of the channels (Knapp and Carter 1976) is summed over the recording and has a peak at the delay.
import { Fourier } from "../channels/fourier.ts";
import { SAMPLE_RATE } from "../sample-rate.ts";

/** Samples are halved to 8 kHz: frames of 8.2 s, which begin every 4.1 s. */
const DECIMATION = 2;
const RATE = SAMPLE_RATE / DECIMATION;
const FRAME = 65_536;
const HOP = FRAME / 2;
/** Bins of 200 to 3,400 Hz, which telephones transmit, too. */
const FIRST = Math.ceil((200 * FRAME) / RATE);
const END = Math.floor((3_400 * FRAME) / RATE);
/** Delays that are searched. Shorter ones are within the adaptive filter. */
const LEAST_DELAY = Math.round(0.2 * RATE);
const MOST_DELAY = Math.round(2.5 * RATE);
/** Height of the peak in relation to the root mean square of all delays. Independent voices reached 13.5. */
const LEAST_CLEARNESS = 16;
/**
 * Greatest gain of an echo, 3.5 dB. An announcement that repeats has a peak at the time to its next repetition, too, whose gain is
 * higher.
 */
const MOST_GAIN = 1.5;
/** Quieter frames have no speech: root mean square. */
const LEAST_LEVEL = 1e-4;

/** Sound of one channel that is in another one this much later. */
export interface LateLeak {
  from: number;
  to: number;
  delaySeconds: number;
}

/** Buffers that all searches share: a frame is analysed at once. */
let shared: { both: Fourier; correlation: Fourier } | undefined;
const buffers = () => {
  shared ??= { both: new Fourier(FRAME), correlation: new Fourier(FRAME) };
  return shared;
};

/** The 8 kHz samples of the present frame of a channel. */
class Frame {
  readonly samples = new Float32Array(FRAME);
  private filled = 0;
  private rest: number | undefined;

  /** @param from  index of the first sample to use @returns index behind the last one; the frame is complete if samples remain */
  fill(piece: Float32Array, from: number): number {
    let at = from;
    for (; at < piece.length && this.filled < FRAME; at++) {
      const value = piece[at] as number;
      if (this.rest === undefined) this.rest = value;
      else {
        this.samples[this.filled++] = (this.rest + value) / DECIMATION;
        this.rest = undefined;
      }
    }
    return at;
  }

  get isComplete(): boolean {
    return this.filled === FRAME;
  }

  get isAudible(): boolean {
    return this.samples.reduce((sum, value) => sum + value * value, 0) > LEAST_LEVEL ** 2 * this.filled;
  }

  /** Fills what is missing with silence. */
  end(): boolean {
    const hasNew = this.filled > HOP;
    this.samples.fill(0, this.filled);
    return hasNew;
  }

  advance(): void {
    this.samples.copyWithin(0, HOP);
    this.filled = FRAME - HOP;
  }
}

/** Sums of the correlation of a pair of channels, from -MOST_DELAY to MOST_DELAY; the right channel is late above 0. */
class PairCorrelation {
  private readonly sums = new Float64Array(2 * MOST_DELAY + 1);
  /** The same without whitening, and the power of both channels. */
  private readonly products = new Float64Array(2 * MOST_DELAY + 1);
  private leftPower = 0;
  private rightPower = 0;

  constructor(
    readonly left: number,
    readonly right: number,
  ) {}

  add(left: Float32Array, right: Float32Array): void {
    const { both, correlation } = buffers();
    both.real.set(left);
    both.imaginary.set(right);
    both.transform();
    correlation.real.fill(0);
    correlation.imaginary.fill(0);
    for (let bin = FIRST; bin < END; bin++) {
      const mirror = FRAME - bin;
      const [leftRe, leftIm, rightRe, rightIm] = both.spectraAt(bin);
      const crossRe = leftRe * rightRe + leftIm * rightIm;
      const crossIm = leftRe * rightIm - leftIm * rightRe;
      const size = Math.hypot(crossRe, crossIm) || 1;
      this.leftPower += 2 * (leftRe * leftRe + leftIm * leftIm);
      this.rightPower += 2 * (rightRe * rightRe + rightIm * rightIm);
      // Both sides of the spectrum of the whitened correlation, whose result is real, and i times those of the other one.
      // Conjugated, so that a forward transform computes the inverse.
      correlation.real[bin] = crossRe / size + crossIm;
      correlation.imaginary[bin] = -crossIm / size + crossRe;
      correlation.real[mirror] = crossRe / size - crossIm;
      correlation.imaginary[mirror] = crossIm / size + crossRe;
    }
    correlation.transform();
    for (let lag = -MOST_DELAY; lag <= MOST_DELAY; lag++) {
      const at = lag + MOST_DELAY;
      const from = (lag + FRAME) % FRAME;
      this.sums[at] = (this.sums[at] as number) + (correlation.real[from] as number);
      this.products[at] = (this.products[at] as number) + (correlation.imaginary[from] as number);
    }
  }

  /** Late sound of the clearer direction. None if a shorter delay is clearer: then both channels have the same sound at once. */
  get leak(): LateLeak | undefined {
    const { sums, left, right } = this;
    const spread = Math.sqrt(sums.reduce((sum, value) => sum + value * value, 0) / sums.length);
    const peakIn = (from: number, to: number) => {
      let best = from;
      for (let lag = from; lag <= to; lag++) {
        if (Math.abs(sums[lag + MOST_DELAY] as number) > Math.abs(sums[best + MOST_DELAY] as number)) best = lag;
      }
      return { lag: best, height: Math.abs(sums[best + MOST_DELAY] as number) };
    };
    const atOnce = peakIn(-LEAST_DELAY, LEAST_DELAY).height;
    const clear = Math.max(LEAST_CLEARNESS * spread, atOnce);
    const isLeak = ({ lag, height }: { lag: number; height: number }, sourcePower: number) =>
      height > clear && Math.abs(this.products[lag + MOST_DELAY] as number) < MOST_GAIN * sourcePower;
    const late = peakIn(LEAST_DELAY, MOST_DELAY);
    const early = peakIn(-MOST_DELAY, -LEAST_DELAY);
    const isLate = isLeak(late, this.leftPower);
    const isEarly = isLeak(early, this.rightPower);
    // A sound that repeats is late in both directions: removing both would leave nothing of it.
    if (isLate && (!isEarly || late.height >= early.height)) {
      return { from: left, to: right, delaySeconds: late.lag / RATE };
    }
    return isEarly ? { from: right, to: left, delaySeconds: -early.lag / RATE } : undefined;
  }
}

export class LateLeakSearch {
  private readonly frames: Frame[];
  private readonly pairs: PairCorrelation[] = [];

  constructor(channels: number) {
    this.frames = Array.from({ length: channels }, () => new Frame());
    for (let right = 0; right < channels; right++) {
      for (let left = 0; left < right; left++) this.pairs.push(new PairCorrelation(left, right));
    }
  }

  /** @param pieces  the next 16 kHz samples of each channel, all of one length */
  add(pieces: readonly Float32Array[]): void {
    const length = pieces[0]?.length ?? 0;
    for (let from = 0; from < length; ) {
      const ends = this.frames.map((frame, channel) => frame.fill(pieces[channel] as Float32Array, from));
      from = ends[0] ?? length;
      if (this.frames[0]?.isComplete) this.analyse();
    }
  }

  /** Ends the audio. @returns the delays that were found */
  end(): LateLeak[] {
    if (this.frames.map((frame) => frame.end()).includes(true)) this.analyse();
    return this.pairs.flatMap(({ leak }) => leak ?? []);
  }

  private analyse(): void {
    const { frames } = this;
    const isAudible = frames.map((frame) => frame.isAudible);
    for (const pair of this.pairs) {
      const [left, right] = [frames[pair.left], frames[pair.right]];
      if (left && right && isAudible[pair.left] && isAudible[pair.right]) pair.add(left.samples, right.samples);
    }
    for (const frame of frames) frame.advance();
  }
}
