import { expect, test } from "vitest";
import { randomSome } from "./random-some.ts";

test("every item is chosen in some round, and none twice in one", () => {
  const items = Array.from({ length: 30 }, (_, item) => item);
  const chosen = new Set<number>();
  for (let round = 0; round < 200; round++) {
    const some = randomSome(items, 5);
    expect(new Set(some).size).toBe(5);
    for (const item of some) chosen.add(item);
  }
  expect(chosen.size).toBe(items.length);
  expect(randomSome([1, 2], 5).sort()).toEqual([1, 2]);
});
