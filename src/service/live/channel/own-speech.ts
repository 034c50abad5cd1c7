// Speech probabilities of a channel without the speech that leaks into it from another channel. A voice of the channel
// that was taken for a leak loses nothing: its utterance begins that much earlier.

import type { LeakedSound } from "../../../speech/audio/leaks/leak-removal.ts";
import { WINDOW_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";

/** 0.3 s without speech end what was held back. */
const SEPARATING_WINDOWS = 9;
/** 2 s. Longest beginning of an utterance that was held back. */
const MOST_WINDOWS = 62;

export class OwnSpeech {
  /** Windows since speech was first held back for a possible leak. */
  private held = 0;
  private silentWindows = 0;

  constructor(
    private readonly leakAt: (sample: number) => LeakedSound | undefined,
    private readonly threshold: number,
  ) {}

  /**
   * @param sample  start of the next window
   * @param isSpeech  whether an utterance is in progress: a leak that is only possible does not end it
   * @returns probability that the channel itself has speech
   */
  probability(sample: number, probability: number, isSpeech: boolean): number {
    const leak = this.leakAt(sample);
    this.silentWindows = probability < this.threshold ? this.silentWindows + 1 : 0;
    if (leak === "found" || isSpeech || this.silentWindows >= SEPARATING_WINDOWS) this.held = 0;
    else if (this.held > 0 || (leak === "possible" && this.silentWindows === 0)) this.held++;
    return leak === "found" || (leak === "possible" && !isSpeech) ? 0 : probability;
  }

  /** Samples before the last window in which speech was held back. */
  get heldSamples(): number {
    return Math.min(MOST_WINDOWS, Math.max(0, this.held - 1)) * WINDOW_SAMPLES;
  }
}
