import { expect, test } from "vitest";
import { vocabularyBias } from "./vocabulary-bias.ts";

const PIECES = [" c", "ream", " la", "tte", " r"];
const tokenizer = {
  bytes: (token: number) => Buffer.from(PIECES[token] ?? ""),
  encode: (text: string) => PIECES.flatMap((piece, token) => (` ${text.toLowerCase()}`.includes(piece) ? [token] : [])),
};
const term = (value: string) => ({ value, intensity: 1, pronunciations: [] });

function favoured(values: string[], said: number[]): number[] {
  const logits = new Float32Array(PIECES.length);
  vocabularyBias(values.map(term), "en", tokenizer)?.rule(logits, said);
  return [...logits.keys()].filter((token) => (logits[token] as number) > 0);
}

test("the start of a term gets a higher probability, its continuation an even higher one", () => {
  expect(favoured(["latte"], [])).toEqual([2]);
  expect(favoured(["latte"], [2])).toEqual([2, 3]);
});

test("a single letter is no start of a term, but is continued when decoded; a term of one letter counts", () => {
  expect(favoured(["cream"], [])).toEqual([]);
  expect(favoured(["cream"], [0])).toEqual([1]);
  expect(favoured(["r"], [])).toEqual([4]);
});

test("a term is open until it is complete, and fails where other tokens follow", () => {
  const bias = vocabularyBias([term("latte")], "en", tokenizer);
  expect(bias?.stateOf([2], 0, false)).toBe("open");
  expect(bias?.stateOf([2, 3], 0, false)).toBe("open");
  expect(bias?.stateOf([2, 3, 4], 0, false)).toBe("completed");
  expect(bias?.stateOf([2, 3], 0, true)).toBe("completed");
  expect(bias?.stateOf([2, 4], 0, false)).toBe("failed");
  expect(bias?.stateOf([2], 0, true)).toBe("failed");
  // "latteream" is another word.
  expect(bias?.stateOf([2, 3, 1], 0, false)).toBe("failed");
});
