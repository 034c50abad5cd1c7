import { expect, test } from "vitest";
import { JobEstimate } from "./job-estimate.ts";
import { type StageCost, StageTimes } from "./stage-times.ts";

const cost = (kind: string, secondsPerAudioSecond: number, seconds = 0): StageCost => ({
  kind,
  secondsPerAudioSecond,
  seconds,
});
const STAGES = [
  { name: "decode", cost: cost("decode", 0.003, 0.2) },
  { name: "recognize", cost: cost("recognize", 0.03) },
  { name: "assemble", cost: cost("assemble", 0.001, 5) },
];
const AUDIO_SECONDS = 600;
const STEPS = 100;

interface Simulated {
  /** Errors as a share of the rest, of at least two seconds, from a tenth of the time on. */
  errors: number[];
  shares: number[];
}

/** @param took  seconds of each stage  @param reporting  stages that report progress */
function simulated(
  took: Record<string, number>,
  reporting: string[],
  times = new StageTimes(),
  done: string[] = [],
): Simulated {
  let now = 0;
  const open = STAGES.filter(({ name }) => !done.includes(name));
  const total = open.reduce((sum, { name }) => sum + (took[name] ?? 0), 0);
  const estimate = new JobEstimate(STAGES, new Set(done), times, AUDIO_SECONDS, 0, () => now * 1000);
  const result: Simulated = { errors: [], shares: [] };
  for (const { name, cost: ofStage } of open) {
    estimate.begin(name);
    const seconds = took[name] ?? 0;
    for (let step = 1; step <= STEPS; step++) {
      now += seconds / STEPS;
      if (reporting.includes(name)) estimate.report(step / STEPS);
      result.shares.push(estimate.share);
      const rest = total - now;
      if (now >= 0.1 * total) result.errors.push(Math.abs(estimate.restSeconds - rest) / Math.max(2, rest));
    }
    estimate.end();
    times.add(ofStage, AUDIO_SECONDS, seconds);
  }
  return result;
}

const REPORTING = ["decode", "recognize"];

test("on a machine of any speed, the rest is right within 30 % after a tenth of the job", () => {
  for (const speed of [0.25, 1, 6]) {
    const took = { decode: 2 * speed, recognize: 18 * speed, assemble: 5.6 * speed };
    expect(Math.max(...simulated(took, REPORTING).errors)).toBeLessThan(0.3);
  }
});

test("the second job with a slow language model has a right estimate, and the first one corrects itself", () => {
  const times = new StageTimes();
  const took = { decode: 2, recognize: 18, assemble: 60 };
  const first = simulated(took, REPORTING, times);
  // In the last stage, nothing shows how long it takes: the rest grows instead of standing at zero.
  expect(Math.max(...first.errors)).toBeGreaterThan(0.5);
  expect(Math.max(...simulated(took, REPORTING, times).errors)).toBeLessThan(0.3);
});

test("the share grows from 0 to 1 and never falls", () => {
  const { shares } = simulated({ decode: 9, recognize: 5, assemble: 30 }, REPORTING);
  expect(shares).toEqual([...shares].sort((left, right) => left - right));
  expect(shares[0]).toBeLessThan(0.02);
  expect(shares.at(-1)).toBeLessThanOrEqual(1);
});

test("a stage that takes longer than expected and reports nothing still has a rest", () => {
  let now = 0;
  const estimate = new JobEstimate(STAGES, new Set(["decode", "recognize"]), new StageTimes(), 10, 0, () => now * 1000);
  estimate.begin("assemble");
  now = 60;
  expect(estimate.restSeconds).toBeGreaterThan(30);
  expect(estimate.share).toBeLessThan(1);
});

test("a stage without work changes neither share nor rest", () => {
  let now = 0;
  const stages = [...STAGES, { name: "translate", cost: cost("translate", 0) }];
  const estimate = new JobEstimate(stages, new Set(), new StageTimes(), 10, 0, () => now * 1000);
  for (const { name } of stages) {
    estimate.begin(name);
    now += 1;
    estimate.end();
    expect([estimate.restSeconds, estimate.share].every(Number.isFinite)).toBe(true);
  }
  expect([estimate.restSeconds, estimate.share]).toEqual([0, 1]);
});

test("an attempt that continues another one begins with what that one completed", () => {
  const took = { recognize: 18, assemble: 5.6 };
  const { errors, shares } = simulated(took, REPORTING, new StageTimes(), ["decode"]);
  expect(Math.max(...errors)).toBeLessThan(0.3);
  expect(shares[0]).toBeGreaterThan(0.07);
});

test("a kind without a measurement takes as many times the usual time as the others", () => {
  const times = new StageTimes();
  times.add(cost("decode", 0.003, 0.2), 600, 8);
  expect(times.expected(cost("recognize", 0.03), 600)).toBeCloseTo(72);
});

test("the share begins with the one that was shown before, and does not fall", () => {
  const estimate = new JobEstimate(STAGES, new Set(), new StageTimes(), 10, 0.4, () => 0);
  estimate.begin("decode");
  expect(estimate.share).toBe(0.4);
  for (const name of ["decode", "recognize", "assemble"] as const) {
    estimate.begin(name);
    estimate.end();
  }
  expect(estimate.share).toBe(1);
});
