// How the work of the speaker networks is divided into requests: each takes about a second, so that no other task waits long.
import type { FrameRange } from "./pieces.ts";
import { STEP_SAMPLES, WINDOW_SAMPLES } from "./speaker-networks.ts";

export const WINDOWS_PER_REQUEST = 20;
const PIECES_PER_REQUEST = 10;

/** Samples that consecutive windows cover. */
export const samplesOfWindows = (count: number) => (count - 1) * STEP_SAMPLES + WINDOW_SAMPLES;

export const pieceRequests = (pieces: readonly FrameRange[]): FrameRange[][] =>
  Array.from({ length: Math.ceil(pieces.length / PIECES_PER_REQUEST) }, (_, at) =>
    pieces.slice(at * PIECES_PER_REQUEST, (at + 1) * PIECES_PER_REQUEST),
  );
