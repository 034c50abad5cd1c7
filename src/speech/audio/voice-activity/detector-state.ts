// State of the voice activity detector between two calls. Separate from the detector, so that the service process does
// not load ONNX Runtime. It is never stored: after a restart the detector runs again over the last seconds.
//
// The network's memory adapts to any lasting sound, and after music it takes a voice for a part of the music. Therefore
// no memory is kept for long: a new one begins every MEMORY_WINDOWS windows of the stream, and the network runs on two
// of them. Probabilities are those of the older one; the younger one settles until it takes its place.

import { WARM_UP_SAMPLES, WINDOW_SAMPLES } from "./detector-windows.ts";
import { initialLevel, LEVEL_WINDOWS, type LevelState } from "./leveller.ts";
import { RUMBLE_WINDOWS } from "./rumble.ts";

/**
 * Windows from the start of one memory to the start of the next, 5.1 s: the memory in use is 5.1 to 10.2 s old. Younger
 * ones take music for speech, older ones miss speech after music (docs/decisions/2026-11-27-speech-after-music.md).
 */
export const MEMORY_WINDOWS = 160;

/** Recurrent state of the network; plain data. */
export interface DetectorMemory {
  /** Both [STATE_SIZE]. */
  hidden: Float32Array;
  cell: Float32Array;
}

/** Plain data, so that it can be sent between processes. */
export interface VoiceActivityState {
  /** Index of the next window in the stream. */
  window: number;
  /** Windows of the warm-up that are still to come. They have no place in the stream. */
  warmUpWindows: number;
  /** Undefined while empty. */
  older: DetectorMemory | undefined;
  younger: DetectorMemory | undefined;
  /** The last samples before the next window, as given to the detector; undefined at the start. */
  context: Float32Array | undefined;
  level: LevelState;
}

/** @param window  index of the first window in its stream: memories begin at multiples of MEMORY_WINDOWS */
export function initialVoiceActivityState(window = 0): VoiceActivityState {
  return { window, warmUpWindows: 0, older: undefined, younger: undefined, context: undefined, level: initialLevel() };
}

/** A state that takes `warmUpSamples` before the first window. */
export function coldVoiceActivityState(window = 0): VoiceActivityState {
  return { ...initialVoiceActivityState(window), warmUpWindows: WARM_UP_SAMPLES / WINDOW_SAMPLES };
}

/**
 * The latest window from which a detector must run so that its probabilities from `window` on are those of one that has
 * run from the start of the stream.
 */
export function settledFrom(window: number): number {
  const memoryStart = (Math.floor(window / MEMORY_WINDOWS) - 1) * MEMORY_WINDOWS;
  // Before that, the audio determines the level, and before that, whether it has rumble.
  return Math.max(0, memoryStart - LEVEL_WINDOWS - RUMBLE_WINDOWS - 1);
}
