// Greedy decoding of one segment: the most probable token each time, with guards against the three ways in which
// the model fails on difficult audio: an empty answer, a loop, and text that goes on after the speech has ended.
import { END_TOKEN, START_TOKEN } from "./config.ts";
import { type Encoded, logitsRow, type MoonshineModel, type Pass } from "./model.ts";

export interface DecodedToken {
  id: number;
  /** Log probability the model gave it, natural logarithm, at most 0. */
  logProbability: number;
}

export interface Decoding {
  tokens: DecodedToken[];
  /** Per alignment layer, per token: row-major [heads, frames]. */
  attention: Float32Array[][];
  frames: number;
  /** Why it ended: the model said so, a loop was cut off, or the longest plausible text was reached. */
  ending: "end-of-text" | "repetition" | "too-long";
}

/** Changes a row of logits in place before the choice; used to favour a custom vocabulary. */
export type LogitsBias = (logits: Float32Array, tokens: readonly number[]) => void;

export interface GreedyOptions {
  /** Most tokens to write after the prefix; a fast speaker needs about 6.5 a second. */
  maximumTokens: number;
  /** Tokens that are taken as said. */
  prefix?: readonly number[];
  /** Tokens of an earlier answer for the beginning of the same audio: checked in one pass, kept while they agree. */
  draft?: readonly number[];
  bias?: LogitsBias;
}

/** exp(-16) is 1e-7: what lies below adds nothing to the sum. */
const NEGLIGIBLE_LOGIT_DISTANCE = 16;

function choose(logits: Float32Array, forbidden: number | undefined): DecodedToken {
  let best = -1;
  let highest = Number.NEGATIVE_INFINITY;
  for (let id = 0; id < logits.length; id++) {
    const value = logits[id] as number;
    if (value > highest && id !== forbidden) {
      highest = value;
      best = id;
    }
  }
  let sum = 0;
  const floor = highest - NEGLIGIBLE_LOGIT_DISTANCE;
  for (let id = 0; id < logits.length; id++) {
    const value = logits[id] as number;
    if (value > floor) sum += Math.exp(value - highest);
  }
  return { id: best, logProbability: -Math.log(sum) };
}

const LONGEST_LOOP_TOKENS = 24;
const LOOP_REPEATS = 4;
const SHORT_LOOP_TOKENS = 2;
const SHORT_LOOP_REPEATS = 8;

/**
 * Length of the token loop that the text ends with, or 0. A phrase said four times over is a loop; one or two
 * tokens must come eight times ("no, no, no" is speech).
 */
export function trailingLoop(tokens: readonly number[]): { length: number; repeats: number } | undefined {
  for (let length = 1; length <= LONGEST_LOOP_TOKENS; length++) {
    const needed = length <= SHORT_LOOP_TOKENS ? SHORT_LOOP_REPEATS : LOOP_REPEATS;
    if (tokens.length < length * needed) continue;
    let same = 0;
    for (let at = tokens.length - 1; at >= length && tokens[at] === tokens[at - length]; at--) same++;
    if (same >= length * (needed - 1)) return { length, repeats: Math.floor(same / length) + 1 };
  }
  return undefined;
}

/**
 * Decodes one encoded segment.
 * @returns at least one token unless the model cannot be made to say anything but end-of-text
 */
export async function decodeGreedily(
  model: MoonshineModel,
  encoded: Encoded,
  options: GreedyOptions,
): Promise<Decoding> {
  const { maximumTokens, prefix = [], draft = [], bias } = options;
  const heads = model.variant.heads;
  const tokens: DecodedToken[] = [];
  const ids: number[] = [];
  const attention: Float32Array[][] = model.variant.alignmentLayers.map(() => []);

  // The row that was fed token n predicts token n + 1: its attention belongs to the predicted one.
  const take = (pass: Pass, row: number, rows: number): DecodedToken => {
    const settled = prefix[ids.length];
    let token: DecodedToken;
    if (settled !== undefined) token = { id: settled, logProbability: 0 };
    else {
      const logits = logitsRow(pass, row);
      bias?.(logits, ids);
      token = choose(logits, ids.length === 0 ? END_TOKEN : undefined);
    }
    if (token.id === END_TOKEN) return token;
    tokens.push(token);
    ids.push(token.id);
    for (const [layer, values] of pass.attention.entries()) {
      (attention[layer] as Float32Array[]).push(rowOfHeads(values, heads, rows, row, encoded.frames));
    }
    return token;
  };

  const fed = [START_TOKEN, ...prefix, ...draft.slice(0, maximumTokens - 1)];
  let pass = await model.decodeFirst(encoded, fed);
  let last = take(pass, 0, fed.length);
  let row = 1;
  while (row < fed.length && last.id === fed[row] && last.id !== END_TOKEN) {
    last = take(pass, row, fed.length);
    row++;
  }
  let cache = model.truncate(pass.cache, row);

  while (last.id !== END_TOKEN) {
    const loop = trailingLoop(ids);
    if (loop) {
      const kept = ids.length - loop.length * (loop.repeats - 1);
      tokens.length = kept;
      for (const layer of attention) layer.length = kept;
      return { tokens, attention, frames: encoded.frames, ending: "repetition" };
    }
    if (ids.length - prefix.length >= maximumTokens)
      return { tokens, attention, frames: encoded.frames, ending: "too-long" };
    pass = await model.decodeStep(cache, last.id);
    cache = pass.cache;
    last = take(pass, 0, 1);
  }
  return { tokens, attention, frames: encoded.frames, ending: "end-of-text" };
}

function rowOfHeads(values: Float32Array, heads: number, rows: number, row: number, frames: number): Float32Array {
  const out = new Float32Array(heads * frames);
  for (let head = 0; head < heads; head++) {
    const start = (head * rows + row) * frames;
    out.set(values.subarray(start, start + frames), head * frames);
  }
  return out;
}
