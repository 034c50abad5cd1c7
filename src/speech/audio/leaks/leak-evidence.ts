// Decides whether one channel leaks into another: whether the filter's estimate, made before the filter adapts to a
// block, agrees with that block. Two independent voices never agree for long.
import { HERTZ_PER_BIN, type Spectrum } from "./blocks.ts";

const BANDS = 16;
const BAND_BINS = 12;
/** The bands cover 300 to 3300 Hz, which a telephone line transmits. */
const FIRST = Math.round(300 / HERTZ_PER_BIN);
/** 0.5 s. */
const MEMORY = 1 - 1 / 16;
/** 2 s. */
const LONG_MEMORY = 1 - 1 / 64;

/** Correlation of two signals in each band. */
class Correlation {
  private readonly cross = new Float64Array(BANDS);
  private readonly one = new Float64Array(BANDS);
  private readonly other = new Float64Array(BANDS);

  constructor(private readonly memory: number) {}

  add(band: number, cross: number, one: number, other: number): void {
    this.cross[band] = this.memory * (this.cross[band] as number) + cross;
    this.one[band] = this.memory * (this.one[band] as number) + one;
    this.other[band] = this.memory * (this.other[band] as number) + other;
  }

  /** Mean over the bands, -1 to 1. */
  get mean(): number {
    let sum = 0;
    for (let band = 0; band < BANDS; band++) {
      const size = Math.sqrt((this.one[band] as number) * (this.other[band] as number));
      if (size > 0) sum += (this.cross[band] as number) / size;
    }
    return sum / BANDS;
  }
}

export class LeakEvidence {
  private readonly recent = new Correlation(MEMORY);
  private readonly lasting = new Correlation(LONG_MEMORY);
  /** Blocks in which the source was loud enough. */
  blocks = 0;

  /** @param estimate, near  spectra of one block after a block of zeros */
  add(estimate: Spectrum, near: Spectrum): void {
    this.blocks++;
    for (let band = 0; band < BANDS; band++) {
      let [cross, estimated, present] = [0, 0, 0];
      for (let bin = FIRST + band * BAND_BINS; bin < FIRST + (band + 1) * BAND_BINS; bin++) {
        const [re, im] = [estimate.real[bin] as number, estimate.imaginary[bin] as number];
        const [x, y] = [near.real[bin] as number, near.imaginary[bin] as number];
        cross += re * x + im * y;
        estimated += re * re + im * im;
        present += x * x + y * y;
      }
      this.recent.add(band, cross, estimated, present);
      this.lasting.add(band, cross, estimated, present);
    }
  }

  /** Correlation of estimate and channel over the last half second, -1 to 1. */
  get agreement(): number {
    return this.recent.mean;
  }

  /** The same, over the last two seconds. */
  get lastingAgreement(): number {
    return this.lasting.mean;
  }
}
