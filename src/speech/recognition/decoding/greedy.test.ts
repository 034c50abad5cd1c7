import { describe, expect, test } from "vitest";
import type { AttentionDecoder } from "./decoder.ts";
import { decodeGreedily, trailingLoop } from "./greedy.ts";
import { vocabularyBias } from "./vocabulary-bias.ts";

test("a phrase repeated four times is a loop", () => {
  const phrase = [5, 6, 7, 8];
  expect(trailingLoop([1, 2, ...phrase, ...phrase, ...phrase])).toBeUndefined();
  expect(trailingLoop([1, 2, ...phrase, ...phrase, ...phrase, ...phrase])).toEqual({ length: 4, repeats: 4 });
});

test("a word repeated three times is speech; eight times it is a loop", () => {
  expect(trailingLoop([9, 9, 9])).toBeUndefined();
  expect(trailingLoop([4, ...new Array<number>(8).fill(9)])).toMatchObject({ length: 1 });
});

const END = 0;

/** Predicts 2 after the start, then 3, then the end; 1 is always second best. */
const decoder: AttentionDecoder<{ frames: number }, number> = {
  vocabularySize: 4,
  endToken: END,
  decode: () => Promise.reject(new Error("there is one token at a time")),
  step: async ({ cache = 0 }) => ({
    logits: Float32Array.from({ length: 4 }, (_, id) => (id === ([2, 3][cache] ?? END) ? 5 : id === 1 ? 4 : 0)),
    attention: new Float32Array(1),
    cache: cache + 1,
  }),
  truncate: (cache) => cache,
  fork: (cache) => cache,
};
const start = { fedTokens: 0, tokens: [9] };
const agrees = { weigh: async (logits: Float32Array) => logits, end: () => undefined };

test.each([
  ["alone", {}],
  ["with a second opinion that agrees", { opinion: agrees }],
])("%s, the most probable token is returned with its probability, and rules change the choice", async (_, options) => {
  const said = async (rules: ((logits: Float32Array, tokens: readonly number[]) => boolean)[]) => {
    const { tokens } = await decodeGreedily(decoder, { frames: 1 }, { start, maximumTokens: 9, rules, ...options });
    return tokens.map(({ id, logProbability }) => [id, Math.exp(logProbability).toFixed(3)]);
  };
  const sum = Math.exp(5) + Math.exp(4) + 2;
  const free = (Math.exp(5) / sum).toFixed(3);
  expect(await said([])).toEqual([
    [2, free],
    [3, free],
  ]);
  expect(await said([() => false])).toEqual(await said([]));
  const forbidFirst = (logits: Float32Array, tokens: readonly number[]) => {
    if (tokens.length > 0) return false;
    logits[2] = Number.NEGATIVE_INFINITY;
    return true;
  };
  expect(await said([forbidFirst])).toEqual([
    [1, (Math.exp(4) / (Math.exp(4) + 2)).toFixed(3)],
    [3, free],
  ]);
});

describe("a vocabulary", () => {
  const PIECES = ["", " Ask", " asked", "ed", " not", " nut"];
  const tokenizer = {
    bytes: (token: number) => Buffer.from(PIECES[token] ?? ""),
    encode: (text: string) => (text === "Ask not" ? [1, 4] : []),
  };
  const bias = vocabularyBias([{ value: "Ask not", intensity: 1, pronunciations: [] }], "en", tokenizer);

  /** Logits by the text so far; the cache is that text. */
  const speech = (
    expected: Record<string, Record<number, number>>,
  ): AttentionDecoder<{ frames: number }, number[]> => ({
    vocabularySize: PIECES.length,
    endToken: END,
    decode: () => Promise.reject(new Error("there is one token at a time")),
    step: async ({ cache = [], token }) => {
      const fed = [...cache, token];
      const logits = new Float32Array(PIECES.length);
      const row = expected[
        fed
          .slice(1)
          .map((id) => PIECES[id])
          .join("")
      ] ?? { [END]: 9 };
      for (const [id, logit] of Object.entries(row)) logits[Number(id)] = logit;
      return { logits, attention: new Float32Array(1), cache: fed };
    },
    truncate: (cache, tokens) => cache.slice(0, tokens),
    fork: (cache: number[], tokens: number) => cache.slice(0, tokens),
  });
  const said = async (expected: Record<string, Record<number, number>>) => {
    const { tokens, attention } = await decodeGreedily(
      speech(expected),
      { frames: 1 },
      { start, maximumTokens: 9, bias },
    );
    expect(attention).toHaveLength(tokens.length);
    return tokens.map(({ id }) => PIECES[id]).join("");
  };

  test("a phrase that is completed keeps its bonus", async () => {
    expect(await said({ "": { 2: 5, 1: 4 }, " Ask": { 5: 6, 4: 3 } })).toBe(" Ask not");
  });

  test("a phrase that is not completed loses it, so other words stay as they are", async () => {
    const asked = { "": { 2: 5, 1: 4 }, " Ask": { 3: 15 }, " Asked": { 5: 6, 4: 3 }, " asked": { 5: 6, 4: 3 } };
    expect(await said(asked)).toBe(" asked nut");
    expect(await said({ "": { 2: 5, 1: 4 }, " Ask": { [END]: 20 } })).toBe(" asked");
  });
});
