// Voice activity of a stretch of audio outside of its stream, in requests that do not delay those of streams.
import type { FindVoice } from "../../speech/audio/rate-check.ts";
import { coldVoiceActivityState } from "../../speech/audio/voice-activity/detector-state.ts";
import { WARM_UP_SAMPLES, WINDOW_SAMPLES, warmUpSamples } from "../../speech/audio/voice-activity/detector-windows.ts";
import type { RecognitionPool, TaskOptions } from "./pool.ts";

/** About 30 ms of work: other sessions share the process. */
const REQUEST_SAMPLES = 31 * WINDOW_SAMPLES;

export function voiceFinder(detection: Pick<RecognitionPool, "voiceActivity">, options: TaskOptions): FindVoice {
  return async (samples) => {
    const beginning = warmUpSamples(samples.subarray(0, WARM_UP_SAMPLES));
    let { state } = await detection.voiceActivity(beginning, coldVoiceActivityState(), options);
    const found: number[] = [];
    for (let at = 0; at + WINDOW_SAMPLES <= samples.length; at += REQUEST_SAMPLES) {
      const answer = await detection.voiceActivity(samples.slice(at, at + REQUEST_SAMPLES), state, options);
      found.push(...answer.probabilities);
      state = answer.state;
    }
    return Float32Array.from(found);
  };
}
