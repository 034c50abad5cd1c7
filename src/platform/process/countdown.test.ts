import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Countdown } from "./countdown.ts";

let stalledMilliseconds = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  stalledMilliseconds = 0;
  vi.spyOn(performance, "now").mockImplementation(() => Date.now() + stalledMilliseconds);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function started(milliseconds: number) {
  let count = 0;
  const countdown = new Countdown(milliseconds, () => count++);
  return { countdown, count: () => count };
}

const advance = (milliseconds: number) => {
  stalledMilliseconds += milliseconds;
  vi.advanceTimersByTime(milliseconds);
};

test("a countdown expires once, at its time; a stopped one never does", () => {
  const { count } = started(3_500);
  const stopped = started(3_500);
  for (let second = 0; second < 3; second++) advance(1_000);
  stopped.countdown.stop();
  expect(count()).toBe(0);
  advance(500);
  expect(count()).toBe(1);
  advance(60_000);
  expect([count(), stopped.count()]).toEqual([1, 0]);
});

test("a countdown does not expire by a stall of the process, however long", () => {
  const { count } = started(30_000);
  for (let second = 0; second < 28; second++) advance(1_000);
  // The clock continues, the timer is due only now.
  stalledMilliseconds += 3_600_000;
  advance(1_000);
  for (let second = 0; second < 4; second++) advance(1_000);
  expect(count()).toBe(0);
  advance(1_000);
  expect(count()).toBe(1);
});

test("a countdown begins again after it was stopped, and after it has expired", () => {
  const { countdown, count } = started(1_500);
  advance(1_000);
  countdown.stop();
  advance(5_000);
  countdown.restart();
  advance(1_000);
  expect(count()).toBe(0);
  advance(500);
  expect(count()).toBe(1);
  countdown.restart();
  advance(1_000);
  advance(500);
  expect(count()).toBe(2);
});

test("a countdown of no time expires after its constructor", () => {
  const { count } = started(0);
  expect(count()).toBe(0);
  advance(0);
  expect(count()).toBe(1);
});

test("a process that stalls again and again delays a countdown for a bounded time", () => {
  const { count } = started(3_000);
  for (let second = 0; second < 60; second++) {
    stalledMilliseconds += 3_000;
    advance(1_000);
  }
  expect(count()).toBe(1);
});

test("a short countdown is not longer after a stall than it was", () => {
  const { count } = started(1_500);
  stalledMilliseconds += 60_000;
  advance(1_000);
  expect(count()).toBe(0);
  advance(1_000);
  advance(500);
  expect(count()).toBe(1);
});
