import { expect, test } from "vitest";
import { DetectedActivity } from "./detected-activity.ts";

test("a section has the windows that overlap it, and where the first one begins", () => {
  const activity = new DetectedActivity();
  for (const [at, probability] of [0.1, 0.25, 0.5, 0.75].entries()) activity.add(1_024 + 512 * (at + 1), probability);
  expect(activity.between(1_664, 2_600)).toEqual({
    probabilities: Float32Array.of(0.25, 0.5, 0.75),
    startSeconds: (1_536 - 1_664) / 16_000,
  });
  expect(activity.between(0, 1_100)).toEqual({ probabilities: Float32Array.of(0.1), startSeconds: 0.064 });
  expect(activity.between(0, 1_024)).toBeUndefined();
  expect(activity.between(3_072, 4_000)).toBeUndefined();
});

test("old windows are dropped, those of the last 40 s are kept", () => {
  const activity = new DetectedActivity();
  for (let end = 512; end <= 512 * 10_000; end += 512) activity.add(end, end / 5_120_000);
  const until = 512 * 10_000;
  expect(activity.between(until - 40 * 16_000, until)?.probabilities).toHaveLength(1_250);
  expect(activity.between(0, until)?.probabilities.length).toBeLessThan(3_000);
});

test("a voice is found in the seconds of its windows", () => {
  const activity = new DetectedActivity();
  for (let window = 1; window <= 100; window++) activity.add(window * 512, window === 50 ? 0.9 : 0.1);
  expect(activity.hasVoice(1.5, 1.65)).toBe(true);
  expect(activity.hasVoice(1.7, 3)).toBe(false);
  expect(activity.hasVoice(10, 11)).toBe(false);
});
