import { expect, test } from "vitest";
import { DOUBTFUL_PROBABILITY, likeliestText } from "./alternatives.ts";
import type { AttentionDecoder } from "./decoder.ts";
import { decodeGreedily } from "./greedy.ts";

const END = 0;
const START = 9;

/** Probabilities of the next token by the tokens before it: the greedy choice 1 leads to an uncertain text. */
const NEXT: Record<string, Record<number, number>> = {
  "": { 1: 0.52, 2: 0.48 },
  "1": { 3: 0.53, 4: 0.47 },
  "1,3": { [END]: 0.51, 8: 0.49 },
  "1,4": { [END]: 0.51, 8: 0.49 },
  "2": { 5: 0.6, 6: 0.4 },
  "2,5": { [END]: 0.55, 7: 0.45 },
};

function decoder(passes: string[] = []): AttentionDecoder<{ frames: number }, readonly number[]> {
  const row = (tokens: readonly number[]) => {
    const next = NEXT[tokens.filter((token) => token !== START).join()] ?? { [END]: 1 };
    return Array.from({ length: 10 }, (_, id) => Math.log(next[id] ?? 1e-9));
  };
  const decode = async (cache: readonly number[] = [], tokens: readonly number[], unanswered = 0) => {
    passes.push(tokens.join());
    const all = [...cache, ...tokens];
    const rows = tokens.map((_, at) => row(all.slice(0, cache.length + at + 1))).slice(unanswered);
    return { logits: Float32Array.from(rows.flat()), attention: new Float32Array(tokens.length), cache: all };
  };
  return {
    vocabularySize: 10,
    endToken: END,
    decode: (_, cache, tokens, unanswered) => decode(cache, tokens, unanswered),
    step: ({ cache, token }) => decode(cache, [token]),
    truncate: (cache, tokens) => cache.slice(0, tokens),
  };
}

async function textOf(isUrgent: boolean) {
  const options = { start: { fedTokens: 0, tokens: [START] }, maximumTokens: 5, secondsBelow: DOUBTFUL_PROBABILITY };
  const greedy = await decodeGreedily(decoder(), { frames: 1 }, options);
  expect(greedy.tokens.map(({ id }) => id)).toEqual([1, 3]);
  return likeliestText(greedy, 0, isUrgent, (prefix) =>
    decodeGreedily(decoder(), { frames: 1 }, { ...options, prefix }),
  );
}

test("the likeliest text is found around the greedy one, with its own probabilities", async () => {
  const { tokens, attention, endLogProbability } = await textOf(false);
  expect(tokens.map(({ id }) => id)).toEqual([2, 6]);
  expect(tokens.map(({ logProbability }) => Math.exp(logProbability).toFixed(2))).toEqual(["0.48", "0.40"]);
  expect(attention).toHaveLength(2);
  expect(Math.exp(endLogProbability)).toBeCloseTo(1, 2);
});

test("an urgent text is compared with texts that differ in one place", async () => {
  const { tokens } = await textOf(true);
  expect(tokens.map(({ id }) => id)).toEqual([2, 5]);
});

test("settled tokens and texts that the model is sure of stay", async () => {
  const greedy = await decodeGreedily(
    decoder(),
    { frames: 1 },
    {
      start: { fedTokens: 0, tokens: [START] },
      maximumTokens: 5,
      prefix: [1, 3],
      secondsBelow: DOUBTFUL_PROBABILITY,
    },
  );
  const never = () => Promise.reject(new Error("nothing is doubtful"));
  expect((await likeliestText(greedy, 2, false, never)).tokens.map(({ id }) => id)).toEqual([1, 3]);
});

test("where the rules allow no other token, none takes its place", async () => {
  const onlyFirst = (logits: Float32Array) => {
    for (let id = 2; id < logits.length; id++) logits[id] = Number.NEGATIVE_INFINITY;
    logits[END] = logits[1] as number;
    return true;
  };
  const start = { fedTokens: 0, tokens: [START] };
  const options = { start, maximumTokens: 5, secondsBelow: DOUBTFUL_PROBABILITY, rules: [onlyFirst] };
  const { tokens } = await decodeGreedily(decoder(), { frames: 1 }, options);
  expect(tokens.every(({ second }) => second === undefined)).toBe(true);
});
