// Interface of engines that find the speakers of a recording by two networks. The segmentation determines which of up to three local speakers
// talk in each frame of a window. The other network computes a voice from a stretch of one speaker. All later steps are pure functions in
// this folder.
import { SAMPLE_RATE } from "../audio/sample-rate.ts";

/** Samples of a frame of the segmentation, at 16 kHz. */
export const FRAME_SAMPLES = 270;
export const FRAME_SECONDS = FRAME_SAMPLES / SAMPLE_RATE;
/** Centre of the first frame of a window. */
const FIRST_FRAME_SECONDS = 0.03096875;
export const WINDOW_SAMPLES = 160_000;
export const WINDOW_FRAMES = 589;
/** Windows start at multiples of this. */
export const STEP_SAMPLES = 16_000;
/**
 * Steps between the windows of a recording. One step costs twice as much and is not more accurate; from 2.5 steps the error grows
 * (docs/decisions/2026-11-25-speaker-networks.md).
 */
export const RECORDED_STRIDE = 2;
/** Most local speakers of a window. */
export const LOCAL_SPEAKERS = 3;
/** Local speakers of each class of the segmentation, one bit each: none, one or two. */
export const CLASS_SPEAKERS = [0b000, 0b001, 0b010, 0b100, 0b011, 0b101, 0b110] as const;
/** Bits of the second set of speakers in a frame's byte. */
export const RAISED_SHIFT = 3;

/** Start of the first frame of a window on the frame grid of the recording. @param window  in steps */
export const startFrameOf = (window: number) => Math.round((window * STEP_SAMPLES) / FRAME_SAMPLES);
/** Time of a frame, seconds in the stored samples. */
export const frameSeconds = (frame: number) => frame * FRAME_SECONDS + FIRST_FRAME_SECONDS;
/** Number of windows that cover a recording. @param stride  steps between them */
export const windowCount = (sampleCount: number, stride = 1) =>
  1 + Math.max(0, Math.ceil((sampleCount - WINDOW_SAMPLES) / (stride * STEP_SAMPLES)));

/** Consecutive windows of one channel. */
export interface LocalWindows {
  /** Steps before the first window. */
  first: number;
  /** Steps between the windows; 1 if left out. */
  stride?: number;
  /**
   * Row-major [windows, WINDOW_FRAMES]: bits of the local speakers of the most probable class, and, above RAISED_SHIFT, the same with
   * the probability of overlaps raised.
   */
  frames: Uint8Array;
}

/** A part of a stretch, samples from its start. */
export interface Excerpt {
  start: number;
  end: number;
}

/** One loaded engine. */
export interface SpeakerNetworks {
  /** Length of a voice. */
  readonly dimensions: number;
  /**
   * @param samples  mono audio at 16 kHz in -1 to 1, from the start of the first window; silence is added at the end. A minute of it takes 20 MB of
   *   memory meanwhile
   * @param stride  steps between the windows; 1 if left out
   * @returns row-major [windows, WINDOW_FRAMES], as in LocalWindows
   */
  segment(samples: Float32Array, windows: number, stride?: number): Promise<Uint8Array>;
  /**
   * @param excerpts  of each stretch, by its index; none if left out. Their voices are computed with the stretch as context, and cost little
   * @returns row-major [voices, dimensions]: of each stretch and, after it, of its excerpts. Each has length 1; zeros for a stretch that is too short
   *   or silent, and for its excerpts
   */
  voices(stretches: readonly Float32Array[], excerpts?: readonly (readonly Excerpt[])[]): Promise<Float32Array>;
  close(): Promise<void>;
}
