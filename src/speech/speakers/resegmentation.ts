// Refines an initial speaker labelling: a hidden Markov model whose states are speakers, with speakers as points in the
// embedding space, estimated by variational Bayes. Unneeded speakers vanish, which determines their number. After
// Landini, Profant, Diez and Burget, "Bayesian HMM clustering of x-vector sequences (VBx)", 2022,
// https://arxiv.org/abs/2012.14952, equations 14 to 25.
import type { Points } from "./clustering.ts";
import type { SpeakerSpace } from "./embedder.ts";

export interface ResegmentationOptions {
  /** Weight of the acoustic evidence; below one, as windows overlap. */
  acousticScale: number;
  /** Weight of the speaker prior: the higher, the more speech a separate speaker requires. */
  speakerScale: number;
  /** Probability that the next window has the same speaker. */
  stay: number;
  iterations: number;
}

/** Probability of the initial labels. */
const GUESS_WEIGHT = 0.9;
const TINY = 1e-300;

interface Posterior {
  /** Row-major [windows, speakers]: probability of each speaker. */
  responsibilities: Float64Array;
  /** Expected number of transitions into each speaker, without self-transitions. */
  entries: Float64Array;
}

function logSumExp(values: Float64Array): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > highest) highest = value;
  if (highest === Number.NEGATIVE_INFINITY) return highest;
  let sum = 0;
  for (const value of values) sum += Math.exp(value - highest);
  return highest + Math.log(sum);
}

/** Forward-backward algorithm over the windows. @param scores  log likelihoods, row-major [windows, speakers] */
function forwardBackward(scores: Float64Array, weights: Float64Array, stay: number): Posterior {
  const speakers = weights.length;
  const windows = scores.length / speakers;
  const enter = weights.map((weight) => Math.log((1 - stay) * weight + TINY));
  const remain = weights.map((weight) => Math.log(stay + (1 - stay) * weight + TINY));
  const forward = new Float64Array(scores.length);
  const backward = new Float64Array(scores.length);
  const terms = new Float64Array(speakers);
  for (let state = 0; state < speakers; state++) {
    forward[state] = (scores[state] as number) + Math.log((weights[state] as number) + TINY);
  }
  for (let window = 1; window < windows; window++) {
    const here = window * speakers;
    for (let to = 0; to < speakers; to++) {
      for (let from = 0; from < speakers; from++) {
        const transition = (from === to ? remain[to] : enter[to]) as number;
        terms[from] = (forward[here - speakers + from] as number) + transition;
      }
      forward[here + to] = logSumExp(terms) + (scores[here + to] as number);
    }
  }
  for (let window = windows - 2; window >= 0; window--) {
    const next = (window + 1) * speakers;
    for (let from = 0; from < speakers; from++) {
      for (let to = 0; to < speakers; to++) {
        const transition = (from === to ? remain[to] : enter[to]) as number;
        terms[to] = transition + (scores[next + to] as number) + (backward[next + to] as number);
      }
      backward[next - speakers + from] = logSumExp(terms);
    }
  }
  const total = logSumExp(forward.slice((windows - 1) * speakers));
  const responsibilities = forward.map((value, at) => Math.exp(value + (backward[at] as number) - total));
  const entries = Float64Array.from({ length: speakers }, (_, state) => responsibilities[state] as number);
  for (let window = 1; window < windows; window++) {
    const here = window * speakers;
    const before = logSumExp(forward.slice(here - speakers, here));
    for (let state = 0; state < speakers; state++) {
      const arrival = before + (scores[here + state] as number) + (backward[here + state] as number) - total;
      entries[state] = (entries[state] as number) + Math.exp((enter[state] as number) + arrival);
    }
  }
  return { responsibilities, entries };
}

/** Log likelihoods of the windows under each speaker, up to a common constant. */
function speakerScores(
  { rows, dimensions }: Points,
  space: SpeakerSpace,
  responsibilities: Float64Array,
  { acousticScale, speakerScale }: ResegmentationOptions,
): Float64Array {
  const windows = rows.length / dimensions;
  const speakers = responsibilities.length / windows;
  const scores = new Float64Array(responsibilities.length);
  const ratio = acousticScale / speakerScale;
  for (let state = 0; state < speakers; state++) {
    let share = 0;
    const sums = new Float64Array(dimensions);
    for (let window = 0; window < windows; window++) {
      const weight = responsibilities[window * speakers + state] as number;
      if (weight < 1e-12) continue;
      share += weight;
      for (let at = 0; at < dimensions; at++) {
        sums[at] = (sums[at] as number) + weight * (rows[window * dimensions + at] as number);
      }
    }
    let offset = 0;
    // Posterior mean of the speaker's position in each dimension, in units of the within-speaker deviation.
    const position = sums.map((sum, at) => {
      const variance = space.speakerVariance[at] as number;
      const precision = 1 + ratio * share * variance;
      const latent = (ratio * Math.sqrt(variance) * sum) / precision;
      offset += variance * (1 / precision + latent * latent);
      return latent * Math.sqrt(variance);
    });
    for (let window = 0; window < windows; window++) {
      let match = 0;
      for (let at = 0; at < dimensions; at++) {
        match += (rows[window * dimensions + at] as number) * (position[at] as number);
      }
      scores[window * speakers + state] = acousticScale * (match - offset / 2);
    }
  }
  return scores;
}

/**
 * @param points   embeddings in time order, with mean zero
 * @param guess    initial speaker of each, from 0
 * @returns the speaker of each; may contain fewer speakers than the guess
 */
export function resegment(
  points: Points,
  space: SpeakerSpace,
  guess: Int32Array,
  options: ResegmentationOptions,
): Int32Array {
  const speakers = guess.reduce((most, label) => Math.max(most, label), 0) + 1;
  const spread = (1 - GUESS_WEIGHT) / speakers;
  let responsibilities = new Float64Array(guess.length * speakers).fill(spread);
  for (const [window, state] of guess.entries()) responsibilities[window * speakers + state] = GUESS_WEIGHT + spread;
  let weights = new Float64Array(speakers).fill(1 / speakers);
  for (let iteration = 0; iteration < options.iterations; iteration++) {
    const scores = speakerScores(points, space, responsibilities, options);
    const posterior = forwardBackward(scores, weights, options.stay);
    responsibilities = Float64Array.from(posterior.responsibilities);
    const total = posterior.entries.reduce((sum, value) => sum + value, 0);
    weights = Float64Array.from(posterior.entries, (value) => value / total);
  }
  return guess.map((_, window) => {
    const row = responsibilities.subarray(window * speakers, (window + 1) * speakers);
    return row.indexOf(Math.max(...row));
  });
}
