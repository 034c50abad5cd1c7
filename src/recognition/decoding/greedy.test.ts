import { expect, test } from "vitest";
import { trailingLoop } from "./greedy.ts";

test("a phrase said four times over is a loop", () => {
  const phrase = [5, 6, 7, 8];
  expect(trailingLoop([1, 2, ...phrase, ...phrase, ...phrase])).toBeUndefined();
  expect(trailingLoop([1, 2, ...phrase, ...phrase, ...phrase, ...phrase])).toEqual({ length: 4, repeats: 4 });
});

test("a word said three times is speech; said eight times it is a loop", () => {
  expect(trailingLoop([9, 9, 9])).toBeUndefined();
  expect(trailingLoop([4, ...new Array<number>(8).fill(9)])).toMatchObject({ length: 1 });
});
