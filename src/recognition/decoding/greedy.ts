// Greedy decoding of one segment: the most probable token each time, with guards against the three ways in which
// models fail on difficult audio: an empty answer, a loop, and text that goes on after the speech has ended.
import type { AttentionDecoder, EncodedSpeech, LogitsRule, Pass, TextStart } from "./decoder.ts";
import { normalizerOf } from "./logits.ts";
import type { Opinion } from "./second-opinion.ts";

export interface DecodedToken {
  id: number;
  /** Log probability the model gave it, natural logarithm, at most 0. */
  logProbability: number;
}

export interface Decoding {
  tokens: DecodedToken[];
  /** Per token, one value for each frame. */
  attention: Float32Array[];
  frames: number;
  /** What the model thought of before the text began, where that is a row of its own in the first pass. */
  startLogits?: Float32Array;
  /** Why it ended: the model said so, a loop was cut off, or the longest plausible text was reached. */
  ending: "end-of-text" | "repetition" | "too-long";
}

export interface GreedyOptions<Cache> {
  start: TextStart<Cache>;
  /** Most tokens to write after the prefix; a fast speaker needs about 6.5 a second. */
  maximumTokens: number;
  /** Tokens that are taken as said. */
  prefix?: readonly number[];
  /** Tokens of an earlier answer for the beginning of the same audio: checked in one pass, kept while they agree. */
  draft?: readonly number[];
  /** Heard before the rules. */
  opinion?: Opinion;
  rules?: readonly LogitsRule[];
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
 * @returns at least one token unless a rule allows the text to end at once
 */
export async function decodeGreedily<Encoded extends EncodedSpeech, Cache>(
  decoder: AttentionDecoder<Encoded, Cache>,
  encoded: Encoded,
  options: GreedyOptions<Cache>,
): Promise<Decoding> {
  const { start, maximumTokens, prefix = [], draft = [], opinion, rules = [] } = options;
  const { endToken, vocabularySize } = decoder;
  const { frames } = encoded;
  const tokens: DecodedToken[] = [];
  const ids: number[] = [];
  const attention: Float32Array[] = [];

  // The row that was fed token n predicts token n + 1: its attention belongs to the predicted one.
  const take = async (pass: Pass<Cache>, row: number): Promise<DecodedToken> => {
    const settled = prefix[ids.length];
    let token: DecodedToken;
    if (settled !== undefined) token = { id: settled, logProbability: 0 };
    else {
      const from = (row - unanswered) * vocabularySize;
      const own = pass.logits.subarray(from, from + vocabularySize);
      const weighed = opinion && normalizerOf(own);
      const logits = (await opinion?.weigh(own, ids, weighed)) ?? own;
      let isChanged = logits !== own;
      for (const rule of rules) isChanged = rule(logits, ids) || isChanged;
      const { id, probability } = weighed && !isChanged ? weighed : normalizerOf(logits);
      token = { id, logProbability: Math.log(probability) };
    }
    if (token.id === endToken) return token;
    tokens.push(token);
    ids.push(token.id);
    attention.push(pass.attention.subarray(row * frames, (row + 1) * frames));
    return token;
  };

  const fed = [...start.tokens, ...prefix, ...draft.slice(0, maximumTokens - 1)];
  // The row behind the only token of a start is where the text itself is chosen: rules change it.
  const tellsStart = start.fedTokens === 0 && start.tokens.length > 1;
  let unanswered = tellsStart ? 0 : start.tokens.length - 1 + prefix.length;
  const [first, another] = fed;
  let pass =
    first !== undefined && another === undefined
      ? await decoder.step({ encoded, cache: start.cache, token: first })
      : await decoder.decode(encoded, start.cache, fed, unanswered);
  const startLogits = tellsStart ? { startLogits: pass.logits.subarray(0, vocabularySize) } : {};
  let row = start.tokens.length;
  let last = await take(pass, row - 1);
  while (row < fed.length && last.id === fed[row] && last.id !== endToken) {
    last = await take(pass, row);
    row++;
  }
  let cache = decoder.truncate(pass.cache, start.fedTokens + row);

  while (last.id !== endToken) {
    const loop = trailingLoop(ids);
    if (loop) {
      const kept = ids.length - loop.length * (loop.repeats - 1);
      tokens.length = kept;
      attention.length = kept;
      return { tokens, attention, frames, ...startLogits, ending: "repetition" };
    }
    if (ids.length - prefix.length >= maximumTokens)
      return { tokens, attention, frames, ...startLogits, ending: "too-long" };
    pass = await decoder.step({ encoded, cache, token: last.id });
    unanswered = 0;
    cache = pass.cache;
    last = await take(pass, 0);
  }
  return { tokens, attention, frames, ...startLogits, ending: "end-of-text" };
}
