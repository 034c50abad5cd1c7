// A search around a greedy text for a likelier one. Where the model was unsure of a token, the second likeliest token takes its place
// and the rest of the text is decoded again. Texts that the model is sure of cost nothing. A beam would cost every text several times.
import type { Decoding } from "./greedy.ts";

/** Texts with a higher mean probability a token are kept as they are. */
const SURE_PROBABILITY = 0.95;
/** Tokens below this probability are replaced, the least certain first. */
export const DOUBTFUL_PROBABILITY = 0.7;
const MOST_REPLACED = 8;
/** Each round searches around the best text of the round before. */
const MOST_ROUNDS = 4;
/** A live final does not wait for more. */
const MOST_URGENT_ROUNDS = 1;

/** Mean log probability of a token, the end of the text included. */
function score({ tokens, endLogProbability }: Decoding): number {
  const sum = tokens.reduce((total, { logProbability }) => total + logProbability, endLogProbability);
  return sum / (tokens.length + 1);
}

/** Positions of doubtful tokens from `first` on, the least certain first. */
function doubtfulPositions({ tokens }: Decoding, first: number): number[] {
  const certainty = (at: number) => tokens[at]?.logProbability ?? 0;
  return [...tokens.keys()]
    .filter((at) => at >= first && tokens[at]?.second !== undefined)
    .sort((left, right) => certainty(left) - certainty(right))
    .slice(0, MOST_REPLACED);
}

/**
 * @param greedy        a complete text
 * @param prefixLength  its first so many tokens are settled
 * @param decodeFrom    decodes a text that begins with the given tokens
 * @returns the likeliest of the texts that were decoded
 */
export async function likeliestText(
  greedy: Decoding,
  prefixLength: number,
  isUrgent: boolean,
  decodeFrom: (tokens: readonly number[]) => Promise<Decoding>,
): Promise<Decoding> {
  const rounds = isUrgent ? MOST_URGENT_ROUNDS : MOST_ROUNDS;
  const tried = new Set<string>();
  let best = greedy;
  for (let round = 0; round < rounds && score(best) < Math.log(SURE_PROBABILITY); round++) {
    const { tokens } = best;
    const beginnings = doubtfulPositions(best, prefixLength)
      .map((at) => [...tokens.slice(0, at), ...(tokens[at]?.second ? [tokens[at].second] : [])])
      .filter((beginning) => {
        const key = beginning.map(({ id }) => id).join();
        const isNew = !tried.has(key);
        tried.add(key);
        return isNew;
      });
    const others = await Promise.all(
      beginnings.map(async (beginning) => {
        const found = await decodeFrom(beginning.map(({ id }) => id));
        // The decoder gives tokens of a prefix no probabilities; those of the earlier text apply.
        const all = found.tokens.map((token, at) => beginning[at] ?? token);
        const { attention, ending, endLogProbability } = found;
        // The rest describes the beginning of the text, which was decoded greedily.
        return { ...greedy, tokens: all, attention, ending, endLogProbability };
      }),
    );
    const complete = others.filter(({ ending }) => ending === "end-of-text");
    const better = complete.reduce((found, other) => (score(other) > score(found) ? other : found), best);
    if (better === best) break;
    best = better;
  }
  return best;
}
