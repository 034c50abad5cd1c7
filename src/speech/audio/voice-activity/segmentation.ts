// Cuts a recording into segments for the recogniser: sections of speech with a short margin, merged over short pauses,
// and bounded by the model's maximum. Pure arithmetic over speech probabilities.
import { SAMPLE_RATE } from "../sample-rate.ts";

/** A section of audio for the recogniser, in samples at 16 kHz from the start of the recording. */
export interface Segment {
  startSample: number;
  endSample: number;
}

export interface SegmentationOptions {
  /** Samples per probability. */
  windowSamples: number;
  sampleRate: number;
  /** Speech starts at this probability … */
  speechThreshold: number;
  /** … and ends when it stays below this one (hysteresis). */
  silenceThreshold: number;
  /** Silence that ends a segment, seconds. */
  minimumSilenceSeconds: number;
  /** Shorter speech is a click, seconds. */
  minimumSpeechSeconds: number;
  /**
   * Audio kept before the speech, seconds: the detector reports first sounds late, especially in a reverberant room.
   */
  leadSeconds: number;
  /** Audio kept after it, seconds. */
  tailSeconds: number;
  /** Longest segment, seconds: beyond 30 the model hallucinates. */
  maximumSeconds: number;
}

/** Measured in docs/decisions: less silence splits sentences, more includes pauses on which base fails. */
export const DEFAULT_SEGMENTATION: SegmentationOptions = {
  windowSamples: 512,
  sampleRate: SAMPLE_RATE,
  speechThreshold: 0.5,
  silenceThreshold: 0.35,
  minimumSilenceSeconds: 0.6,
  minimumSpeechSeconds: 0.06,
  leadSeconds: 0.5,
  tailSeconds: 0.2,
  maximumSeconds: 20,
};

/** Speech in windows, end exclusive. */
interface Run {
  start: number;
  end: number;
}

function speechRuns(probabilities: Float32Array, options: SegmentationOptions, silenceWindows: number): Run[] {
  const runs: Run[] = [];
  let start = -1;
  let quietSince = -1;
  for (let at = 0; at < probabilities.length; at++) {
    const probability = probabilities[at] as number;
    if (start < 0) {
      if (probability >= options.speechThreshold) start = at;
      continue;
    }
    if (probability >= options.silenceThreshold) quietSince = -1;
    else if (quietSince < 0) quietSince = at;
    if (quietSince >= 0 && at - quietSince + 1 >= silenceWindows) {
      runs.push({ start, end: quietSince });
      start = -1;
      quietSince = -1;
    }
  }
  if (start >= 0) runs.push({ start, end: quietSince >= 0 ? quietSince : probabilities.length });
  return runs;
}

/** Where to cut a run that is too long: the quietest third of a second in the second half of the allowed length. */
function quietestWindow(probabilities: Float32Array, from: number, to: number, smoothing: number): number {
  let best = to;
  let lowest = Number.POSITIVE_INFINITY;
  for (let at = from; at < to; at++) {
    let sum = 0;
    for (let near = at - smoothing; near <= at + smoothing; near++) sum += probabilities[near] ?? 1;
    // Among equals the later cut wins: longer segments are more accurate.
    if (sum <= lowest) {
      lowest = sum;
      best = at;
    }
  }
  return best;
}

/**
 * @param probabilities  speech probability of each window from the start of the recording, 0 to 1
 * @param totalSamples   length of the recording; segments end within it
 * @returns segments in order, not overlapping, each at most `maximumSeconds` long
 */
export function cutSegments(
  probabilities: Float32Array,
  totalSamples: number,
  options: SegmentationOptions = DEFAULT_SEGMENTATION,
): Segment[] {
  const { windowSamples, sampleRate } = options;
  const windows = (seconds: number) => Math.max(1, Math.round((seconds * sampleRate) / windowSamples));
  const lead = Math.round(options.leadSeconds * sampleRate);
  const tail = Math.round(options.tailSeconds * sampleRate);
  const longest = windows(options.maximumSeconds - options.leadSeconds - options.tailSeconds);
  const pieces: Run[] = [];
  for (const run of speechRuns(probabilities, options, windows(options.minimumSilenceSeconds))) {
    if (run.end - run.start < windows(options.minimumSpeechSeconds)) continue;
    let { start } = run;
    while (run.end - start > longest) {
      const cut = quietestWindow(probabilities, start + Math.floor(longest / 2), start + longest, windows(0.16));
      pieces.push({ start, end: cut });
      start = cut;
    }
    pieces.push({ start, end: run.end });
  }
  return pieces.map((piece, index) => {
    const previousEnd = (pieces[index - 1]?.end ?? Number.NEGATIVE_INFINITY) * windowSamples;
    const nextStart = (pieces[index + 1]?.start ?? Number.POSITIVE_INFINITY) * windowSamples;
    const start = piece.start * windowSamples;
    const end = piece.end * windowSamples;
    // Segments share the silence between them, half each at most, so that no sample is recognised twice.
    return {
      startSample: Math.max(0, start - Math.min(lead, Math.floor((start - previousEnd) / 2))),
      endSample: Math.min(totalSamples, end + Math.min(tail, Math.floor((nextStart - end) / 2))),
    };
  });
}
