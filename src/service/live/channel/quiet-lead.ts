// Computes how much earlier a quiet voice began than the detector reported.
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { WINDOW_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";
import { quietBeginning } from "../../../speech/audio/voice-activity/quiet-beginning.ts";
import type { SampleBuffer } from "./sample-buffer.ts";

/** Longest delay with which the detector reports a quiet voice after a loud one. */
const LATEST_DETECTION_SAMPLES = Math.round(1.6 * SAMPLE_RATE);
/** Audio that the level of a quiet voice is measured from, up to the position of its detection. */
const QUIET_LEVEL_SAMPLES = 4 * WINDOW_SAMPLES;

/**
 * @param found  sample at which the detector found speech
 * @param speechEnd  of the speech before, samples
 * @param detectedUntil  samples that the detector has processed
 * @returns samples; 0 unless a louder voice preceded
 */
export function quietLead(samples: SampleBuffer, found: number, speechEnd: number, detectedUntil: number): number {
  const from = Math.max(0, speechEnd, found - LATEST_DETECTION_SAMPLES);
  if (speechEnd < from || from >= found) return 0;
  // Exactly the detected audio: the result must not depend on how fast audio arrives.
  const speech = samples.slice(found - QUIET_LEVEL_SAMPLES, detectedUntil);
  return quietBeginning(samples.slice(from, found), speech);
}
