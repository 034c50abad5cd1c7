// Voice activity detection on the difference between two decoded channels.
import type { FindSpeech } from "../../../speech/audio/channels/difference.ts";
import { WINDOW_SECONDS } from "../../../speech/audio/channels/windows.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import type { SampleSlice } from "../../../speech/audio/samples.ts";
import { WINDOW_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";
import type { RecognitionPool, TaskOptions } from "../../inference/pool.ts";

/** Detector windows per window of the comparison: 8. */
const DETECTOR_WINDOWS = Math.round((WINDOW_SECONDS * SAMPLE_RATE) / WINDOW_SAMPLES);
/** 1 s of audio before the range, in windows, that the detector needs to settle. */
const LEAD_WINDOWS = 4;
/** Minimum mean probability of a window with speech. */
const LEAST_PROBABILITY = 0.5;

/** @param files  samples of each channel */
export function speechFinder(
  files: readonly string[],
  recognition: Pick<RecognitionPool, "voiceActivity">,
  options: TaskOptions,
): FindSpeech {
  return async ({ channel, without }, [from, to]) => {
    const first = Math.max(0, from - LEAD_WINDOWS);
    const windowSamples = DETECTOR_WINDOWS * WINDOW_SAMPLES;
    const slice: SampleSlice = {
      file: files[channel] as string,
      startSample: first * windowSamples,
      sampleCount: (to - first) * windowSamples,
      ...(without ? { minus: { ...without, file: files[without.channel] as string } } : {}),
    };
    const { probabilities } = await recognition.voiceActivity(slice, undefined, options);
    return Array.from({ length: to - from }, (_, at) => {
      const start = (from - first + at) * DETECTOR_WINDOWS;
      const window = probabilities.subarray(start, start + DETECTOR_WINDOWS);
      return window.reduce((sum, value) => sum + value, 0) >= LEAST_PROBABILITY * DETECTOR_WINDOWS;
    });
  };
}
