// Finds the alignment heads of a checkpoint that does not name them: heads whose attention peak moves forward through
// the audio with each token and is sharp. Scores are collected during use; until there are enough, all candidates are
// used.

/** Number of heads to choose. */
const CHOSEN = 6;
/** Tokens after which heads are first chosen, and after which the choice is final. */
const FIRST_CHOICE_TOKENS = 40;
const FINAL_TOKENS = 600;
/** Longest plausible token, frames (1.2 s). */
const LONGEST_STEP = 60;

export class AlignmentHeads {
  private readonly scores: Float64Array;
  /** Last peak of each head, by sequence. */
  private readonly peaks = new WeakMap<object, Int32Array>();
  private seen = 0;
  private chosen: number[];

  /** @param count  candidate heads */
  constructor(private readonly count: number) {
    this.scores = new Float64Array(count);
    this.chosen = Array.from({ length: count }, (_, head) => head);
  }

  /**
   * @param all   row-major [heads, tokens, frames], of the tokens after those of the previous call
   * @param sequence  sequence of the tokens
   * @returns row-major [tokens, frames]: mean of the best heads
   */
  mean(all: Float32Array, frames: number, sequence: object): Float32Array {
    const tokens = all.length / (this.count * frames);
    if (this.seen < FINAL_TOKENS) this.observe(all, tokens, frames, sequence);
    const mean = new Float32Array(tokens * frames);
    for (const head of this.chosen) {
      const rows = all.subarray(head * tokens * frames, (head + 1) * tokens * frames);
      for (let at = 0; at < mean.length; at++)
        mean[at] = (mean[at] as number) + (rows[at] as number) / this.chosen.length;
    }
    return mean;
  }

  private observe(all: Float32Array, tokens: number, frames: number, sequence: object): void {
    const peak = this.peaks.get(sequence) ?? new Int32Array(this.count).fill(-1);
    this.peaks.set(sequence, peak);
    for (let head = 0; head < this.count; head++) {
      for (let token = 0; token < tokens; token++) {
        const start = (head * tokens + token) * frames;
        let highest = 0;
        for (let frame = 1; frame < frames; frame++) {
          if ((all[start + frame] as number) > (all[start + highest] as number)) highest = frame;
        }
        const step = highest - (peak[head] as number);
        const isForward = (peak[head] as number) >= 0 && step >= 0 && step <= LONGEST_STEP;
        // A peak that does not move carries little information.
        const worth = isForward ? (step > 0 ? 1 : 0.3) * (all[start + highest] as number) : 0;
        this.scores[head] = (this.scores[head] as number) + worth;
        peak[head] = highest;
      }
    }
    this.seen += tokens;
    if (this.seen < FIRST_CHOICE_TOKENS) return;
    this.chosen = [...this.scores.keys()]
      .sort((left, right) => (this.scores[right] as number) - (this.scores[left] as number))
      .slice(0, CHOSEN);
  }
}
