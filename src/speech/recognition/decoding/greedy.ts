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

/** A text in progress. */
export interface TextState<Cache> {
  tokens: readonly DecodedToken[];
  /** Per token: one value for each frame. */
  attention: readonly Float32Array[];
  /** KV cache of the start tokens and of all tokens but the last. */
  cache: Cache;
}

export interface Decoding<Cache = unknown> {
  tokens: DecodedToken[];
  /** Per token: one value for each frame. */
  attention: Float32Array[];
  /** KV cache of the start tokens and of the tokens; the last may be missing. */
  cache: Cache;
  frames: number;
  /** Probability that no word follows the prefix, before any rule was applied; 0 to 1. */
  emptyProbability: number;
  /** Log probability that the text ends after the last token; 0 if it was cut off. */
  endLogProbability: number;
  /** Logits before the text begins, if the first pass has a row for them. */
  startLogits?: Float32Array;
  /** Reason for the end: the end token, a repetition loop that was cut off, the maximum length, or a stop by the caller. */
  ending: "end-of-text" | "repetition" | "too-long" | "stopped";
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

export interface ContinueOptions {
  /** Expected tokens: verified in one pass and kept while they match. */
  draft?: readonly number[];
  /** Called before each step; true ends the text there. */
  isEnough?: (tokens: readonly DecodedToken[]) => boolean;
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

let sequences = 0;

class GreedyText<Encoded extends EncodedSpeech, Cache> {
  private readonly tokens: DecodedToken[] = [];
  private readonly ids: number[] = [];
  private readonly attention: Float32Array[] = [];
  private readonly bonus: BonusTokens | undefined;
  private emptyProbability = 0;
  private endLogProbability = 0;
  private startLogits: Float32Array | undefined;
  /** Leading rows of the current pass that have no logits. */
  private skippedLogits = 0;
  private readonly sequence = sequences++;

  constructor(
    private readonly decoder: AttentionDecoder<Encoded, Cache>,
    private readonly encoded: Encoded,
    private readonly options: GreedyOptions<Cache>,
  ) {
    this.bonus = options.bias ? new BonusTokens(options.bias) : undefined;
  }

  private get prefix(): readonly number[] {
    return this.options.prefix ?? [];
  }

  async decode(): Promise<Decoding<Cache>> {
    const { start, maximumTokens, draft = [] } = this.options;
    const fed = [...start.tokens, ...this.prefix, ...draft.slice(0, maximumTokens - 1)];
    // The row after a single start token predicts the first word, and rules modify it.
    const hasStartLogits = start.fedTokens === 0 && start.tokens.length > 1;
    this.skippedLogits = hasStartLogits ? 0 : start.tokens.length - 1 + this.prefix.length;
    const pass = await this.feed(start.cache, fed);
    if (hasStartLogits) this.startLogits = pass.logits.subarray(0, this.decoder.vocabularySize);
    return this.takeRows(pass, fed, start.tokens.length, start.fedTokens, {});
  }

  async continueFrom(state: TextState<Cache>, options: ContinueOptions): Promise<Decoding<Cache>> {
    const { start } = this.options;
    this.tokens.push(...state.tokens);
    this.ids.push(...state.tokens.map(({ id }) => id));
    this.attention.push(...state.attention);
    const last = this.ids.at(-1);
    if (last === undefined) throw new Error("a text without tokens cannot be continued");
    const fed = [last, ...(options.draft ?? [])];
    const before = start.fedTokens + start.tokens.length + this.ids.length - 1;
    return this.takeRows(await this.feed(state.cache, fed), fed, 1, before, options);
  }

  private feed(cache: Cache | undefined, fed: readonly number[]): Promise<Pass<Cache>> {
    const { decoder, encoded } = this;
    const [first, another] = fed;
    return first !== undefined && another === undefined
      ? decoder.step({ encoded, cache, token: first, sequence: this.sequence })
      : decoder.decode(encoded, cache, fed, this.skippedLogits);
  }

  /**
   * Takes the rows of a pass while they agree with what was fed, then continues step by step.
   * @param first   index after the row of the first token to take
   * @param before  tokens in the cache before the pass
   */
  private async takeRows(
    pass: Pass<Cache>,
    fed: readonly number[],
    first: number,
    before: number,
    options: ContinueOptions,
  ): Promise<Decoding<Cache>> {
    const { endToken } = this.decoder;
    let row = first;
    let last = await this.take(pass, row - 1);
    while (row < fed.length && last.id === fed[row] && last.id !== endToken) {
      last = await this.take(pass, row);
      row++;
    }
    return this.stepOn(this.decoder.truncate(pass.cache, before + row), last, options);
  }

