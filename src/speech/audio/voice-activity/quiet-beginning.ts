// Finds the start of a quiet voice that follows a louder one: the detector adapts to the loud one and reacts up to a
// second and a half late.
import { frameEnergies } from "../frame-energies.ts";
import { SAMPLE_RATE } from "../sample-rate.ts";
import type { Segment } from "./segmentation.ts";

const WINDOW_SAMPLES = 512;
/** Louder speech is detected in time, dBFS. */
const QUIET_LEVEL = -40;
/** Quantile of the levels of speech that counts as its level. */
const LEVEL_SHARE = 0.75;
/** Audio this far below that level is not speech, decibels. */
const SPEECH_RANGE = 15;
/** Windows without speech, 0.2 s, that precede its start. */
const SILENT_WINDOWS = 6;
/** Speech that its level is measured from. */
const LEVEL_SAMPLES = SAMPLE_RATE;
/** Maximum delay of the detector. */
const LATEST_SECONDS = 1.6;

const levelsOf = (samples: Float32Array) =>
  frameEnergies(samples, Math.floor(samples.length / WINDOW_SAMPLES), WINDOW_SAMPLES);

/**
 * @param before  samples between the previous speech and the detected start
 * @param speech  samples from the detected start on, about a second
 * @returns number of samples at the end of `before` that belong to the speech; 0 if it is not quiet
 */
export function quietBeginning(before: Float32Array, speech: Float32Array): number {
  const sorted = levelsOf(speech).sort();
  const level = sorted[Math.floor(LEVEL_SHARE * sorted.length)] ?? 0;
  if (level > QUIET_LEVEL) return 0;
  let silent = 0;
  let found = 0;
  const whole = before.subarray(before.length % WINDOW_SAMPLES);
  for (const [at, value] of levelsOf(whole).reverse().entries()) {
    silent = value < level - SPEECH_RANGE ? silent + 1 : 0;
    if (silent === SILENT_WINDOWS) break;
    if (silent === 0) found = at + 1;
  }
  return found * WINDOW_SAMPLES;
}

/** Audio that `cutSegments` keeps around speech, samples. */
export interface Margins {
  lead: number;
  tail: number;
}

/**
 * Extends segments to the start of quiet voices.
 * @param segments  in order
 * @param read      samples of the recording
 */
export async function withQuietBeginnings(
  segments: readonly Segment[],
  { lead, tail }: Margins,
  read: (startSample: number, endSample: number) => Promise<Float32Array>,
): Promise<Segment[]> {
  const moved = segments.map((segment) => ({ ...segment }));
  for (const [at, segment] of moved.entries()) {
    const previous = moved[at - 1];
    const between = segment.startSample - (previous?.endSample ?? 0);
    if (!previous || between <= 0 || between > LATEST_SECONDS * SAMPLE_RATE) continue;
    // Two segments share a short pause, half each.
    const ownLead = Math.min(lead, between + tail);
    const speechStart = segment.startSample + ownLead;
    const earlierEnd = previous.endSample - tail;
    if (speechStart - earlierEnd > LATEST_SECONDS * SAMPLE_RATE) continue;
    const before = await read(earlierEnd, speechStart);
    const speech = await read(speechStart, Math.min(segment.endSample, speechStart + LEVEL_SAMPLES));
    const start = speechStart - quietBeginning(before, speech);
    if (start >= segment.startSample) continue;
    segment.startSample = start;
    // Only a long segment that was cut without a pause is adjacent to the next one.
    previous.endSample = Math.min(previous.endSample, start - 1);
  }
  return moved;
}
