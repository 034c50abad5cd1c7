// Finds the likeliest texts of a stretch within a decoded text. A beam search begins at the stretch. It completes a text when the words that
// follow the stretch come next: so it compares texts of any length over the same audio.
import { firstOf } from "../../../contract/first-of.ts";
import { bareWord } from "../../text/bare-word.ts";
import { editDistance } from "../../text/similar.ts";
import type { StretchText } from "../recognizer.ts";
import { textOfWords } from "../stretch.ts";
import type { AttentionDecoder, EncodedSpeech, LogitsRule } from "./decoder.ts";
import type { DecodedToken } from "./greedy.ts";
import { normalizerOf } from "./logits.ts";
import type { TokenGroup } from "./words.ts";

/** Texts in progress. Each has its own KV cache, which bounds the memory. */
const BEAM = 8;
/** Texts in progress with the same first token: variants of one text must leave room for other texts. */
const BEAM_OF_BEGINNING = 3;
/** Likeliest next tokens of each text. */
const BRANCHES = 8;
/** Less likely tokens are not followed. */
const LEAST_LOG_PROBABILITY = Math.log(1e-4);
/** A text with a smaller share of the likeliest one's probability is not completed. */
const LEAST_SHARE = Math.log(1e-3);
/** Words after the stretch that a complete text has in common with the decoded one. */
const COMMON_WORDS = 2;
/** Tokens by which a text may exceed twice the decoded one. */
const SPARE_TOKENS = 12;
/** A following word with more letters must be the same; in shorter ones, a share of the letters may differ. */
const MOST_LETTERS = 30;
/** Share of the letters. */
const MOST_CHANGED = 0.34;
/** The search ends when it has this many complete texts. */
const ENOUGH_TEXTS = 24;

export interface StretchSearch<Encoded extends EncodedSpeech, Cache> {
  decoder: AttentionDecoder<Encoded, Cache>;
  encoded: Encoded;
  /** KV cache of the start tokens and of at least the tokens before the stretch. It is not changed. */
  cache: Cache;
  /** Number of start tokens. */
  startTokens: number;
  /** The last start token. */
  lastStartToken: number;
  /** Tokens of the whole decoded text. */
  tokens: readonly DecodedToken[];
  /** Token at which the stretch begins, and one past its last. */
  from: number;
  to: number;
  rules: readonly LogitsRule[];
  /** Words of tokens. */
  wordsOf(tokens: readonly number[]): Pick<TokenGroup, "text" | "isJoined">[];
}

interface Hypothesis<Cache> {
  /** After the beginning of the stretch. */
  ids: readonly number[];
  logProbability: number;
  /** Logits of the next token are in `next`; the cache has all tokens. */
  cache: Cache;
  next: Candidate[];
}

interface Candidate {
  id: number;
  logProbability: number;
}

const spoken = (word: string) => bareWord(word).toLowerCase();

/** Letters and digits of a word that follows a stretch: models write one sound as "SDK" or "S-D-K". */
const letters = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "");

/** Whether two words that follow a stretch are the same, or spellings of one sound. */
const isAlike = (one: string, other: string) =>
  one === other ||
  (Math.max(one.length, other.length) <= MOST_LETTERS && editDistance(one, other) <= one.length * MOST_CHANGED);

/** The likeliest tokens of a row of logits. */
function likeliestOf(logits: Float32Array, most: number): Candidate[] {
  const { logSum } = normalizerOf(logits);
  const found: Candidate[] = [];
  let least = LEAST_LOG_PROBABILITY + logSum;
  for (let id = 0; id < logits.length; id++) {
    const value = logits[id] as number;
    if (value <= least) continue;
    const at = found.findIndex(({ logProbability }) => logProbability < value);
    found.splice(at < 0 ? found.length : at, 0, { id, logProbability: value });
    if (found.length > most) found.pop();
    if (found.length === most) least = (found.at(-1) as Candidate).logProbability;
  }
  return found.map(({ id, logProbability }) => ({ id, logProbability: logProbability - logSum }));
}

class StretchBeam<Encoded extends EncodedSpeech, Cache> {
  /** Log probabilities of complete texts. */
  private readonly found: { text: string; logProbability: number }[] = [];
  /** Letters of the words that follow the stretch. */
  private readonly following: readonly string[];
  private readonly isLast: boolean;
  private readonly mostTokens: number;

  constructor(private readonly search: StretchSearch<Encoded, Cache>) {
    const { tokens, from, to, wordsOf } = search;
    const after = wordsOf(tokens.slice(to).map(({ id }) => id)).map(({ text }) => letters(text));
    const { first, rest } = firstOf(
      after.filter((word) => word !== ""),
      COMMON_WORDS,
    );
    this.following = first;
    this.isLast = rest === 0;
    this.mostTokens = 2 * (to - from) + SPARE_TOKENS;
  }

