// Which decoder heads follow the speech, where a checkpoint does not say: those whose gaze moves forward through the audio,
// token by token, and is sharp. Found while the model is used; until enough was seen, all of them are asked.

/** So many are taken. */
const CHOSEN = 6;
/** Tokens after which the first choice is made, and after which it stands. */
const ENOUGH_TOKENS = 40;
const FINAL_TOKENS = 600;
/** Nobody says a token for longer, frames (1.2 s). */
const LONGEST_STEP = 60;

export class AlignmentHeads {
  private readonly scores: Float64Array;
  private readonly gaze: Int32Array;
  private seen = 0;
  private chosen: number[];

  /** @param count  heads that may be among them */
  constructor(private readonly count: number) {
    this.scores = new Float64Array(count);
    this.gaze = new Int32Array(count).fill(-1);
    this.chosen = Array.from({ length: count }, (_, head) => head);
  }

  /**
   * @param all        row-major [heads, tokens, frames]
   * @param isNewText  the first pass over a text
   * @returns row-major [tokens, frames]: mean of the heads that follow the speech best
   */
  mean(all: Float32Array, frames: number, isNewText: boolean): Float32Array {
    const tokens = all.length / (this.count * frames);
    if (isNewText) this.gaze.fill(-1);
    if (this.seen < FINAL_TOKENS) this.observe(all, tokens, frames);
    const mean = new Float32Array(tokens * frames);
    for (const head of this.chosen) {
      const rows = all.subarray(head * tokens * frames, (head + 1) * tokens * frames);
      for (let at = 0; at < mean.length; at++)
        mean[at] = (mean[at] as number) + (rows[at] as number) / this.chosen.length;
    }
    return mean;
  }

  private observe(all: Float32Array, tokens: number, frames: number): void {
    for (let head = 0; head < this.count; head++) {
      for (let token = 0; token < tokens; token++) {
        const start = (head * tokens + token) * frames;
        let highest = 0;
        for (let frame = 1; frame < frames; frame++) {
          if ((all[start + frame] as number) > (all[start + highest] as number)) highest = frame;
        }
        const step = highest - (this.gaze[head] as number);
        const isForward = (this.gaze[head] as number) >= 0 && step >= 0 && step <= LONGEST_STEP;
        // A gaze that stands still follows nothing.
        const worth = isForward ? (step > 0 ? 1 : 0.3) * (all[start + highest] as number) : 0;
        this.scores[head] = (this.scores[head] as number) + worth;
        this.gaze[head] = highest;
      }
    }
    this.seen += tokens;
    if (this.seen < ENOUGH_TOKENS) return;
    this.chosen = [...this.scores.keys()]
      .sort((left, right) => (this.scores[right] as number) - (this.scores[left] as number))
      .slice(0, CHOSEN);
  }
}
