// Long computations in turns of the event loop.
import { expect, test } from "vitest";
import { inTurns } from "./steps.ts";

function* busy(steps: number) {
  for (let step = 0; step < steps; step++) {
    const ends = performance.now() + 2;
    while (performance.now() < ends);
    yield;
  }
  return steps;
}

test("twenty computations at once share the time of a turn, and all end", async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const results = await Promise.all(Array.from({ length: 20 }, () => inTurns(busy(10))));
  isOver = true;
  expect(results).toEqual(Array.from({ length: 20 }, () => 10));
  // 400 ms of work in turns of 15 ms; without a shared time, each turn has 300 ms of it.
  expect(turns).toBeGreaterThan(15);
});
