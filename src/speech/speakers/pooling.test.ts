import { expect, test } from "vitest";
import { type Frames, HOP_SECONDS, poolWindows } from "./pooling.ts";

/** 40 frames a second: the first value is the frame's time, the second 1. */
function frames(seconds: number, start = 0): Frames {
  const count = seconds * 40;
  const values = new Float32Array(count * 2);
  for (let frame = 0; frame < count; frame++) values.set([start + frame / 40, 1], frame * 2);
  return { values, size: 2, framesPerSecond: 40, start };
}

test("a window is the mean of the speech frames around its centre", () => {
  const { times, means } = poolWindows(frames(4), [{ start: 0, end: 2 }], 0, 4);
  expect(times[0]).toBe(HOP_SECONDS / 2);
  const at = times.indexOf(1.125);
  expect(means[at * 2]).toBeCloseTo(1.125, 1);
  expect(means[at * 2 + 1]).toBe(1);
  // Outside the speech only windows that still contain enough of it.
  expect(Math.max(...times)).toBeLessThan(2.25);
});

test("pieces with context give the same windows as the whole recording", () => {
  const speech = [{ start: 0, end: 8 }];
  const whole = poolWindows(frames(8), speech, 0, 8);
  const left = poolWindows(frames(5), speech, 0, 4);
  const right = poolWindows(frames(5, 3), speech, 4, 8);
  expect([...left.times, ...right.times]).toEqual(whole.times);
  for (const [index, value] of [...left.means, ...right.means].entries()) {
    expect(value).toBeCloseTo(whole.means[index] as number, 4);
  }
});
