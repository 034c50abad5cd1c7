// Compares the levels of two channels over time, by band. Two microphones in a room record the same voice with
// different waveforms, but with the same syllables.
import { BINS, FRAMES_A_WINDOW } from "./windows.ts";

/** Sums over frames, per bin. */
export interface Powers {
  left: Float64Array;
  right: Float64Array;
  crossReal: Float64Array;
  crossImaginary: Float64Array;
}

/** Bins per band: 220 Hz. */
const BINS_A_BAND = 7;
const BANDS = Math.floor(BINS / BINS_A_BAND);
/** Frames per level cell, 64 ms. */
const FRAMES_A_CELL = 2;
const CELLS = FRAMES_A_WINDOW / FRAMES_A_CELL;
const LENGTH = CELLS * BANDS;
/** Share of a frame's power that remains in the next one after smearing: a reverberation of about 0.4 s. */
const SMEARING = 0.6;

/** Levels of one channel in a window, without and with added reverberation. */
class Levels {
  readonly dry = new Float64Array(LENGTH);
  readonly smeared = new Float64Array(LENGTH);
  private readonly tail = new Float64Array(BANDS);

  begin(): void {
    this.dry.fill(0);
    this.smeared.fill(0);
  }

  /** @param powers  of one frame, by bin */
  add(cell: number, powers: Float64Array): void {
    const { tail, dry, smeared } = this;
    for (let band = 0, bin = 0; band < BANDS; band++) {
      let power = 0;
      for (const end = bin + BINS_A_BAND; bin < end; bin++) power += powers[bin] as number;
      const rest = power * (1 - SMEARING) + SMEARING * (tail[band] as number);
      tail[band] = rest;
      dry[cell + band] = (dry[cell + band] as number) + power;
      smeared[cell + band] = (smeared[cell + band] as number) + rest;
    }
  }
}

/** Common part of the amplitudes. @param gains  of the power of `left`, by band */
function shared(left: Float64Array, right: Float64Array, gains: Float64Array | undefined): number {
  let [least, most] = [0, 0];
  for (let cell = 0; cell < LENGTH; cell++) {
    const gain = gains ? (gains[cell % BANDS] as number) : 1;
    const [one, other] = [Math.sqrt(gain * (left[cell] as number)), Math.sqrt(right[cell] as number)];
    least += Math.min(one, other);
    most += Math.max(one, other);
  }
  return most > 0 ? least / most : 0;
}

export class LevelAgreement {
  private readonly left = new Levels();
  private readonly right = new Levels();
  private readonly gains = new Float64Array(BANDS);

  /** Starts a window. */
  begin(): void {
    this.left.begin();
    this.right.begin();
  }

  /**
   * @param frame  index in the window
   * @param left, right  powers by bin
   */
  add(frame: number, left: Float64Array, right: Float64Array): void {
    const cell = Math.floor(frame / FRAMES_A_CELL) * BANDS;
    this.left.add(cell, left);
    this.right.add(cell, right);
  }

  /**
   * @param mean  average powers of the channels, for the gain of each band
   * @returns 0 to 1, the best over equal or estimated gains and over more reverberation in either channel
   */
  agreement(mean: Powers): number {
    this.estimateGains(mean);
    let best = 0;
    for (const gains of [undefined, this.gains]) {
      for (const left of [this.left.dry, this.left.smeared]) {
        for (const right of [this.right.dry, this.right.smeared]) best = Math.max(best, shared(left, right, gains));
      }
    }
    return best;
  }

  private estimateGains(mean: Powers): void {
    for (let band = 0; band < BANDS; band++) {
      let [left, right] = [0, 0];
      for (let bin = band * BINS_A_BAND; bin < (band + 1) * BINS_A_BAND; bin++) {
        left += mean.left[bin] as number;
        right += mean.right[bin] as number;
      }
      this.gains[band] = left > 0 ? right / left : 0;
    }
  }
}
