// Raises quiet audio to the working level of the voice activity detector, which finds speech only above about -57 dBFS.
// Audio at a normal level is unchanged. Noise has low speech probabilities at any level, so raised background noise is
// still not speech.

/** Level state between windows; plain data. */
export interface LevelState {
  /** Levels of the last windows, dBFS, oldest first. */
  levels: number[];
  /** Factor at the end of the last window. */
  gain: number;
}

/** How quiet audio is raised: all levels in dBFS. */
interface Raising {
  /** Audio whose loudest window has at least this level is unchanged. */
  normalLevel: number;
  /** Quieter audio is raised to this level; gradually within the ramp. */
  targetLevel: number;
}

/**
 * For the detector. With a normal level of -28 and a target of -20 it finds more of a telephone voice 14 to 24 dB below a near one,
 * but it moves the boundaries of speech at a normal level, and with them words (docs/decisions/2026-11-27-quiet-voices.md).
 */
const DETECTOR: Raising = { normalLevel: -40, targetLevel: -25 };
/** For the recogniser, which is less sensitive to the level. */
const RECOGNISER: Raising = { normalLevel: -40, targetLevel: -15 };
const RAMP_DECIBELS = 6;
/** Bounds the amplification of a background without speech, dB. */
const MOST_GAIN = 44;
/**
 * The gain follows the loudest of this many windows, 1.2 s, so that it is constant within a phrase. With 0.4 s the
 * detector missed half of the speech of a recording at -57 dBFS.
 */
export const LEVEL_WINDOWS = 38;
/** Level assigned to digital silence, dBFS. */
const LOWEST_LEVEL = -100;
const LOWEST_POWER = 1e-12;

export const initialLevel = (): LevelState => ({ levels: [], gain: 1 });

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
function gainFor(level: number, { normalLevel, targetLevel }: Raising): number {
  const share = Math.min(1, Math.max(0, (normalLevel - level) / RAMP_DECIBELS));
  return Math.min(MOST_GAIN, share * (targetLevel - level));
}

/** Samples of one window, 32 ms at 16 kHz. */
const LEVEL_SAMPLES = 512;

/** Level of the loudest window, dBFS. */
function loudestLevel(samples: Float32Array): number {
  let loudest = LOWEST_LEVEL;
  for (let from = 0; from < samples.length; from += LEVEL_SAMPLES) {
    loudest = Math.max(loudest, levelOf(samples.subarray(from, from + LEVEL_SAMPLES)));
  }
  return loudest;
}

function amplified(samples: Float32Array, decibels: number): Float32Array {
  const gain = 10 ** (decibels / 20);
  return gain === 1 ? samples : samples.map((value) => value * gain);
}

/**
 * Raises a quiet segment to the level of close speech, with one gain.
 * @returns the samples themselves if they are at a normal level
 */
export const levelled = (samples: Float32Array): Float32Array =>
  amplified(samples, gainFor(loudestLevel(samples), RECOGNISER));

/**
 * Raises a window in place. The gain depends only on the audio so far, not on how it is split into calls.
 * @param window  samples in -1 to 1
 * @param state   changed in place
 */
export function raiseWindow(window: Float32Array, state: LevelState): void {
  const { levels } = state;
  levels.push(levelOf(window));
  if (levels.length > LEVEL_WINDOWS) levels.shift();
  const gain = 10 ** (gainFor(Math.max(...levels), DETECTOR) / 20);
  // Decreases at once but increases within the window, so that the onset of a loud sound is not raised.
  const before = Math.min(state.gain, gain);
  state.gain = gain;
  if (before === 1 && gain === 1) return;
  const step = (gain - before) / window.length;
  for (let at = 0; at < window.length; at++) window[at] = (window[at] as number) * (before + step * (at + 1));
}
