import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TurnClock } from "./turn-clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A clock with a client whose pings are answered when `answer` is called, or at once. */
function clockWith({ answers = true } = {}) {
  const happened: string[] = [];
  const pings: (() => void)[] = [];
  const clock = new TurnClock(
    0.3,
    {
      nearing: () => happened.push("nearing"),
      ended: () => happened.push("ended"),
      isPaused: () => false,
      afterFrames: (task) => queueMicrotask(task),
    },
    () => Date.now() / 1000,
  );
  clock.connected(() => (answers ? Promise.resolve() : new Promise((resolve) => pings.push(resolve))), false);
  const speak = async (seconds: number, chunkSeconds = 0.02) => {
    for (let sent = 0; sent < seconds - 1e-6; sent += chunkSeconds) {
      await vi.advanceTimersByTimeAsync(chunkSeconds * 1000);
      clock.received(chunkSeconds);
    }
  };
  return { clock, happened, pings, speak };
}

test("a turn nears its end and ends, once", async () => {
  const { happened, speak } = clockWith();
  await speak(2);
  await vi.advanceTimersByTimeAsync(400);
  expect(happened).toEqual(["nearing"]);
  await vi.advanceTimersByTimeAsync(250);
  expect(happened).toEqual(["nearing", "ended"]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(happened).toEqual(["nearing", "ended"]);
});

test("a turn whose pace is known from the second chunk on ends sooner than after a single chunk", async () => {
  const { happened, speak } = clockWith();
  await speak(3, 1);
  await vi.advanceTimersByTimeAsync(1_700);
  expect(happened).toEqual(["nearing", "ended"]);
});

test("without a pong the turn stays open; audio that arrives first continues it", async () => {
  const { clock, happened, pings, speak } = clockWith({ answers: false });
  await speak(2);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(happened).toEqual(["nearing"]);
  expect(pings).toHaveLength(1);
  // The delayed audio arrives, and the pong after it.
  for (let chunk = 0; chunk < 150; chunk++) clock.received(0.02);
  pings[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  await speak(1);
  expect(happened).toEqual(["nearing"]);
});

test("a late pong ends the turn when it arrives", async () => {
  const { happened, pings, speak } = clockWith({ answers: false });
  await speak(2);
  await vi.advanceTimersByTimeAsync(3_000);
  pings[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(happened).toEqual(["nearing", "ended"]);
});

test("no turn ends while no client is connected", async () => {
  const { clock, happened, speak } = clockWith();
  await speak(2);
  clock.stop();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(happened).toEqual([]);
});
