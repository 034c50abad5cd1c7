// The texts of a stretch, from a decoder whose probabilities are given.
import { expect, test } from "vitest";
import type { AttentionDecoder } from "./decoder.ts";
import { textsOfStretch } from "./stretch-texts.ts";
import { groupWords } from "./words.ts";

const PIECES = ["", " an", " iced", " mock", "er", "a", ",", " please", " now", " ice", " tea", " P-lease"];
const END = 0;
const START = 99;
const [AN, ICED, MOCK, ER, A, COMMA, PLEASE, NOW, ICE, TEA, SPELLED] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const;
const tokenizer = { bytes: (token: number) => Buffer.from(PIECES[token] ?? ""), encode: () => [] };
const wordsOf = (tokens: readonly number[]) => groupWords(tokens, tokenizer, "en");
const said: number[] = [AN, ICED, MOCK, ER, PLEASE, NOW];

/** The next token where a test gives no probabilities. */
const USUAL: Record<number, number> = {
  ...{
    [AN]: ICED,
    [ICED]: MOCK,
    [ICE]: MOCK,
    [MOCK]: ER,
    [ER]: PLEASE,
    [A]: PLEASE,
    [COMMA]: MOCK,
    [PLEASE]: NOW,
    [SPELLED]: NOW,
  },
};

/** Probabilities of the next token by the text so far. */
function decoder(next: Record<string, Record<number, number>>): AttentionDecoder<{ frames: number }, number[]> {
  const step = async (cache: readonly number[], token: number) => {
    const all = [...cache, token];
    const text = all
      .filter((one) => one !== START)
      .map((one) => PIECES[one])
      .join("");
    const last = all.at(-1) as number;
    const following = next[text] ?? { [USUAL[last] ?? END]: 1 };
    const logits = Float32Array.from(PIECES, (_, id) => Math.log(following[id] ?? 1e-9));
    return { logits, attention: new Float32Array(1), cache: all };
  };
  return {
    vocabularySize: PIECES.length,
    endToken: END,
    decode: () => Promise.reject(new Error("one token at a time")),
    step: ({ cache = [], token }) => step(cache, token),
    truncate: (cache, tokens) => cache.slice(0, tokens),
    fork: (cache, tokens) => cache.slice(0, tokens),
  };
}

const texts = (next: Record<string, Record<number, number>>, from: number, to: number) =>
  textsOfStretch({
    decoder: decoder(next),
    encoded: { frames: 1 },
    cache: [START, ...said],
    startTokens: 1,
    lastStartToken: START,
    tokens: said.map((id) => ({ id, logProbability: 0 })),
    from,
    to,
    rules: [],
    wordsOf,
  });
const rounded = (found: { text: string; probability: number }[]) =>
  found.map(({ text, probability }) => [text, probability.toFixed(2)]);

test("texts that differ within a word have the probability of their tokens, whatever their length", async () => {
  const next = { " an iced mock": { [ER]: 0.5, [A]: 0.4, [PLEASE]: 0.1 } };
  expect(rounded(await texts(next, 2, 4))).toEqual([
    ["mocker", "0.50"],
    ["mocka", "0.40"],
    ["mock", "0.10"],
  ]);
});

test("an unlikely beginning is found where what follows makes it likely", async () => {
  const next = {
    " an": { [ICED]: 0.6, [ICE]: 0.4 },
    " an iced": { [MOCK]: 0.1, [TEA]: 0.9 },
    " an iced tea": { [PLEASE]: 0.01, [END]: 0.99 },
    " an ice": { [MOCK]: 1 },
  };
  const found = rounded(await texts(next, 1, 2));
  expect(found[0]).toEqual(["ice", "0.87"]);
  expect(found[1]).toEqual(["iced", "0.13"]);
});

test("marks and capitals make no other text; a stretch may have no words, and its first mark is of the word before", async () => {
  const next = {
    " an": { [ICED]: 0.5, [COMMA]: 0.2, [MOCK]: 0.3 },
    " an iced": { [MOCK]: 0.5, [COMMA]: 0.5 },
    " an,": { [ICED]: 0.5, [MOCK]: 0.5 },
    " an, iced": { [MOCK]: 1 },
    " an iced,": { [MOCK]: 1 },
  };
  expect(rounded(await texts(next, 1, 2))).toEqual([
    ["iced", "0.60"],
    ["", "0.40"],
  ]);
});

test("the last words of a text are compared up to its end", async () => {
  const next = {
    " an iced mocker please": { [NOW]: 0.7, [TEA]: 0.2, [END]: 0.1 },
    " an iced mocker please tea": { [END]: 1 },
  };
  expect(rounded(await texts(next, 5, 6))).toEqual([
    ["now", "0.78"],
    ["tea", "0.22"],
  ]);
});

test("what follows may be spelled differently after another text", async () => {
  const next = {
    " an iced mocker": { [SPELLED]: 1 },
    " an iced tea": { [PLEASE]: 1 },
    " an iced": { [MOCK]: 0.8, [TEA]: 0.2 },
  };
  expect(rounded(await texts(next, 2, 4))).toEqual([
    ["mocker", "0.80"],
    ["tea", "0.20"],
  ]);
});
