// Interface of an engine that judges from the sound whether a speaker has finished.

/** Audio that a detector takes into account, up to the judged moment. */
export const MOST_TURN_SECONDS = 8;

export interface TurnDetector {
  /**
   * @param samples  mono audio at 16 kHz from the beginning of the turn to the judged moment; of longer audio, the end is used
   * @returns probability that the turn is complete, 0 to 1
   */
  judge(samples: Float32Array): Promise<number>;
  close(): Promise<void>;
}
