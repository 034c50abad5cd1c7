// Raises quiet audio to the working level of the voice activity detector, which finds speech only above about -57 dBFS.
// Audio at a normal level is unchanged. Noise has low speech probabilities at any level, so raised background noise is
// still not speech. Rumble is removed first, so that it neither hides quiet speech nor counts as level.
import { initialRumble, type RumbleState, removeRumble, withoutRumble } from "./rumble.ts";

/** Level state between windows; plain data. */
export interface LevelState {
  /** Levels of the last windows, dBFS, oldest first. */
  levels: number[];
  /** Factor at the end of the last window. */
  gain: number;
  rumble: RumbleState;
}

/** Audio whose loudest recent window has at least this level is unchanged, dBFS. */
const NORMAL_LEVEL = -40;
/**
 * Quieter audio is raised to the level of close speech, dBFS; gradually within the ramp. Higher levels find more of a distant voice, but
 * they change words of speech at a normal level (docs/decisions/2026-11-27-quiet-voices.md).
 */
const TARGET_LEVEL = -25;
const RAMP_DECIBELS = 6;
/** Bounds the amplification of a background without speech, dB. */
const MOST_GAIN = 44;
/** Target for the recogniser, which may be louder: the loudest window of close speech, dBFS. */
const RECOGNISER_LEVEL = -15;
/**
 * The gain follows the loudest of this many windows, 1.2 s, so that it is constant within a phrase. With 0.4 s the
 * detector missed half of the speech of a recording at -57 dBFS.
 */
export const LEVEL_WINDOWS = 38;
/** Level assigned to digital silence, dBFS. */
const LOWEST_LEVEL = -100;
const LOWEST_POWER = 1e-12;

export const initialLevel = (): LevelState => ({ levels: [], gain: 1, rumble: initialRumble() });

/** Level without the constant component, dBFS. */
function levelOf(window: Float32Array): number {
  let sum = 0;
  let squares = 0;
  for (const value of window) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / window.length;
  return Math.max(LOWEST_LEVEL, 10 * Math.log10(squares / window.length - mean * mean + LOWEST_POWER));
}

/** @returns decibels */
function gainFor(level: number, target = TARGET_LEVEL): number {
  const share = Math.min(1, Math.max(0, (NORMAL_LEVEL - level) / RAMP_DECIBELS));
  return Math.min(MOST_GAIN, share * (target - level));
}

/** Samples of one window, 32 ms at 16 kHz. */
const LEVEL_SAMPLES = 512;

/** Shortest quiet beginning that has its own gain, 2 s in windows: a fade-in, or a distant voice that speaks first. */
const LEAST_QUIET_WINDOWS = 62;
/** Least level of the loudest window of such a segment, dBFS: a voice that is quiet throughout stays as it is. */
const LOUD_LEVEL = -28;
/** Its gain follows the loudest of this many windows on each side, 0.6 s. */
const QUIET_WINDOWS = 19;

/**
 * Gains of the windows before the first one at a normal level, decibels.
 * @returns none if the beginning is too short
 */
function gainsOfBeginning(levels: readonly number[]): number[] {
  const quiet = levels.findIndex((level) => level >= NORMAL_LEVEL);
  if (quiet < LEAST_QUIET_WINDOWS || Math.max(...levels) < LOUD_LEVEL) return [];
  return levels.slice(0, quiet).map((_, at) => {
    const around = levels.slice(Math.max(0, at - QUIET_WINDOWS), at + QUIET_WINDOWS + 1);
    return gainFor(Math.max(...around), RECOGNISER_LEVEL);
  });
}

/**
 * Raises a quiet segment to the level of close speech, with one gain, without rumble. If only the beginning is quiet, only the beginning is raised.
 * @returns the samples themselves if they are at a normal level
 */
export function levelled(given: Float32Array): Float32Array {
  const samples = withoutRumble(given);
  const levels: number[] = [];
  for (let from = 0; from < samples.length; from += LEVEL_SAMPLES)
    levels.push(levelOf(samples.subarray(from, from + LEVEL_SAMPLES)));
  const factor = (decibels: number) => 10 ** (decibels / 20);
  const gain = factor(gainFor(Math.max(LOWEST_LEVEL, ...levels), RECOGNISER_LEVEL));
  if (gain !== 1) return samples.map((value) => value * gain);
  const gains = gainsOfBeginning(levels).map(factor);
  if (gains.length === 0) return samples;
  return samples.map((value, at) => {
    const window = Math.floor(at / LEVEL_SAMPLES);
    const [one, next] = [gains[window] ?? 1, gains[window + 1] ?? 1];
    return value * (one + (next - one) * (at / LEVEL_SAMPLES - window));
  });
}

/**
 * Raises a window in place, after its rumble was removed. The gain depends only on the audio so far, not on how it is split into calls.
 * @param window  samples in -1 to 1
 * @param state   changed in place
 */
export function raiseWindow(window: Float32Array, state: LevelState): void {
  const { levels } = state;
  levels.push(levelOf(removeRumble(window, state.rumble)));
  if (levels.length > LEVEL_WINDOWS) levels.shift();
  const gain = 10 ** (gainFor(Math.max(...levels)) / 20);
  // Decreases at once but increases within the window, so that the onset of a loud sound is not raised.
  const before = Math.min(state.gain, gain);
  state.gain = gain;
  if (before === 1 && gain === 1) return;
  const step = (gain - before) / window.length;
  for (let at = 0; at < window.length; at++) window[at] = (window[at] as number) * (before + step * (at + 1));
}
