// Level and dynamic range of one channel, in constant memory.
import { BINS, COMPARED_RATE, FIRST_BIN, FRAME_SAMPLES, FRAMES_A_WINDOW, type WindowSpectra } from "./windows.ts";

/** A window is quiet at this level below the loudest one of the last minutes. */
const QUIET_SHARE = 10 ** (-36 / 10);
/** Decay of the loudest level: 3 dB per minute. */
const PEAK_DECAY = 0.5 ** (1 / 234);
/** A window is always quiet below -72 dBFS: above 16-bit rounding noise, below any microphone. */
const SILENT_POWER = 10 ** (-72 / 10);
/** Converts spectral power to sample power: the Hann window keeps 3/8 of it, and half of the bins represent all. */
const POWER_SCALE = 2 / (FRAMES_A_WINDOW * FRAME_SAMPLES * FRAME_SAMPLES * 0.375);
const LOWEST_DECIBELS = -100;
const LEVELS = 101;
const SPEECH_SHARE = 0.9;
const FLOOR_SHARE = 0.1;

/** 1 kHz. */
const FIRST_HIGH_BIN = Math.round((1_000 * FRAME_SAMPLES) / COMPARED_RATE) - FIRST_BIN;
/** -22 dB: speech has 15 dB or less from 1 kHz on; a bass channel is cut off below 200 Hz. */
const BASS_HIGH_SHARE = 0.006;

export interface LevelSummary {
  /** Level of loud windows, dBFS. */
  speechDecibels: number;
  /** Range between loud and quiet windows, decibels. */
  rangeDecibels: number;
}

export class ChannelLevel {
  private energy = 0;
  private highEnergy = 0;
  private peak = 0;
  private windows = 0;
  /** Number of windows by level, 1 dB each, from LOWEST_DECIBELS on. */
  private readonly histogram = new Uint32Array(LEVELS);

  /** @returns whether the window has sound above the background */
  add({ real, imaginary }: WindowSpectra): boolean {
    let [energy, high] = [0, 0];
    for (let frame = 0, at = 0; frame < FRAMES_A_WINDOW; frame++) {
      for (let bin = 0; bin < BINS; bin++, at++) {
        const [re, im] = [real[at] as number, imaginary[at] as number];
        energy += re * re + im * im;
        if (bin >= FIRST_HIGH_BIN) high += re * re + im * im;
      }
    }
    this.energy += energy;
    this.highEnergy += high;
    const power = energy * POWER_SCALE;
    this.peak = Math.max(power, this.peak * PEAK_DECAY);
    if (power < SILENT_POWER) return false;
    const level = Math.min(LEVELS - 1, Math.max(0, Math.round(10 * Math.log10(power) - LOWEST_DECIBELS)));
    this.histogram[level] = (this.histogram[level] as number) + 1;
    this.windows++;
    return power > this.peak * QUIET_SHARE;
  }

  get summary(): LevelSummary {
    const speechDecibels = this.percentile(SPEECH_SHARE);
    return { speechDecibels, rangeDecibels: speechDecibels - this.percentile(FLOOR_SHARE) };
  }

  /** Whether the channel contains only bass. */
  get isBass(): boolean {
    return this.highEnergy <= BASS_HIGH_SHARE * this.energy;
  }

  private percentile(share: number): number {
    let left = share * this.windows;
    for (let level = 0; level < LEVELS; level++) {
      left -= this.histogram[level] as number;
      if (left <= 0) return level + LOWEST_DECIBELS;
    }
    return LOWEST_DECIBELS;
  }
}

/** A channel is better if its range is larger by this … */
const BETTER_RANGE_DECIBELS = 4;
/** … or if it is louder by this with a similar range. */
const LOUDER_DECIBELS = 6;

/**
 * @returns the channel to transcribe among those with the same source; the first one unless another is clearly better
 */
export function bestOf(channels: readonly number[], levels: readonly LevelSummary[]): number {
  return channels.reduce((best, channel) => {
    const [old, one] = [levels[best] as LevelSummary, levels[channel] as LevelSummary];
    const range = one.rangeDecibels - old.rangeDecibels;
    const isLouder = one.speechDecibels - old.speechDecibels > LOUDER_DECIBELS && range > -BETTER_RANGE_DECIBELS / 2;
    const isQuieter = old.speechDecibels - one.speechDecibels > LOUDER_DECIBELS;
    return isLouder || (range > BETTER_RANGE_DECIBELS && !isQuieter) ? channel : best;
  });
}
