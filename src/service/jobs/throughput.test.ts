import { expect, test } from "vitest";
import { OtherWorkers } from "./other-workers.ts";
import { Throughput } from "./throughput.ts";

const WORK = { audioSeconds: 600, jobs: 0, unknown: 0 };

test("an estimate counts the speed of this process and of the others that have measured theirs", () => {
  const others = new OtherWorkers();
  const throughput = new Throughput(others);
  expect(throughput.measured).toBeUndefined();
  const before = throughput.estimate(WORK);
  others.take([{ audioSecondsPerSecond: 40, models: [] }, { audioSecondsPerSecond: 20, models: [] }, { models: [] }]);
  // A process without jobs of its own adds no guess.
  expect(throughput.estimate(WORK)).toBe(10);
  expect(before).toBeGreaterThan(10);
  for (let job = 0; job < 100; job++) throughput.add(60, 1, 1);
  expect(throughput.measured).toBeCloseTo(60, 1);
  expect(throughput.estimate(WORK)).toBe(5);
  others.take([]);
  expect(throughput.estimate(WORK)).toBe(10);
});

test("models of other workers are those of their last reports", () => {
  const others = new OtherWorkers();
  others.take([{ models: ["a"] }, { models: ["b", "c"] }]);
  expect(["a", "c", "d"].map((id) => others.hasModel(id))).toEqual([true, true, false]);
  others.take([{ models: ["d"] }]);
  expect(["a", "d"].map((id) => others.hasModel(id))).toEqual([false, true]);
});
