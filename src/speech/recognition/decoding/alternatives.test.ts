import { expect, test } from "vitest";
import { DOUBTFUL_PROBABILITY, likeliestText, type TextSearch } from "./alternatives.ts";
import type { AttentionDecoder } from "./decoder.ts";
import { continueGreedily, type Decoding, decodeGreedily, type GreedyOptions } from "./greedy.ts";

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

function decoder(next = NEXT): AttentionDecoder<{ frames: number }, readonly number[]> {
  const row = (tokens: readonly number[]) => {
    const following = next[tokens.filter((token) => token !== START).join()] ?? { [END]: 1 };
    return Array.from({ length: 10 }, (_, id) => Math.log(following[id] ?? 1e-9));
  };
  const decode = async (cache: readonly number[] = [], tokens: readonly number[], unanswered = 0) => {
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
    fork: (cache, tokens) => cache.slice(0, tokens),
  };
}

type Cache = readonly number[];

function searchIn(
  ownDecoder: ReturnType<typeof decoder>,
  options: GreedyOptions<Cache>,
  differInCase = (_one: number, _other: number) => false,
): TextSearch<Cache> {
  return {
    differInCase,
    branch: ({ tokens, attention, cache }, at, token) => ({
      tokens: [...tokens.slice(0, at), token],
      attention: attention.slice(0, at + 1),
      cache: ownDecoder.fork(cache, 1 + at),
    }),
    continue: (state, further) => continueGreedily(ownDecoder, { frames: 1 }, options, state, further),
  };
}

