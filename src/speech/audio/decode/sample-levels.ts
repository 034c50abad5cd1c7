// Finds the scale of samples by the levels of seconds: full scale is 1. A recording is only scaled where most of its seconds
// agree, as a wrong factor makes a right recording useless.

/** Level of a second: this share of its samples reaches it. Clicks and single wrong values are fewer. */
const LOUD_SHARE = 0.001;
/** A second is above full scale if this share of its samples is. */
const ABOVE_SHARE = 0.01;
/** Samples that were clipped at full scale reach 1, or slightly more after rounding. */
const FULL_SCALE = 1.01;
/** Powers of two, as histograms count them. */
const LEAST_POWER = -160;
const MOST_POWER = 160;
/** Signed and unsigned integers of 8, 16, 24 and 32 bits, as powers of two. Mixes above full scale stay below the first. */
const INTEGER_POWERS = [7, 8, 15, 16, 23, 24, 31, 32];
const MOST_MIX_POWER = 5;
/** Larger values are damage: random bytes have any power. */
const MOST_SCALE_POWER = 32;
/** Share of the seconds with sound that must be above full scale: a shout or a damaged second is no scale. */
const LEAST_ABOVE = 0.5;
/** Share of these that are within the scale: integers, of which most may be the noise of a quiet room; and mixes. */
const INTEGER_SHARE = 0.98;
const MIX_SHARE = 0.8;
/** Samples below -48 dBFS are brought to -36 dBFS: quiet enough for what raises quiet speech, and fine enough for 16 bits. */
const QUIET_POWER = -8;
const RAISED_POWER = -6;
/** Quieter samples are the noise of a converter. Samples of 16 bits in the low bits of 32 have this level. */
const LEAST_RAISED_POWER = -18;
/** Range of the levels of a second, as a power of two: silence with dither has the lowest levels of its bits alone. */
const LEAST_RAISED_RANGE = 3;
/** A shorter rest than this share of a second has no level. */
const LEAST_REST = 0.25;

export interface Scale {
  /** Factor of the samples. */
  gain: number;
  /** Whether some seconds stay above full scale. */
  isClipped: boolean;
  /** Whether there was no sound at all. */
  isSilence: boolean;
}

export const USUAL_SCALE: Scale = { gain: 1, isClipped: false, isSilence: false };

export type WideSamples = Float32Array | Float64Array | Int32Array;

/** @param sorted  lowest first @returns the lowest of them that this share does not exceed */
const shareOf = (sorted: readonly number[], share: number) =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;

/** Levels of whole seconds, as powers of two. */
export class SampleLevels {
  /** Seconds below full scale that are not quiet, and seconds above it. */
  usualSeconds = 0;
  aboveSeconds = 0;
  /** Quiet seconds with more than the noise of a converter. */
  private quietSeconds = 0;
  private loudestPower = Number.NEGATIVE_INFINITY;
  /** Powers of the seconds above full scale, without damaged ones. */
  private readonly above: number[] = [];
  private readonly counts = new Uint32Array(MOST_POWER - LEAST_POWER + 1);
  private left: number;

  /** @param secondSamples  samples of a second, of all channels together */
  constructor(readonly secondSamples: number) {
    this.left = secondSamples;
  }

  add(samples: WideSamples): void {
    const unit = samples instanceof Int32Array ? 2 ** -31 : 1;
    for (let at = 0; at < samples.length; at++) {
      const value = Math.abs((samples[at] as number) * unit);
      if (value > 0 && value < Number.POSITIVE_INFINITY) {
        const power = value >= 1 && value <= FULL_SCALE ? -1 : Math.floor(Math.log2(value));
        (this.counts[Math.max(LEAST_POWER, Math.min(MOST_POWER, power)) - LEAST_POWER] as number)++;
      }
      if (--this.left === 0) this.endSecond();
    }
  }

  /** Ends a stretch of samples. */
  end(): void {
    const isFirst = this.loudestPower === Number.NEGATIVE_INFINITY;
    if (isFirst || this.secondSamples - this.left >= LEAST_REST * this.secondSamples) this.endSecond();
    else this.clear();
  }

  get scale(): Scale {
    const { above, usualSeconds, aboveSeconds, quietSeconds, loudestPower } = this;
    const common = { isClipped: false, isSilence: loudestPower === Number.NEGATIVE_INFINITY };
    if (above.length > 0 && above.length >= LEAST_ABOVE * (usualSeconds + aboveSeconds + quietSeconds)) {
      const sorted = [...above].sort((one, other) => one - other);
      const power = shareOf(sorted, INTEGER_SHARE) + 1;
      if (power > MOST_MIX_POWER) {
        return { ...common, gain: 2 ** -(INTEGER_POWERS.find((bits) => bits >= power) ?? power) };
      }
      const mixPower = shareOf(sorted, MIX_SHARE) + 1;
      return { ...common, gain: 2 ** -mixPower, isClipped: (sorted.at(-1) as number) >= mixPower };
    }
    if (aboveSeconds > 0) return { ...common, gain: 1, isClipped: true };
    const isRaised = loudestPower < QUIET_POWER && loudestPower >= LEAST_RAISED_POWER;
    return { ...common, gain: isRaised ? 2 ** (RAISED_POWER - loudestPower - 1) : 1 };
  }

  private endSecond(): void {
    const samples = this.secondSamples - this.left;
    let [count, level, lowest, aboveCount] = [0, Number.NEGATIVE_INFINITY, MOST_POWER, 0];
    for (let power = MOST_POWER; power >= LEAST_POWER; power--) {
      const ofPower = this.counts[power - LEAST_POWER] as number;
      count += ofPower;
      if (level === Number.NEGATIVE_INFINITY && count > LOUD_SHARE * samples) level = power;
      if (ofPower > 0) lowest = power;
      if (power === 0) aboveCount = count;
    }
    if (level < QUIET_POWER && level - lowest < LEAST_RAISED_RANGE) level = Number.NEGATIVE_INFINITY;
    this.loudestPower = Math.max(this.loudestPower, level);
    if (aboveCount > ABOVE_SHARE * samples) {
      this.aboveSeconds++;
      if (level < MOST_SCALE_POWER) this.above.push(level);
    } else if (level >= QUIET_POWER) this.usualSeconds++;
    else if (level >= LEAST_RAISED_POWER) this.quietSeconds++;
    this.clear();
  }

  private clear(): void {
    this.counts.fill(0);
    this.left = this.secondSamples;
  }
}
