// Divides the work of the speaker networks into requests of about a third of a second, which bounds the delay of other tasks.
import { SAMPLE_RATE } from "../audio/sample-rate.ts";
import type { FrameRange } from "./pieces.ts";
import { STEP_SAMPLES, WINDOW_SAMPLES, windowCount } from "./speaker-networks.ts";

const WINDOWS_PER_REQUEST = 10;
const PIECES_PER_REQUEST = 10;
/** Margin around detected speech: a voice may begin earlier and end later. */
const SPEECH_MARGIN_SAMPLES = 0.5 * SAMPLE_RATE;

/** Samples that consecutive windows cover. @param stride  steps between them */
export const samplesOfWindows = (count: number, stride = 1) => (count - 1) * stride * STEP_SAMPLES + WINDOW_SAMPLES;

export const pieceRequests = (pieces: readonly FrameRange[]): FrameRange[][] =>
  Array.from({ length: Math.ceil(pieces.length / PIECES_PER_REQUEST) }, (_, at) =>
    pieces.slice(at * PIECES_PER_REQUEST, (at + 1) * PIECES_PER_REQUEST),
  );

/** A stretch of speech, samples. */
export interface SpeechSegment {
  startSample: number;
  endSample: number;
}

/** Windows with speech, in steps. @param segments  in order @param stride  steps between the windows */
export function* windowsWithSpeech(
  segments: readonly SpeechSegment[],
  sampleCount: number,
  stride = 1,
): Generator<number> {
  let at = 0;
  for (let index = 0; index < windowCount(sampleCount, stride); index++) {
    const window = index * stride;
    const [start, end] = [window * STEP_SAMPLES, window * STEP_SAMPLES + WINDOW_SAMPLES];
    while ((segments[at]?.endSample ?? Number.POSITIVE_INFINITY) + SPEECH_MARGIN_SAMPLES <= start) at++;
    if ((segments[at]?.startSample ?? Number.POSITIVE_INFINITY) - SPEECH_MARGIN_SAMPLES < end) yield window;
  }
}

/**
 * Divides windows into requests of consecutive ones.
 * @param windows  in steps, in order
 * @param stride  steps between consecutive windows
 * @param most  windows of a request
 */
export function windowRuns(windows: Iterable<number>, stride = 1, most = WINDOWS_PER_REQUEST) {
  const runs: { first: number; count: number }[] = [];
  for (const window of windows) {
    const last = runs.at(-1);
    if (last && last.first + last.count * stride === window && last.count < most) last.count++;
    else runs.push({ first: window, count: 1 });
  }
  return runs;
}
