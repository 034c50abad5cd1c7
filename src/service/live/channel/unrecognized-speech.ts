// Voice activity of a channel for which no words were recognised. It is reported once no later final can contain its words.
import { WINDOW_SECONDS } from "../../../speech/audio/voice-activity/detector-windows.ts";
import {
  addWindow,
  type Stretch,
  stretchesOf,
  uncoveredRuns,
} from "../../../speech/audio/voice-activity/wordless-speech.ts";

/** Silence after which no later final contains words of earlier speech. */
const SETTLED_SECONDS = 2;

export class UnrecognizedSpeech {
  private runs: Stretch[] = [];

  /** @param endSeconds  of a window that voice activity detection has processed */
  add(endSeconds: number, probability: number): void {
    addWindow(this.runs, endSeconds, WINDOW_SECONDS, probability);
  }

  /** Removes the speech of recognised words. */
  cover(words: readonly Stretch[]): void {
    if (words.length > 0) this.runs = uncoveredRuns(this.runs, words);
  }

  /** Removes and returns the stretches of speech that end before this time. */
  takeBefore(seconds: number): Stretch[] {
    const before = this.runs.filter(({ endSeconds }) => endSeconds <= seconds);
    this.runs = this.runs.slice(before.length);
    return stretchesOf(before);
  }

  /** The same if the audio has been silent for long enough. @param seconds  processed by voice activity detection */
  takeSettled(seconds: number): Stretch[] {
    const end = this.runs.at(-1)?.endSeconds;
    return end === undefined || seconds - end < SETTLED_SECONDS ? [] : this.takeBefore(seconds);
  }

  /** For speech that is transcribed in another channel, or whose words are left out for a reason that is reported. */
  clear(): void {
    this.runs = [];
  }
}
