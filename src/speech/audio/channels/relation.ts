// Estimates one channel from another: gain, polarity and delay, as one complex factor per frequency that adapts within
// half a minute. Windows have equal weight whatever their level, so that a loud speaker does not dominate a quiet one.
import { LevelAgreement, type Powers } from "./level-agreement.ts";
import { BINS, COMPARED_RATE, FIRST_BIN, FRAME_SAMPLES, FRAMES_A_WINDOW, type WindowSpectra } from "./windows.ts";

/** Weight of a new window: a memory of about 30 s. */
const ADAPTATION = 1 / 120;
/** Resolution of delays: fractions of an 8 kHz sample. */
const DELAY_STEPS = 16;
/** Longest delay that the phase resolves, 1 ms; longer ones are compensated before. */
const LONGEST_PHASE_DELAY_SAMPLES = 8;

/**
 * Relation of the second channel to the first. Gains are below 0 for inverted polarity and 0 if they cannot be
 * estimated.
 */
export interface Relation {
  /** By the levels of both: correct if both have equally much sound that the other lacks. */
  gain: number;
  /** By least squares: correct if only the second channel has sound that the other lacks. */
  forwardGain: number;
  /** The same if only the first channel has. */
  backwardGain: number;
  /** Delay of the second channel. */
  delaySeconds: number;
}

export const NO_RELATION: Relation = { gain: 0, forwardGain: 0, backwardGain: 0, delaySeconds: 0 };

/** Gains beyond 100 dB are rounding errors of a silent channel. */
const MOST_GAIN = 1e5;
const usable = (gain: number) => (Number.isFinite(gain) && Math.abs(gain) < MOST_GAIN ? gain : 0);

/** -90 dB: a channel this much quieter contains only rounding errors. */
const LEAST_POWER_SHARE = 1e-9;

export interface WindowMatch {
  /** Energy that the other channel does not explain, relative to both: 0 = same waveform, 1 = unrelated. */
  unexplained: number;
  /**
   * Agreement of levels over time and frequency: 1 = identical, above 0.7 = one voice in two rooms, below 0.6 = two
   * voices. Valid until the next window.
   */
  agreement: () => number;
}

const emptyPowers = (): Powers => ({
  left: new Float64Array(BINS),
  right: new Float64Array(BINS),
  crossReal: new Float64Array(BINS),
  crossImaginary: new Float64Array(BINS),
});

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at] as number;
  return sum;
}

export class RelationEstimate {
  private readonly mean = emptyPowers();
  private readonly window = emptyPowers();
  private readonly leftFrame = new Float64Array(BINS);
  private readonly rightFrame = new Float64Array(BINS);
  private readonly levels = new LevelAgreement();
  private windows = 0;

  /** Adds a window of both channels and compares them. */
  add(left: WindowSpectra, right: WindowSpectra): WindowMatch {
    this.measure(left, right);
    this.adapt();
    const { levels, mean } = this;
    return { unexplained: this.unexplained(), agreement: () => levels.agreement(mean) };
  }

  /** Resets the estimate after a change of the delay. */
  reset(): void {
    this.windows = 0;
  }

  get relation(): Relation {
    const { left, right } = this.mean;
    const [leftPower, rightPower] = [sumOf(left), sumOf(right)];
    if (this.windows === 0) return NO_RELATION;
    const { common, samples } = this.phaseDelay();
    return {
      gain: usable(Math.sqrt(rightPower / leftPower) * (common < 0 ? -1 : 1)),
      forwardGain: usable(common / leftPower),
      backwardGain: usable(rightPower / common),
      delaySeconds: samples / COMPARED_RATE,
    };
  }

  private measure(left: WindowSpectra, right: WindowSpectra): void {
    const { window, levels } = this;
    window.left.fill(0);
    window.right.fill(0);
    window.crossReal.fill(0);
    window.crossImaginary.fill(0);
    levels.begin();
    for (let frame = 0; frame < FRAMES_A_WINDOW; frame++) this.measureFrame(left, right, frame);
  }

