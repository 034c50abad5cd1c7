// Greedy decoding of one segment, with guards against three failures of models on difficult audio: an empty result, a
// repetition loop, and text that continues after the end of speech.
import { BonusTokens } from "./bonus-tokens.ts";
import type { AttentionDecoder, DecoderStart, EncodedSpeech, LogitsRule, Pass } from "./decoder.ts";
import type { EnsembleScorer } from "./ensemble.ts";
import { type Normalizer, normalizerOf } from "./logits.ts";
import type { VocabularyBias } from "./vocabulary-bias.ts";

export interface DecodedToken {
  id: number;
  /** Natural logarithm of the probability, at most 0. */
  logProbability: number;
  /** The second likeliest token, where it was requested and the likeliest one is in doubt. Never the end of the text. */
  second?: DecodedToken;
}

export interface Decoding {
  tokens: DecodedToken[];
  /** Per token: one value for each frame. */
  attention: Float32Array[];
  frames: number;
  /** Probability that no word follows the prefix, before any rule was applied; 0 to 1. */
  emptyProbability: number;
  /** Log probability that the text ends after the last token; 0 if it was cut off. */
  endLogProbability: number;
  /** Logits before the text begins, if the first pass has a row for them. */
  startLogits?: Float32Array;
  /** Reason for the end: the end token, a repetition loop that was cut off, or the maximum length. */
  ending: "end-of-text" | "repetition" | "too-long";
}

export interface GreedyOptions<Cache> {
  start: DecoderStart<Cache>;
  /** Maximum number of tokens after the prefix; fast speech needs about 6.5 per second. */
  maximumTokens: number;
  /** Tokens that are given. */
  prefix?: readonly number[];
  /**
   * Tokens of an earlier result for the beginning of the same audio: verified in one pass and kept while they match.
   */
  draft?: readonly number[];
  /** Applied before the rules. */
  scorer?: EnsembleScorer;
  rules?: readonly LogitsRule[];
  /** Applied after the rules. */
  bias?: VocabularyBias | undefined;
  /** Of tokens with a lower probability, the second likeliest one is kept, too. */
  secondsBelow?: number;
}

const LONGEST_LOOP_TOKENS = 24;
const LOOP_REPEATS = 4;
const SHORT_LOOP_TOKENS = 2;
const SHORT_LOOP_REPEATS = 8;

/**
 * Length of the token loop at the end of the text. A phrase repeated four times is a loop; one or two tokens must be
 * repeated eight times ("no, no, no" is speech).
 * @returns undefined without a loop
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

/** The likeliest token besides the first one and the end of the text; undefined where the rules allow no other. */
function secondOf(logits: Float32Array, { id: first, logSum }: Normalizer, endToken: number): DecodedToken | undefined {
  let id = -1;
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < logits.length; at++) {
    const value = logits[at] as number;
    if (value <= highest || at === first || at === endToken) continue;
    highest = value;
    id = at;
  }
  return id < 0 ? undefined : { id, logProbability: highest - logSum };
}

/**
 * Decodes one encoded segment.
 * @returns at least one token, unless a rule allows an empty text
 */
export async function decodeGreedily<Encoded extends EncodedSpeech, Cache>(
  decoder: AttentionDecoder<Encoded, Cache>,
  encoded: Encoded,
  options: GreedyOptions<Cache>,
): Promise<Decoding> {
  const { start, maximumTokens, prefix = [], draft = [], scorer, rules = [], bias, secondsBelow = 0 } = options;
  const bonus = bias ? new BonusTokens(bias) : undefined;
  const { endToken, vocabularySize } = decoder;
  const { frames } = encoded;
  const tokens: DecodedToken[] = [];
  const ids: number[] = [];
  const attention: Float32Array[] = [];

  let emptyProbability = 0;
  let endLogProbability = 0;
  // The row of token n predicts token n + 1, so its attention belongs to the predicted token.
  const take = async (pass: Pass<Cache>, row: number): Promise<DecodedToken> => {
    const settled = prefix[ids.length];
    let token: DecodedToken;
    if (settled !== undefined) token = { id: settled, logProbability: 0 };
    else {
      const from = (row - skippedLogits) * vocabularySize;
      const own = pass.logits.subarray(from, from + vocabularySize);
      const isFirst = ids.length === prefix.length;
      const normalizer = scorer || isFirst ? normalizerOf(own) : undefined;
      if (normalizer && isFirst) emptyProbability = Math.exp((own[endToken] as number) - normalizer.logSum);
      const logits = (await scorer?.combine(own, ids, normalizer)) ?? own;
      let isChanged = logits !== own;
      for (const rule of rules) isChanged = rule(logits, ids) || isChanged;
      if (bonus) isChanged = bonus.apply(logits, ids) || isChanged;
      const chosen = normalizer && !isChanged ? normalizer : normalizerOf(logits);
      token = { id: chosen.id, logProbability: Math.log(chosen.probability) };
      const second = chosen.probability < secondsBelow ? secondOf(logits, chosen, endToken) : undefined;
      if (second) token.second = second;
    }
    if (token.id === endToken) {
      endLogProbability = token.logProbability;
      return token;
    }
    tokens.push(token);
    ids.push(token.id);
    attention.push(pass.attention.subarray(row * frames, (row + 1) * frames));
    return token;
  };

  const fed = [...start.tokens, ...prefix, ...draft.slice(0, maximumTokens - 1)];
  // The row after a single start token predicts the first word, and rules modify it.
  const hasStartLogits = start.fedTokens === 0 && start.tokens.length > 1;
  let skippedLogits = hasStartLogits ? 0 : start.tokens.length - 1 + prefix.length;
  const [first, another] = fed;
  let pass =
    first !== undefined && another === undefined
      ? await decoder.step({ encoded, cache: start.cache, token: first })
      : await decoder.decode(encoded, start.cache, fed, skippedLogits);
  const result = () => ({ tokens, attention, frames, emptyProbability, endLogProbability, ...startLogits });
  const startLogits = hasStartLogits ? { startLogits: pass.logits.subarray(0, vocabularySize) } : {};
  let row = start.tokens.length;
  let last = await take(pass, row - 1);
  while (row < fed.length && last.id === fed[row] && last.id !== endToken) {
    last = await take(pass, row);
    row++;
  }
  let cache = decoder.truncate(pass.cache, start.fedTokens + row);

  /** Decodes the text again from a place on. */
  const returnTo = async (place: number): Promise<DecodedToken> => {
    tokens.length = place;
    ids.length = place;
    attention.length = place;
    const before = ids.at(-1) ?? (start.tokens.at(-1) as number);
    cache = decoder.truncate(cache, start.fedTokens + start.tokens.length + place - 1);
    pass = await decoder.step({ encoded, cache, token: before });
    skippedLogits = 0;
    cache = pass.cache;
    return take(pass, 0);
  };

  for (;;) {
    const place = bonus?.retract(ids, last.id === endToken);
    if (place !== undefined) {
      last = await returnTo(place);
      continue;
    }
    if (last.id === endToken) return { ...result(), ending: "end-of-text" };
    const loop = trailingLoop(ids);
    if (loop) {
      const kept = ids.length - loop.length * (loop.repeats - 1);
      tokens.length = kept;
      attention.length = kept;
      return { ...result(), ending: "repetition" };
    }
    if (ids.length - prefix.length >= maximumTokens) return { ...result(), ending: "too-long" };
    pass = await decoder.step({ encoded, cache, token: last.id });
    skippedLogits = 0;
    cache = pass.cache;
    last = await take(pass, 0);
  }
}