  private async stepOn(given: Cache, latest: DecodedToken, options: ContinueOptions): Promise<Decoding<Cache>> {
    const { decoder, encoded, ids } = this;
    const { maximumTokens } = this.options;
    let [cache, last] = [given, latest];
    for (;;) {
      const place = this.bonus?.retract(ids, last.id === decoder.endToken);
      if (place !== undefined) {
        ({ cache, last } = await this.returnTo(place, cache));
        continue;
      }
      if (last.id === decoder.endToken) return this.result("end-of-text", cache);
      const loop = trailingLoop(ids);
      if (loop) {
        const kept = ids.length - loop.length * (loop.repeats - 1);
        this.cutTo(kept);
        return this.result("repetition", cache);
      }
      if (ids.length - this.prefix.length >= maximumTokens) return this.result("too-long", cache);
      if (options.isEnough?.(this.tokens)) return this.result("stopped", cache);
      const pass = await decoder.step({ encoded, cache, token: last.id, sequence: this.sequence });
      this.skippedLogits = 0;
      cache = pass.cache;
      last = await this.take(pass, 0);
    }
  }

  /** Decodes the text again from a place on. */
  private async returnTo(place: number, whole: Cache): Promise<{ cache: Cache; last: DecodedToken }> {
    const { start } = this.options;
    this.cutTo(place);
    const before = this.ids.at(-1) ?? (start.tokens.at(-1) as number);
    const cache = this.decoder.truncate(whole, start.fedTokens + start.tokens.length + place - 1);
    const { decoder, encoded, sequence } = this;
    const pass = await decoder.step({ encoded, cache, token: before, sequence });
    this.skippedLogits = 0;
    return { cache: pass.cache, last: await this.take(pass, 0) };
  }

  private cutTo(length: number): void {
    this.tokens.length = length;
    this.ids.length = length;
    this.attention.length = length;
  }

  private result(ending: Decoding["ending"], cache: Cache): Decoding<Cache> {
    const { tokens, attention, emptyProbability, endLogProbability, startLogits } = this;
    const { frames } = this.encoded;
    const known = { tokens, attention, cache, frames, emptyProbability, endLogProbability, ending };
    return { ...known, ...(startLogits ? { startLogits } : {}) };
  }

  /** The row of token n predicts token n + 1, so its attention belongs to the predicted token. */
  private async take(pass: Pass<Cache>, row: number): Promise<DecodedToken> {
    const { ids } = this;
    const { frames } = this.encoded;
    const settled = this.prefix[ids.length];
    const token = settled === undefined ? await this.choose(pass, row) : { id: settled, logProbability: 0 };
    if (token.id === this.decoder.endToken) {
      this.endLogProbability = token.logProbability;
      return token;
    }
    this.tokens.push(token);
    ids.push(token.id);
    this.attention.push(pass.attention.subarray(row * frames, (row + 1) * frames));
    return token;
  }

  private async choose(pass: Pass<Cache>, row: number): Promise<DecodedToken> {
    const { ids, bonus } = this;
    const { endToken, vocabularySize } = this.decoder;
    const { scorer, rules = [], secondsBelow = 0 } = this.options;
    const from = (row - this.skippedLogits) * vocabularySize;
    const own = pass.logits.subarray(from, from + vocabularySize);
    const isFirst = ids.length === this.prefix.length;
    const normalizer = scorer || isFirst ? normalizerOf(own) : undefined;
    if (normalizer && isFirst) this.emptyProbability = Math.exp((own[endToken] as number) - normalizer.logSum);
    const logits = (await scorer?.combine(own, ids, normalizer)) ?? own;
    let isChanged = logits !== own;
    for (const rule of rules) isChanged = rule(logits, ids) || isChanged;
    if (bonus) isChanged = bonus.apply(logits, ids) || isChanged;
    const chosen = normalizer && !isChanged ? normalizer : normalizerOf(logits);
    const token: DecodedToken = { id: chosen.id, logProbability: Math.log(chosen.probability) };
    const second = chosen.probability < secondsBelow ? secondOf(logits, chosen, endToken) : undefined;
    if (second) token.second = second;
    return token;
  }
}

/**
 * Decodes one encoded segment.
 * @returns at least one token, unless a rule allows an empty text
 */
export function decodeGreedily<Encoded extends EncodedSpeech, Cache>(
  decoder: AttentionDecoder<Encoded, Cache>,
  encoded: Encoded,
  options: GreedyOptions<Cache>,
): Promise<Decoding<Cache>> {
  return new GreedyText(decoder, encoded, options).decode();
}

/** Decodes the rest of a text. @param options  as given for the whole text */
export function continueGreedily<Encoded extends EncodedSpeech, Cache>(
  decoder: AttentionDecoder<Encoded, Cache>,
  encoded: Encoded,
  options: GreedyOptions<Cache>,
  state: TextState<Cache>,
  further: ContinueOptions,
): Promise<Decoding<Cache>> {
  return new GreedyText(decoder, encoded, options).continueFrom(state, further);
}
