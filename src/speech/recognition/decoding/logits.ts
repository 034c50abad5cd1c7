// Rows of logits: the most probable token and the normaliser for log probabilities.

/** exp(-16) is 1e-7: smaller terms do not change the sum. */
const NEGLIGIBLE_LOGIT_DISTANCE = 16;

export interface Normalizer {
  /** The most probable token and its probability. */
  id: number;
  probability: number;
  /** Logarithm of the softmax denominator: subtract it from a logit to get the log probability. */
  logSum: number;
}

export function normalizerOf(logits: Float32Array): Normalizer {
  let id = -1;
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < logits.length; at++) {
    const value = logits[at] as number;
    if (value > highest) {
      highest = value;
      id = at;
    }
  }
  let sum = 0;
  const floor = highest - NEGLIGIBLE_LOGIT_DISTANCE;
  for (let at = 0; at < logits.length; at++) {
    const value = logits[at] as number;
    if (value > floor) sum += Math.exp(value - highest);
  }
  return { id, probability: 1 / sum, logSum: highest + Math.log(sum) };
}
