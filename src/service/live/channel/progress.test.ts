import { expect, test } from "vitest";
import { Progress } from "./progress.ts";

test("whoever waits for a position continues when it is reached, or at the end", async () => {
  const progress = new Progress();
  const reached: number[] = [];
  const waits = [3, 1, 2].map((position) => progress.reached(position).then(() => reached.push(position)));
  progress.advance(2);
  progress.advance(1);
  await Promise.all(waits.slice(1));
  expect(reached.sort()).toEqual([1, 2]);
  await progress.reached(2);
  progress.end();
  await Promise.all(waits);
  await progress.reached(99);
  expect(progress.current).toBe(Number.POSITIVE_INFINITY);
});