async function textOf(isUrgent: boolean) {
  const options = { start: { fedTokens: 0, tokens: [START] }, maximumTokens: 5, secondsBelow: DOUBTFUL_PROBABILITY };
  const greedy = await decodeGreedily(decoder(), { frames: 1 }, options);
  expect(greedy.tokens.map(({ id }) => id)).toEqual([1, 3]);
  return likeliestText(greedy, 0, isUrgent, searchIn(decoder(), options));
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

/** 2 is 1 with a capital letter. Its greedy text is unlikely; another one that begins with 2 is the likeliest of all. */
const CASES: Record<string, Record<number, number>> = {
  "": { 1: 0.55, 2: 0.4 },
  "1": { 3: 0.68, 4: 0.3 },
  "1,3": { [END]: 0.9 },
  "2": { 3: 0.5, 4: 0.48 },
  "2,3": { [END]: 0.5 },
  "2,4": { 6: 0.99 },
  "2,4,6": { 7: 0.99 },
  "2,4,6,7": { 8: 0.99 },
  "2,4,6,7,8": { [END]: 0.99 },
};

const CASE_OPTIONS = {
  start: { fedTokens: 0, tokens: [START] },
  maximumTokens: 12,
  secondsBelow: DOUBTFUL_PROBABILITY,
};

async function textIn(
  next: typeof CASES,
  { isUrgent = false, differInCase = (one: number, other: number) => one === 1 && other === 2 } = {},
): Promise<number[]> {
  const own = decoder(next);
  const greedy = await decodeGreedily(own, { frames: 1 }, CASE_OPTIONS);
  const { tokens } = await likeliestText(greedy, 0, isUrgent, searchIn(own, CASE_OPTIONS, differInCase));
  return tokens.map(({ id }) => id);
}

test("texts that begin in the other case are searched, too, and the likelier text wins", async () => {
  expect(await textIn(CASES)).toEqual([2, 4, 6, 7, 8]);
  expect(await textIn({ ...CASES, "2,4": { 6: 0.4, 5: 0.3, 8: 0.3 } })).toEqual([1, 3]);
});

test("the other case is not searched for other words, for live finals, and for texts that the model is sure of", async () => {
  expect(await textIn(CASES, { differInCase: () => false })).toEqual([1, 3]);
  expect(await textIn(CASES, { isUrgent: true })).toEqual([1, 3]);
  const tokens = [1, 3, 4, 5, 6, 7, 8];
  const sure = Object.fromEntries(
    tokens.map((_, at) => [tokens.slice(0, at + 1).join(), { [tokens[at + 1] ?? END]: 1 }]),
  );
  const isNeverAsked = () => {
    throw new Error("the text is sure");
  };
  expect(await textIn({ ...sure, "": { 1: 0.69, 2: 0.31 } }, { differInCase: isNeverAsked })).toEqual(tokens);
});

test("a likelier text in the other case that ends early is not taken", async () => {
  const unsure = (token: number) => ({ [token]: 0.5, 4: 0.25, 8: 0.25 });
  const long = { "1": unsure(3), "1,3": unsure(5), "1,3,5": unsure(6), "1,3,5,6": unsure(7) };
  const short = { "2": { 3: 0.5, 6: 0.49 }, "2,3": { ...unsure(5), [END]: 0.5 }, "2,6": { [END]: 1 } };
  expect(await textIn({ "": { 1: 0.55, 2: 0.4 }, ...long, ...short })).toEqual([1, 3, 5, 6, 7]);
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
  const never: TextSearch<Cache> = {
    differInCase: () => true,
    branch: () => {
      throw new Error("nothing is doubtful");
    },
    continue: () => Promise.reject(new Error("nothing is doubtful")),
  };
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

/** The likeliest next token of a text that agrees with a longer one but for its second token. */
const LONG = [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8];

function longDecoder(passes: number[][], betterSecond: boolean): ReturnType<typeof decoder> {
  const row = (tokens: readonly number[]) => {
    const at = tokens.length - 1;
    const probabilities = new Float32Array(10).fill(1e-6);
    const hasOther = tokens[2] === 9;
    if (at === 1) {
      probabilities[2] = 0.55;
      probabilities[9] = 0.45;
    } else if (at === 2)
      probabilities.fill(hasOther === betterSecond ? 0.005 : 0.08)[3] = hasOther === betterSecond ? 0.955 : 0.28;
    else probabilities[LONG[at] ?? END] = at === LONG.length ? 0 : 0.9;
    if (at === LONG.length) probabilities[END] = 0.9;
    return probabilities.map(Math.log);
  };
  const decode = async (cache: Cache = [], tokens: Cache) => {
    passes.push([...tokens]);
    const all = [...cache, ...tokens];
    const rows = tokens.map((_, at) => [...row(all.slice(0, cache.length + at + 1))]);
    return { logits: Float32Array.from(rows.flat()), attention: new Float32Array(tokens.length), cache: all };
  };
  return {
    vocabularySize: 10,
    endToken: END,
    decode: (_, cache, tokens) => decode(cache, tokens),
    step: ({ cache, token }) => decode(cache, [token]),
    truncate: (cache, tokens) => cache.slice(0, tokens),
    fork: (cache, tokens) => cache.slice(0, tokens),
  };
}

test.each([
  ["a likelier", true],
  ["a less likely", false],
])(
  "%s text is decoded only until it continues as before; its rest takes one pass if it is likelier",
  async (_, isBetter) => {
    const passes: number[][] = [];
    const own = longDecoder(passes, isBetter);
    const options = { start: { fedTokens: 0, tokens: [START] }, maximumTokens: 50, secondsBelow: 0.6 };
    const greedy: Decoding<Cache> = await decodeGreedily(own, { frames: 1 }, options);
    expect(greedy.tokens.map(({ id }) => id)).toEqual(LONG);
    passes.length = 0;
    const { tokens, attention } = await likeliestText(greedy, 0, true, searchIn(own, options));
    const expected = isBetter ? [1, 9, ...LONG.slice(2)] : LONG;
    expect(tokens.map(({ id }) => id)).toEqual(expected);
    expect(attention).toHaveLength(LONG.length);
    // The replaced token and three of the four that show that the texts meet; the rest in one pass.
    const steps = passes.filter(({ length }) => length === 1);
    expect(steps.length).toBeLessThanOrEqual(5);
    expect(passes.length - steps.length).toBe(isBetter ? 1 : 0);
  },
);
