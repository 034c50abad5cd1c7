// Finds the pieces of a recording in which one speaker is alone, from overlapping windows of local speakers. Each piece has one voice.
// A piece ends where most windows have another local speaker than in the frame before. Pure; time and memory grow linearly.
import { SAMPLE_RATE } from "../audio/sample-rate.ts";
import { FRAME_SAMPLES, LOCAL_SPEAKERS, type LocalWindows, startFrameOf, WINDOW_FRAMES } from "./speaker-networks.ts";

/** A range of frames on the recording's grid. */
export interface FrameRange {
  start: number;
  end: number;
}

/** Pieces with their voices. */
export interface VoicedPieces {
  pieces: readonly FrameRange[];
  /** Row-major [pieces, dimensions], of unit length; zeros where a piece has no voice. */
  voices: Float32Array;
  dimensions: number;
}

const FRAMES_PER_SECOND = SAMPLE_RATE / FRAME_SAMPLES;
/** Shorter stretches have no reliable voice. */
const LEAST_FRAMES = Math.ceil(0.4 * FRAMES_PER_SECOND);
/** Longer stretches are divided evenly. */
const MOST_FRAMES = Math.floor(4 * FRAMES_PER_SECOND);
const ALL_LOCAL = (1 << LOCAL_SPEAKERS) - 1;

/** All windows of a channel, in order; windows without speech may be missing. */
export class WindowedSpeakers {
  readonly frameCount: number;
  private readonly starts: Int32Array;
  private readonly rows: Uint8Array[];

  constructor(blocks: readonly LocalWindows[]) {
    const windows = blocks
      .flatMap(({ first, frames, stride = 1 }) =>
        Array.from({ length: frames.length / WINDOW_FRAMES }, (_, at) => ({
          window: first + at * stride,
          row: frames.subarray(at * WINDOW_FRAMES, (at + 1) * WINDOW_FRAMES),
        })),
      )
      .sort((left, right) => left.window - right.window);
    this.starts = Int32Array.from(windows, ({ window }) => startFrameOf(window));
    this.rows = windows.map(({ row }) => row);
    this.frameCount = windows.length === 0 ? 0 : (this.starts[windows.length - 1] as number) + WINDOW_FRAMES;
  }

  get count(): number {
    return this.rows.length;
  }

  startOf(window: number): number {
    return this.starts[window] as number;
  }

  /** Frames of a window. */
  row(window: number): Uint8Array {
    return this.rows[window] as Uint8Array;
  }

  /** Local speakers of a window in a frame of the recording, one bit each. @param shift  0, or RAISED_SHIFT */
  speakers(window: number, frame: number, shift = 0): number {
    return ((this.row(window)[frame - this.startOf(window)] as number) >> shift) & ALL_LOCAL;
  }

  /**
   * Calls `visit` for each frame that windows cover, in order.
   * @param visit  receives the frame and the range of the windows that cover it: the first, and one past the last
   */
  eachFrame(visit: (frame: number, from: number, to: number) => void): void {
    let [from, to] = [0, 0];
    for (let frame = Math.max(0, this.starts[0] ?? 0); frame < this.frameCount; frame++) {
      while (to < this.count && this.startOf(to) <= frame) to++;
      while (from < to && this.startOf(from) + WINDOW_FRAMES <= frame) from++;
      if (from < to) visit(frame, from, to);
    }
  }
}

const isSingle = (speakers: number) => speakers === 0b001 || speakers === 0b010 || speakers === 0b100;

/** Divides a run evenly; runs that are too short for a voice have no pieces. */
export function divided({ start, end }: FrameRange): FrameRange[] {
  const length = end - start;
  if (length < LEAST_FRAMES) return [];
  const count = Math.ceil(length / MOST_FRAMES);
  const at = (index: number) => start + Math.round((index * length) / count);
  return Array.from({ length: count }, (_, index) => ({ start: at(index), end: at(index + 1) }));
}

/** @returns ranges in which one speaker is alone, in order, which do not overlap */
export function findRuns(windows: WindowedSpeakers): FrameRange[] {
  const runs: FrameRange[] = [];
  let start = -1;
  let last = -1;
  const close = (end: number) => {
    if (start >= 0) runs.push({ start, end });
    start = -1;
  };
  windows.eachFrame((frame, from, to) => {
    let single = 0;
    let changes = 0;
    let shared = 0;
    for (let window = from; window < to; window++) {
      const speakers = windows.speakers(window, frame);
      if (isSingle(speakers)) single++;
      if (frame <= windows.startOf(window)) continue;
      shared++;
      if (speakers !== windows.speakers(window, frame - 1)) changes++;
    }
    const isAlone = 2 * single > to - from;
    if (!isAlone || last !== frame - 1) close(last + 1);
    else if (2 * changes > shared) close(frame);
    if (isAlone && start < 0) start = frame;
    last = frame;
  });
  close(last + 1);
  return runs;
}

/** @returns pieces in order, which do not overlap */
export const findPieces = (windows: WindowedSpeakers): FrameRange[] => findRuns(windows).flatMap(divided);
