// Estimates how the sound of one channel arrives in another: an adaptive filter of 320 ms in the frequency domain.
// Its step size follows from the uncertainty of every coefficient and from the power that the filter does not explain,
// so that a second voice hardly disturbs it.
// @source Kuech, Mabande, Enzner 2014, State-space architecture of the partitioned-block-based acoustic echo controller
import { BINS, BLOCK_SAMPLES, inverse, type Spectrum, transform } from "./blocks.ts";

/** 320 ms: the longest delay of a leak, and the first reverberation. */
export const PARTITIONS = 10;
/** Uncertainty that a coefficient gains with every block, relative to its power: paths change. */
const DRIFT = 1e-3;
const ERROR_MEMORY = 0.6;
/** 0.75 ms. */
const IMMEDIATE_SAMPLES = 12;

export class LeakPath {
  /** Spectra of the filter's parts, one block of impulse response each. */
  readonly parts: readonly Spectrum[];
  private readonly uncertainty: readonly Float32Array[];
  private readonly errorPower = new Float32Array(BINS);
  private readonly weight = new Float32Array(BINS);
  private hasError = false;

  /** @param prior  variance of a coefficient that nothing is known about: the highest possible power of the leak */
  constructor(prior: number) {
    this.parts = Array.from({ length: PARTITIONS }, () => ({
      real: new Float32Array(BINS),
      imaginary: new Float32Array(BINS),
    }));
    this.uncertainty = this.parts.map(() => new Float32Array(BINS).fill(prior));
  }

  /** Share of the impulse response's energy without a delay. */
  get immediateShare(): number {
    const spare = { real: new Float32Array(BINS), imaginary: new Float32Array(BINS) };
    let [immediate, all] = [0, 0];
    for (const [part, spectrum] of this.parts.entries()) {
      inverse(spectrum, spare, (response) => {
        for (let at = 0; at < BLOCK_SAMPLES; at++) {
          const energy = (response[at] as number) ** 2;
          all += energy;
          if (part === 0 && at < IMMEDIATE_SAMPLES) immediate += energy;
        }
      });
    }
    return all > 0 ? immediate / all : 0;
  }

  /** The leak may be stronger than assumed. */
  raise(prior: number): void {
    for (const part of this.uncertainty) {
      for (let bin = 0; bin < BINS; bin++) part[bin] = Math.max(part[bin] as number, prior);
    }
  }

  /** @param references  spectra of the source's channel, the newest first */
  estimate(references: readonly Spectrum[], into: Spectrum): void {
    into.real.fill(0);
    into.imaginary.fill(0);
    for (let part = 0; part < PARTITIONS; part++) {
      const { real, imaginary } = this.parts[part] as Spectrum;
      const reference = references[part] as Spectrum;
      for (let bin = 0; bin < BINS; bin++) {
        const [re, im] = [real[bin] as number, imaginary[bin] as number];
        const [x, y] = [reference.real[bin] as number, reference.imaginary[bin] as number];
        into.real[bin] = (into.real[bin] as number) + re * x - im * y;
        into.imaginary[bin] = (into.imaginary[bin] as number) + re * y + im * x;
      }
    }
  }

  /**
   * @param references  as for `estimate`
   * @param error  what the estimate left of the newest block, preceded by a block of zeros
   */
  adapt(references: readonly Spectrum[], error: Spectrum): void {
    const { errorPower, weight } = this;
    const memory = this.hasError ? ERROR_MEMORY : 0;
    this.hasError = true;
    for (let bin = 0; bin < BINS; bin++) {
      const power = (error.real[bin] as number) ** 2 + (error.imaginary[bin] as number) ** 2;
      errorPower[bin] = memory * (errorPower[bin] as number) + (1 - memory) * power;
      weight[bin] = 2 * (errorPower[bin] as number) + 1e-12;
    }
    for (let part = 0; part < PARTITIONS; part++) {
      const uncertainty = this.uncertainty[part] as Float32Array;
      const { real, imaginary } = references[part] as Spectrum;
      for (let bin = 0; bin < BINS; bin++) {
        const power = (real[bin] as number) ** 2 + (imaginary[bin] as number) ** 2;
        weight[bin] = (weight[bin] as number) + (uncertainty[bin] as number) * power;
      }
    }
    for (let part = 0; part < PARTITIONS; part++) this.adaptPart(part, references[part] as Spectrum, error);
  }

  private adaptPart(part: number, reference: Spectrum, error: Spectrum): void {
    const { weight } = this;
    const uncertainty = this.uncertainty[part] as Float32Array;
    const { real, imaginary } = this.parts[part] as Spectrum;
    for (let bin = 0; bin < BINS; bin++) {
      const [x, y] = [reference.real[bin] as number, reference.imaginary[bin] as number];
      const [e, f] = [error.real[bin] as number, error.imaginary[bin] as number];
      const before = uncertainty[bin] as number;
      const gain = before / (weight[bin] as number);
      const re = (real[bin] as number) + gain * (x * e + y * f);
      const im = (imaginary[bin] as number) + gain * (x * f - y * e);
      real[bin] = re;
      imaginary[bin] = im;
      uncertainty[bin] = (1 - DRIFT) * (1 - 0.5 * gain * (x * x + y * y)) * before + DRIFT * (re * re + im * im);
    }
  }
}

/** Limits one part of two filters to a block of impulse response. */
export function constrain(first: Spectrum, second: Spectrum): void {
  inverse(first, second, (one, other) => {
    const [kept, keptOther] = [one.slice(0, BLOCK_SAMPLES), other.slice(0, BLOCK_SAMPLES)];
    transform(
      (real, imaginary) => {
        real.fill(0);
        imaginary.fill(0);
        real.set(kept);
        imaginary.set(keptOther);
      },
      first,
      second,
    );
  });
}
