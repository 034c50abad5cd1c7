// Searches for a text that is likelier than the greedy one. Each uncertain token is replaced by the second likeliest token, and decoding
// continues from there. It stops where the new text continues with the same tokens as the old one: the probabilities of the rest are then
// assumed to be unchanged. Only candidates with a higher estimated probability are decoded to their end. Texts with certain tokens only are
// not searched. A beam search would multiply the cost of every text.
import { concurrently } from "../../../platform/process/concurrently.ts";
import type { ContinueOptions, DecodedToken, Decoding, TextState } from "./greedy.ts";

/** Texts with a higher mean probability a token are kept as they are. */
const SURE_PROBABILITY = 0.95;
/** Tokens below this probability are replaced, the least certain first. */
export const DOUBTFUL_PROBABILITY = 0.7;
const MOST_REPLACED = 8;
/** Each round searches around the best text of the round before. */
const MOST_ROUNDS = 4;
/** A live final does not wait for more. */
const MOST_URGENT_ROUNDS = 1;
/** Most texts decoded concurrently. Each has its own KV cache, which bounds the memory. */
const MOST_AT_ONCE = 4;
/** Number of equal consecutive tokens after which two texts count as equal. */
const EQUAL_TOKENS = 4;
/** Least probability of a first token in the other case, as a share of that of the chosen token. */
const LEAST_CASE_RATIO = 0.2;
/** The text in the other case has at least this share of the tokens of the best text. */
const LEAST_LENGTH = 0.8;
/** Largest difference between the positions of the equal tokens in both texts. */
const MOST_SHIFT = 6;

export interface TextSearch<Cache> {
  /** Whether two tokens differ only in upper and lower case. */
  differInCase(one: number, other: number): boolean;
  /** A copy of a text before its token at `at`, with that token replaced. */
  branch(text: Decoding<Cache>, at: number, token: DecodedToken): TextState<Cache>;
  continue(state: TextState<Cache>, options: ContinueOptions): Promise<Decoding<Cache>>;
}

const sumOf = (tokens: readonly DecodedToken[]) =>
  tokens.reduce((total, { logProbability }) => total + logProbability, 0);

/** Mean log probability of a token, the end of the text included. */
const score = ({ tokens, endLogProbability }: Pick<Decoding, "tokens" | "endLogProbability">): number =>
  (sumOf(tokens) + endLogProbability) / (tokens.length + 1);

const isSure = (text: Decoding): boolean => score(text) >= Math.log(SURE_PROBABILITY);

/** Positions of doubtful tokens from `first` on, the least certain first. */
function doubtfulPositions({ tokens }: Decoding, first: number): number[] {
  const certainty = (at: number) => tokens[at]?.logProbability ?? 0;
  return [...tokens.keys()]
    .filter((at) => at >= first && tokens[at]?.second !== undefined)
    .sort((left, right) => certainty(left) - certainty(right))
    .slice(0, MOST_REPLACED);
}

/**
 * Finds where the last tokens of a text occur in another text, after the position at which the texts differ.
 * @returns index in `others` after the equal tokens; undefined if there are none
 */
function meetingPlace(
  tokens: readonly DecodedToken[],
  others: readonly DecodedToken[],
  differAt: number,
): number | undefined {
  const from = tokens.length - EQUAL_TOKENS;
  if (from <= differAt) return undefined;
  for (let shift = 0; shift <= MOST_SHIFT; shift++) {
    for (const start of shift === 0 ? [from] : [from - shift, from + shift]) {
      if (start < differAt) continue;
      let same = 0;
      while (same < EQUAL_TOKENS && others[start + same]?.id === tokens[from + same]?.id) same++;
      if (same === EQUAL_TOKENS) return start + EQUAL_TOKENS;
    }
  }
  return undefined;
}

/** A text that was decoded to its end, or until it continued like the best text. In the latter case the score is an estimate. */
interface Candidate<Cache> {
  text: Decoding<Cache>;
  /** The rest of the best text from there on; undefined for a complete text. */
  rest: readonly DecodedToken[] | undefined;
  score: number;
}