  private measureFrame(left: WindowSpectra, right: WindowSpectra, frame: number): void {
    const { window, leftFrame, rightFrame, levels } = this;
    for (let bin = 0, at = frame * BINS; bin < BINS; bin++, at++) {
      const leftRe = left.real[at] as number;
      const leftIm = left.imaginary[at] as number;
      const rightRe = right.real[at] as number;
      const rightIm = right.imaginary[at] as number;
      const leftPower = leftRe * leftRe + leftIm * leftIm;
      const rightPower = rightRe * rightRe + rightIm * rightIm;
      leftFrame[bin] = leftPower;
      rightFrame[bin] = rightPower;
      window.left[bin] = (window.left[bin] as number) + leftPower;
      window.right[bin] = (window.right[bin] as number) + rightPower;
      window.crossReal[bin] = (window.crossReal[bin] as number) + leftRe * rightRe + leftIm * rightIm;
      window.crossImaginary[bin] = (window.crossImaginary[bin] as number) + leftRe * rightIm - leftIm * rightRe;
    }
    levels.add(frame, leftFrame, rightFrame);
  }

  private adapt(): void {
    const { window, mean } = this;
    const [leftPower, rightPower] = [sumOf(window.left), sumOf(window.right)];
    if (Math.min(leftPower, rightPower) <= LEAST_POWER_SHARE * Math.max(leftPower, rightPower)) return;
    const size = Math.sqrt(leftPower * rightPower);
    this.windows++;
    const share = Math.max(ADAPTATION, 1 / this.windows);
    for (const name of ["left", "right", "crossReal", "crossImaginary"] as const) {
      const [from, to] = [window[name], mean[name]];
      for (let bin = 0; bin < BINS; bin++) {
        const before = this.windows === 1 ? 0 : (to[bin] as number);
        to[bin] = before + share * ((from[bin] as number) / size - before);
      }
    }
  }

  /** The minimum over: right from left, left from right, and both equal. */
  private unexplained(): number {
    const { window, mean } = this;
    let [forward, forwardBoth, backward, backwardBoth, apart, together] = [0, 0, 0, 0, 0, 0];
    for (let bin = 0; bin < BINS; bin++) {
      const [left, right] = [window.left[bin] as number, window.right[bin] as number];
      const [re, im] = [window.crossReal[bin] as number, window.crossImaginary[bin] as number];
      const [meanRe, meanIm] = [mean.crossReal[bin] as number, mean.crossImaginary[bin] as number];
      const product = meanRe * re + meanIm * im;
      const size = meanRe * meanRe + meanIm * meanIm;
      const [toRight, toLeft] = [mean.left[bin] as number, mean.right[bin] as number];
      if (toRight > 0) {
        const predicted = (left * size) / (toRight * toRight);
        forward += right + predicted - (2 * product) / toRight;
        forwardBoth += right + predicted;
      }
      if (toLeft > 0) {
        const predicted = (right * size) / (toLeft * toLeft);
        backward += left + predicted - (2 * product) / toLeft;
        backwardBoth += left + predicted;
      }
      apart += left + right - 2 * re;
      together += left + right;
    }
    const shares = [forward / forwardBoth, backward / backwardBoth, apart / together];
    return Math.min(...shares.filter(Number.isFinite), 2);
  }

  /**
   * @returns the delay that maximises the whitened cross-spectrum, and the common power at this delay, with its sign
   */
  private phaseDelay(): { samples: number; common: number } {
    const { crossReal, crossImaginary } = this.mean;
    let best = { samples: 0, common: 0 };
    let highest = 0;
    const last = LONGEST_PHASE_DELAY_SAMPLES * DELAY_STEPS;
    for (let step = -last; step <= last; step++) {
      const samples = step / DELAY_STEPS;
      let [whitened, common] = [0, 0];
      for (let bin = 0; bin < BINS; bin++) {
        const [re, im] = [crossReal[bin] as number, crossImaginary[bin] as number];
        const size = Math.sqrt(Math.hypot(re, im));
        if (size === 0) continue;
        const angle = (2 * Math.PI * (bin + FIRST_BIN) * samples) / FRAME_SAMPLES;
        const real = re * Math.cos(angle) - im * Math.sin(angle);
        common += real;
        whitened += real / size;
      }
      if (Math.abs(whitened) <= highest) continue;
      highest = Math.abs(whitened);
      best = { samples, common };
    }
    return best;
  }
}
