import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LogHealth, UNAVAILABLE_MILLISECONDS } from "./log-health.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function health() {
  const outages: (number | undefined)[] = [];
  return { outages, log: new LogHealth((stream) => outages.push(stream)) };
}

test("without a stored heartbeat for ten seconds, nothing can be stored, until the next one", () => {
  const { log, outages } = health();
  log.heartbeatStored();
  vi.advanceTimersByTime(UNAVAILABLE_MILLISECONDS - 1);
  log.heartbeatStored();
  vi.advanceTimersByTime(UNAVAILABLE_MILLISECONDS - 1);
  expect([log.problem, outages]).toEqual([undefined, []]);
  vi.advanceTimersByTime(60_000);
  expect([typeof log.problem, outages]).toEqual(["string", [undefined]]);
  log.heartbeatStored();
  expect(log.problem).toBeUndefined();
  log.stop();
});

test("a stream whose writes fail for ten seconds is full or gone, until none of them fails", () => {
  const { log, outages } = health();
  const first = log.writeFails(3, 5_000);
  vi.advanceTimersByTime(3_000);
  const second = log.writeFails(3, 0);
  vi.advanceTimersByTime(1_999);
  expect(log.problem).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect([typeof log.problem, outages]).toEqual(["string", [3]]);
  first();
  expect(log.problem).toBeDefined();
  second();
  expect(log.problem).toBeUndefined();
  // A write that succeeds at the next attempt is no outage.
  log.writeFails(3, 0)();
  vi.advanceTimersByTime(60_000);
  expect(outages).toEqual([3]);
});