async function candidate<Cache>(
  best: Decoding<Cache>,
  at: number,
  second: DecodedToken,
  search: TextSearch<Cache>,
): Promise<Candidate<Cache> | undefined> {
  const least = score(best);
  let met: number | undefined;
  const text = await search.continue(search.branch(best, at, second), {
    isEnough: (tokens) => {
      met = meetingPlace(tokens, best.tokens, at);
      // If all further tokens were certain, the text would still be less likely.
      return met !== undefined || sumOf(tokens) <= least * (Math.max(tokens.length, best.tokens.length) + 1);
    },
  });
  let found: Candidate<Cache> | undefined;
  if (text.ending === "end-of-text") found = { text, rest: undefined, score: score(text) };
  else if (text.ending === "stopped" && met !== undefined) {
    const rest = best.tokens.slice(met);
    const estimated = score({ tokens: [...text.tokens, ...rest], endLogProbability: best.endLogProbability });
    found = { text, rest, score: estimated };
  }
  // Other candidates are dropped, which frees their caches.
  return found && found.score > least ? found : undefined;
}

/** Decodes the rest of a candidate. @returns undefined if it does not end as expected */
async function completed<Cache>(
  { text, rest }: Candidate<Cache>,
  search: TextSearch<Cache>,
): Promise<Decoding<Cache> | undefined> {
  if (!rest) return text;
  const whole = await search.continue(text, { draft: rest.map(({ id }) => id) });
  return whole.ending === "end-of-text" ? whole : undefined;
}

/** Replaces doubtful tokens after the first `prefixLength`, round by round. @returns the likeliest of the decoded texts */
async function likeliestAround<Cache>(
  greedy: Decoding<Cache>,
  prefixLength: number,
  isUrgent: boolean,
  search: TextSearch<Cache>,
): Promise<Decoding<Cache>> {
  const rounds = isUrgent ? MOST_URGENT_ROUNDS : MOST_ROUNDS;
  const tried = new Set<string>();
  let best = greedy;
  for (let round = 0; round < rounds && !isSure(best); round++) {
    const current = best;
    const places = doubtfulPositions(current, prefixLength).flatMap((at) => {
      const second = current.tokens[at]?.second;
      const key = [...current.tokens.slice(0, at), second].map((token) => token?.id).join();
      if (!second || tried.has(key)) return [];
      tried.add(key);
      return [{ at, second }];
    });
    const found = await concurrently(places, MOST_AT_ONCE, ({ at, second }) => candidate(current, at, second, search));
    const promising = found.filter((one) => one !== undefined).sort((left, right) => right.score - left.score);
    for (const one of promising) {
      const whole = await completed(one, search);
      if (!whole || score(whole) <= score(current)) continue;
      best = whole;
      break;
    }
    if (best === current) break;
  }
  return best;
}

/**
 * Searches again from a text whose first letter has the other case. Whisper tends to leave out punctuation in a text that begins with a
 * small letter. Replacing one token at a time rarely adds it, because each comma alone makes that text less likely.
 * @returns undefined if the first token is certain, or if the second likeliest token is another word
 */
async function likeliestInOtherCase<Cache>(
  text: Decoding<Cache>,
  search: TextSearch<Cache>,
): Promise<Decoding<Cache> | undefined> {
  const [first] = text.tokens;
  const second = first?.second;
  if (!first || !second || !search.differInCase(first.id, second.id)) return undefined;
  if (second.logProbability < first.logProbability + Math.log(LEAST_CASE_RATIO)) return undefined;
  const other = await search.continue(search.branch(text, 0, second), {});
  return other.ending === "end-of-text" ? likeliestAround(other, 1, false, search) : undefined;
}

/**
 * @param greedy        a complete text
 * @param prefixLength  its first so many tokens are settled
 * @returns the likeliest of the texts that were decoded
 */
export async function likeliestText<Cache>(
  greedy: Decoding<Cache>,
  prefixLength: number,
  isUrgent: boolean,
  search: TextSearch<Cache>,
): Promise<Decoding<Cache>> {
  let best = await likeliestAround(greedy, prefixLength, isUrgent, search);
  if (!isUrgent && prefixLength === 0 && !isSure(best)) {
    const other = await likeliestInOtherCase(best, search);
    // A text that ends early, without the last words, can have a higher mean.
    const isWhole = other !== undefined && other.tokens.length >= LEAST_LENGTH * best.tokens.length;
    if (isWhole && score(other) > score(best)) best = other;
  }
  // The rest describes the beginning of the text, which was decoded greedily.
  const { tokens, attention, ending, endLogProbability, cache } = best;
  return { ...greedy, tokens, attention, ending, endLogProbability, cache };
}
