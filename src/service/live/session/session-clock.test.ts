import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SessionClock } from "./session-clock.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** @returns seconds after which a session of a minute ends @param elapsed  seconds since its first connection */
function endsAfter(elapsed: number): number {
  let isOver = false;
  const limits = { idleMilliseconds: 1e6, graceMilliseconds: 1e6, awayMilliseconds: 1e6, maximumMilliseconds: 60_000 };
  const over = () => {
    isOver = true;
  };
  const clock = new SessionClock(limits, { idle: () => {}, over, mayReturn: () => true, maySend: () => true });
  clock.started(1000 * elapsed);
  let seconds = 0;
  for (; !isOver && seconds < 100; seconds++) vi.advanceTimersByTime(1_000);
  return seconds;
}

test("the longest length counts from the first connection, also in a later process", () => {
  expect(endsAfter(0)).toBe(60);
  expect(endsAfter(40)).toBe(20);
});

test("a session that is over has some seconds in which its client can resend audio", () => {
  expect(endsAfter(3_600)).toBe(5);
});
