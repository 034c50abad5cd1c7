// How the work of the speaker networks is divided into requests: each takes about a second, so that no other task waits long.
import type { FrameRange } from "./pieces.ts";
import { SAMPLE_RATE, STEP_SAMPLES, WINDOW_SAMPLES, windowCount } from "./speaker-networks.ts";

export const WINDOWS_PER_REQUEST = 20;
const PIECES_PER_REQUEST = 10;
/** A voice may begin before and end after what voice activity detection finds. */
const SPEECH_MARGIN_SAMPLES = 0.5 * SAMPLE_RATE;

/** Samples that consecutive windows cover. */
export const samplesOfWindows = (count: number) => (count - 1) * STEP_SAMPLES + WINDOW_SAMPLES;

export const pieceRequests = (pieces: readonly FrameRange[]): FrameRange[][] =>
  Array.from({ length: Math.ceil(pieces.length / PIECES_PER_REQUEST) }, (_, at) =>
    pieces.slice(at * PIECES_PER_REQUEST, (at + 1) * PIECES_PER_REQUEST),
  );

/** Consecutive windows with speech, divided into requests. */
export function windowRuns(
  segments: readonly { startSample: number; endSample: number }[],
  sampleCount: number,
): { first: number; count: number }[] {
  const runs: { first: number; count: number }[] = [];
  let at = 0;
  for (let window = 0; window < windowCount(sampleCount); window++) {
    const [start, end] = [window * STEP_SAMPLES, window * STEP_SAMPLES + WINDOW_SAMPLES];
    while ((segments[at]?.endSample ?? Number.POSITIVE_INFINITY) + SPEECH_MARGIN_SAMPLES <= start) at++;
    if ((segments[at]?.startSample ?? Number.POSITIVE_INFINITY) - SPEECH_MARGIN_SAMPLES >= end) continue;
    const last = runs.at(-1);
    if (last && last.first + last.count === window && last.count < WINDOWS_PER_REQUEST) last.count++;
    else runs.push({ first: window, count: 1 });
  }
  return runs;
}
