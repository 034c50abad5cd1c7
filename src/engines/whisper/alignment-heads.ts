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
  /** Where each head looked last, by the text. */
  private readonly gazes = new WeakMap<object, Int32Array>();
  private seen = 0;
  private chosen: number[];

  /** @param count  heads that may be among them */
  constructor(private readonly count: number) {
    this.scores = new Float64Array(count);
    this.chosen = Array.from({ length: count }, (_, head) => head);
  }

  /**
   * @param all   row-major [heads, tokens, frames] of tokens behind those that were handed in before
   * @param text  whose tokens they are
   * @returns row-major [tokens, frames]: mean of the heads that follow the speech best
   */
  mean(all: Float32Array, frames: number, text: object): Float32Array {
    const tokens = all.length / (this.count * frames);
    if (this.seen < FINAL_TOKENS) this.observe(all, tokens, frames, text);
    const mean = new Float32Array(tokens * frames);
    for (const head of this.chosen) {
      const rows = all.subarray(head * tokens * frames, (head + 1) * tokens * frames);
      for (let at = 0; at < mean.length; at++)
        mean[at] = (mean[at] as number) + (rows[at] as number) / this.chosen.length;
    }
    return mean;
  }

  private observe(all: Float32Array, tokens: number, frames: number, text: object): void {
    const gaze = this.gazes.get(text) ?? new Int32Array(this.count).fill(-1);
    this.gazes.set(text, gaze);
    for (let head = 0; head < this.count; head++) {
      for (let token = 0; token < tokens; token++) {
        const start = (head * tokens + token) * frames;
        let highest = 0;
        for (let frame = 1; frame < frames; frame++) {
          if ((all[start + frame] as number) > (all[start + highest] as number)) highest = frame;
        }
        const step = highest - (gaze[head] as number);
        const isForward = (gaze[head] as number) >= 0 && step >= 0 && step <= LONGEST_STEP;
        // A gaze that stands still follows nothing.
        const worth = isForward ? (step > 0 ? 1 : 0.3) * (all[start + highest] as number) : 0;
        this.scores[head] = (this.scores[head] as number) + worth;
        gaze[head] = highest;
      }
    }
    this.seen += tokens;
    if (this.seen < ENOUGH_TOKENS) return;
    this.chosen = [...this.scores.keys()]
      .sort((left, right) => (this.scores[right] as number) - (this.scores[left] as number))
      .slice(0, CHOSEN);
  }
}
