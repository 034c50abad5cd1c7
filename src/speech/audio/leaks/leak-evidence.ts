// Decides whether one channel leaks into another: whether the filter's estimate, made before the filter adapts to a
// block, agrees with that block. Two independent voices never agree for long.
import { HERTZ_PER_BIN, type Spectrum } from "./blocks.ts";

const BANDS = 16;
const BAND_BINS = 12;
/** The bands cover 300 to 3300 Hz, which a telephone line transmits. */
const FIRST = Math.round(300 / HERTZ_PER_BIN);
/** 0.5 s. */
const MEMORY = 1 - 1 / 16;

export class LeakEvidence {
  private readonly cross = new Float64Array(BANDS);
  private readonly estimated = new Float64Array(BANDS);
  private readonly present = new Float64Array(BANDS);
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
      this.cross[band] = MEMORY * (this.cross[band] as number) + cross;
      this.estimated[band] = MEMORY * (this.estimated[band] as number) + estimated;
      this.present[band] = MEMORY * (this.present[band] as number) + present;
    }
  }

  /** Mean correlation of estimate and channel over the bands, -1 to 1. */
  get agreement(): number {
    let sum = 0;
    for (let band = 0; band < BANDS; band++) {
      const size = Math.sqrt((this.estimated[band] as number) * (this.present[band] as number));
      if (size > 0) sum += (this.cross[band] as number) / size;
    }
    return sum / BANDS;
  }
}