  async run(): Promise<{ text: string; logProbability: number }[]> {
    const { decoder, cache, startTokens, lastStartToken, tokens, from } = this.search;
    const before = tokens[from - 1]?.id ?? lastStartToken;
    const first = await this.stepped(decoder.fork(cache, startTokens + from - 1), before, [], 0);
    let beam = [first];
    for (let length = 0; length < this.mostTokens && beam.length > 0 && this.found.length < ENOUGH_TEXTS; length++) {
      beam = await this.extended(beam);
    }
    return this.found;
  }

  /** The likeliest texts with one token more. Complete ones are put aside. */
  private async extended(beam: readonly Hypothesis<Cache>[]): Promise<Hypothesis<Cache>[]> {
    const { decoder, startTokens, from } = this.search;
    const longer = beam
      .flatMap((one) =>
        one.next.map(({ id, logProbability }) => ({ one, id, logProbability: one.logProbability + logProbability })),
      )
      .toSorted((left, right) => right.logProbability - left.logProbability);
    const kept: typeof longer = [];
    const best = this.found.reduce((most, one) => Math.max(most, one.logProbability), Number.NEGATIVE_INFINITY);
    for (const candidate of longer) {
      if (kept.length === BEAM || candidate.logProbability < best + LEAST_SHARE) break;
      const ids = [...candidate.one.ids, candidate.id];
      if (this.isComplete(ids, candidate.logProbability)) continue;
      const alike = kept.filter((other) => (other.one.ids[0] ?? other.id) === ids[0]);
      if (alike.length < BEAM_OF_BEGINNING) kept.push(candidate);
    }
    // Texts that extend the same one share its cache: the last of them takes it, and the others copy it before.
    const steps = kept.map(({ one, id, logProbability }, at) => {
      const isShared = kept.some((other, later) => later > at && other.one === one);
      const length = startTokens + from + one.ids.length;
      return { cache: isShared ? decoder.fork(one.cache, length) : one.cache, one, id, logProbability };
    });
    return Promise.all(
      steps.map(({ cache, one, id, logProbability }) => this.stepped(cache, id, [...one.ids, id], logProbability)),
    );
  }

  private async stepped(
    given: Cache,
    token: number,
    ids: readonly number[],
    logProbability: number,
  ): Promise<Hypothesis<Cache>> {
    const { decoder, encoded, rules, tokens, from } = this.search;
    const { logits, cache } = await decoder.step({ encoded, cache: given, token });
    const text = [...tokens.slice(0, from).map(({ id }) => id), ...ids];
    for (const rule of rules) rule(logits, text);
    return { ids, logProbability, cache, next: likeliestOf(logits, BRANCHES) };
  }

  /** @returns whether the text has ended, or continues with what follows the stretch; a text that ends elsewhere is dropped */
  private isComplete(ids: readonly number[], logProbability: number): boolean {
    const { decoder, wordsOf } = this.search;
    const hasEnded = ids.at(-1) === decoder.endToken;
    const words = wordsOf(hasEnded ? ids.slice(0, -1) : ids);
    const found = words.map(({ text }) => letters(text));
    const { following } = this;
    const rest = words.length - following.length;
    const isMet = rest >= 0 && following.every((word, at) => isAlike(word, found[rest + at] ?? ""));
    if (hasEnded) {
      if (isMet && this.isLast && words.length > 0) this.add(words.slice(0, rest), logProbability);
      return true;
    }
    if (!isMet || this.isLast) return false;
    this.add(words.slice(0, rest), logProbability);
    return true;
  }

  /** Marks at the beginning belong to the word before the stretch. Without words, the stretch has none. */
  private add(words: readonly Pick<TokenGroup, "text" | "isJoined">[], logProbability: number): void {
    const first = words.findIndex(({ text }) => spoken(text) !== "");
    this.found.push({ text: first < 0 ? "" : textOfWords(words.slice(first)), logProbability });
  }
}

/**
 * The likeliest texts of a stretch. Texts that differ only in marks and capitals count as one, in their likeliest form.
 * @returns the likeliest first; their probabilities sum to 1
 */
export async function textsOfStretch<Encoded extends EncodedSpeech, Cache>(
  search: StretchSearch<Encoded, Cache>,
): Promise<StretchText[]> {
  const found = await new StretchBeam(search).run();
  const highest = found.reduce((most, { logProbability }) => Math.max(most, logProbability), Number.NEGATIVE_INFINITY);
  const byWords = new Map<string, StretchText>();
  let sum = 0;
  for (const { text, logProbability } of found.toSorted((left, right) => right.logProbability - left.logProbability)) {
    const words = text.split(/\s+/u).map(spoken).join(" ");
    const share = Math.exp(logProbability - highest);
    sum += share;
    const known = byWords.get(words);
    if (known) known.probability += share;
    else byWords.set(words, { text, probability: share });
  }
  return [...byWords.values()]
    .map(({ text, probability }) => ({ text, probability: probability / sum }))
    .toSorted((left, right) => right.probability - left.probability);
}
