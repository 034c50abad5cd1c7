import { expect, test } from "vitest";
import { OtherProcesses } from "../models/other-processes.ts";
import { Throughput } from "./throughput.ts";

const WORK = { audioSeconds: 600, jobs: 0, unknown: 0 };

test("an estimate counts the speed of this process and of the others that have measured theirs", () => {
  const others = new OtherProcesses();
  const throughput = new Throughput(others);
  expect(throughput.measured).toBeUndefined();
  const before = throughput.estimate(WORK);
  const report = (machine: string, audioSecondsPerSecond?: number) => ({
    ...{ machine, roles: ["worker"], models: [], audioSecondsPerSecond },
  });
  others.take([report("a", 40), report("b", 20), report("c"), { ...report("d", 80), roles: ["api"] }]);
  // A process without jobs of its own adds no guess.
  expect(throughput.estimate(WORK)).toBe(10);
  expect(before).toBeGreaterThan(10);
  for (let job = 0; job < 100; job++) throughput.add(60, 1, 1);
  expect(throughput.measured).toBeCloseTo(60, 1);
  expect(throughput.estimate(WORK)).toBe(5);
  others.take([]);
  expect(throughput.estimate(WORK)).toBe(10);
});
