// Removes sound below the voice where it is most of a signal: a constant offset, mains hum, wind, engines. The detector and the
// recogniser miss speech under it, although none of it is in the range of the voice. All other audio is unchanged.
import { powerOf } from "../power.ts";
import { SAMPLE_RATE } from "../sample-rate.ts";

/** Rumble is below this frequency, and the voice above it, Hz. */
const CUT_OFF = 100;
/**
 * Quality of the four second-order sections of an eighth-order Butterworth filter. With the fourth order, a hum of 50 Hz that is 24 dB
 * louder than the voice was as loud as it afterwards.
 */
const SECTIONS = [0.5098, 0.6013, 0.9, 2.5629].map(section);
/** The filter is used if the rest is at most this share of the power, -8 dB. A deep voice alone has more above the cut-off. */
const MOST_REST = 0.16;
/** Sound below this mean power, -45 dBFS, is not filtered: clean recordings have such a background. */
const LEAST_POWER = 10 ** -4.5;
/** The share is measured over this number of windows, 1.2 s, so that a pause does not change it. */
export const RUMBLE_WINDOWS = 38;

interface Section {
  /** Coefficients of the input: `gain`, -2 `gain`, `gain`. */
  gain: number;
  /** Coefficients of the output. */
  first: number;
  second: number;
}

/** High-pass section. @source Audio EQ Cookbook, W3C note of 2021 */
function section(quality: number): Section {
  const angle = (2 * Math.PI * CUT_OFF) / SAMPLE_RATE;
  const alpha = Math.sin(angle) / (2 * quality);
  const scale = 1 / (1 + alpha);
  const cosine = Math.cos(angle);
  return { gain: ((1 + cosine) / 2) * scale, first: -2 * cosine * scale, second: (1 - alpha) * scale };
}

/** State between windows; plain data. */
export interface RumbleState {
  /** The first sample, which the filter subtracts from all: otherwise a constant offset would begin as a click. */
  offset: number | undefined;
  /** Two values of each section. */
  memory: number[];
  /** Power of the last windows, and of the rest without rumble, oldest first. */
  powers: number[];
  rests: number[];
  /** 1 if the end of the last window was filtered, otherwise 0. */
  weight: number;
}

export const initialRumble = (): RumbleState => ({
  offset: undefined,
  memory: SECTIONS.flatMap(() => [0, 0]),
  powers: [],
  rests: [],
  weight: 0,
});

/** Applies the high-pass filter to samples, also where they have no rumble. @param state  changed in place */
function filtered(samples: Float32Array, state: RumbleState): Float32Array {
  state.offset ??= samples[0] ?? 0;
  const { offset, memory } = state;
  const output = new Float32Array(samples.length);
  for (let at = 0; at < output.length; at++) output[at] = (samples[at] as number) - offset;
  for (const [index, { gain, first, second }] of SECTIONS.entries()) {
    // An earlier version has stored fewer sections.
    let [older, younger] = [memory[2 * index] ?? 0, memory[2 * index + 1] ?? 0];
    for (let at = 0; at < output.length; at++) {
      const value = output[at] as number;
      const result = gain * value + older;
      older = -2 * gain * value - first * result + younger;
      younger = gain * value - second * result;
      output[at] = result;
    }
    memory[2 * index] = older;
    memory[2 * index + 1] = younger;
  }
  return output;
}

/** @param power  of the audio @param rest  of the audio without rumble; both mean squares */
const isRumble = (power: number, rest: number) => power > LEAST_POWER && rest < MOST_REST * power;

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/**
 * Removes rumble from a window in place. Depends only on the audio so far.
 * @param window  16 kHz mono in -1 to 1
 * @param state   changed in place
 * @returns samples for measuring the level of the window; not those of the transition, which is no sound of the recording
 */
export function removeRumble(window: Float32Array, state: RumbleState): Float32Array {
  const rest = filtered(window, state);
  const { powers, rests } = state;
  powers.push(powerOf(window));
  rests.push(powerOf(rest));
  if (powers.length > RUMBLE_WINDOWS) {
    powers.shift();
    rests.shift();
  }
  const weight = Number(isRumble(sum(powers) / powers.length, sum(rests) / rests.length));
  const before = powers.length === 1 ? weight : state.weight;
  state.weight = weight;
  if (before === 0 && weight === 0) return window;
  const step = (weight - before) / window.length;
  for (let at = 0; at < window.length; at++) {
    const value = window[at] as number;
    window[at] = value + (before + step * (at + 1)) * ((rest[at] as number) - value);
  }
  return weight === 1 ? rest : window;
}

/** @param samples  all of a segment @returns the samples themselves if rumble is not most of them */
export function withoutRumble(samples: Float32Array): Float32Array {
  const power = powerOf(samples);
  if (!(power > LEAST_POWER)) return samples;
  const rest = filtered(samples, initialRumble());
  return isRumble(power, powerOf(rest)) ? rest : samples;
}
