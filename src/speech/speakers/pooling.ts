// Pools model frames into one mean per window, over frames with speech. Pure.
import type { Span } from "./embedder.ts";

/** Length of a window. Shorter ones contain too few sounds to identify a voice, longer ones blur speaker changes. */
export const WINDOW_SECONDS = 1;
/** Distance between the starts of windows. */
export const HOP_SECONDS = 0.25;
/** Windows with a smaller share of speech are skipped. */
const LEAST_SPEECH = 0.3;

export interface Frames {
  /** Row-major [frames, size]. */
  values: Float32Array;
  size: number;
  framesPerSecond: number;
  /** Time of the first frame, seconds. */
  start: number;
}

export interface Windows {
  /** Centres of the windows, seconds. */
  times: number[];
  /** Row-major [windows, size]. */
  means: Float32Array;
}

/** 1 for each frame whose centre is in `speech`. */
function speechMask({ values, size, framesPerSecond, start }: Frames, speech: readonly Span[]): Uint8Array {
  const mask = new Uint8Array(values.length / size);
  const frameAt = (seconds: number) =>
    Math.min(mask.length, Math.max(0, Math.round((seconds - start) * framesPerSecond)));
  for (const span of speech) mask.fill(1, frameAt(span.start), frameAt(span.end));
  return mask;
}

/** Windows with enough speech and a centre from `from` to `to`; centres are on a grid over the whole recording. */
export function poolWindows(frames: Frames, speech: readonly Span[], from: number, to: number): Windows {
  const { values, size, framesPerSecond, start } = frames;
  const mask = speechMask(frames, speech);
  const half = Math.round((WINDOW_SECONDS / 2) * framesPerSecond);
  const times: number[] = [];
  const means: Float32Array[] = [];
  for (let index = Math.ceil(from / HOP_SECONDS - 0.5); (index + 0.5) * HOP_SECONDS < to; index++) {
    const time = (index + 0.5) * HOP_SECONDS;
    const middle = Math.round((time - start) * framesPerSecond);
    const mean = new Float32Array(size);
    let count = 0;
    for (let frame = Math.max(0, middle - half); frame < Math.min(mask.length, middle + half); frame++) {
      if (mask[frame] === 0) continue;
      count++;
      for (let at = 0; at < size; at++) mean[at] = (mean[at] as number) + (values[frame * size + at] as number);
    }
    if (count < LEAST_SPEECH * 2 * half) continue;
    times.push(time);
    means.push(mean.map((sum) => sum / count));
  }
  const flat = new Float32Array(means.length * size);
  for (const [index, mean] of means.entries()) flat.set(mean, index * size);
  return { times, means: flat };
}
