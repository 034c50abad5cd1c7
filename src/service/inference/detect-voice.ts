// Voice activity of a stretch of audio outside of its stream, in requests that do not delay those of streams.
import type { FindVoice } from "../../speech/audio/rate-check.ts";
import type { VoiceActivityState } from "../../speech/audio/voice-activity/detector-state.ts";
import { WINDOW_SAMPLES } from "../../speech/audio/voice-activity/detector-windows.ts";
import { type Detect, detectWarm } from "../../speech/audio/voice-activity/quiet-speech.ts";
import type { RecognitionPool, TaskOptions } from "./pool.ts";

/** About 30 ms of work: other sessions share the process. */
const REQUEST_SAMPLES = 31 * WINDOW_SAMPLES;

export function voiceFinder(detection: Pick<RecognitionPool, "voiceActivity">, options: TaskOptions): FindVoice {
  return async (samples) => {
    const found: number[] = [];
    let state: VoiceActivityState | undefined;
    for (let at = 0; at + WINDOW_SAMPLES <= samples.length; at += REQUEST_SAMPLES) {
      const piece = samples.slice(at, at + REQUEST_SAMPLES);
      const detect: Detect = (audio, before) => detection.voiceActivity(audio, before, options);
      const answer = await (state === undefined ? detectWarm(piece, detect) : detect(piece, state));
      found.push(...answer.probabilities);
      state = answer.state;
    }
    return Float32Array.from(found);
  };
}
