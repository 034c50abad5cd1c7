// Speech probabilities of a channel's latest windows, with which the recogniser decides whether a short answer was spoken.
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { WINDOW_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";
import type { SpeechActivity } from "../../../speech/recognition/recognizer.ts";

/** 41 s: more than the recogniser's longest audio. */
const MOST_WINDOWS = 1_280;
const VOICE_PROBABILITY = 0.5;
/** Windows of at least this probability may have speech. */
const POSSIBLE_SPEECH = 0.2;

export class DetectedActivity {
  private probabilities: number[] = [];
  /** End of the last window, samples. */
  private end = 0;
  /** End of the last window that may have speech, samples. */
  possibleSpeechEnd = 0;

  /** @param end  of the window, samples; windows are added in order, without gaps */
  add(end: number, probability: number): void {
    this.end = end;
    if (probability >= POSSIBLE_SPEECH) this.possibleSpeechEnd = end;
    this.probabilities.push(probability);
    if (this.probabilities.length >= 2 * MOST_WINDOWS) this.probabilities = this.probabilities.slice(-MOST_WINDOWS);
  }

  /** Whether a window has a voice. @param from, until  seconds */
  hasVoice(from: number, until: number): boolean {
    const found = this.between(from * SAMPLE_RATE, until * SAMPLE_RATE);
    return found?.probabilities.some((probability) => probability >= VOICE_PROBABILITY) === true;
  }

  /** @returns undefined if no window of this section was processed. @param start, until  samples */
  between(start: number, until: number): SpeechActivity | undefined {
    const first = this.end - this.probabilities.length * WINDOW_SAMPLES;
    const from = Math.max(0, Math.floor((start - first) / WINDOW_SAMPLES));
    const to = Math.max(0, Math.ceil((until - first) / WINDOW_SAMPLES));
    const probabilities = Float32Array.from(this.probabilities.slice(from, to));
    if (probabilities.length === 0) return undefined;
    return { probabilities, startSeconds: (first + from * WINDOW_SAMPLES - start) / SAMPLE_RATE };
  }
}
