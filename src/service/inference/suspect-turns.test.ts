import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Load, Worker } from "./inference-processes.ts";
import { SuspectTurns } from "./suspect-turns.ts";

const workers = ["first", "second"].map((name) => ({ name }) as unknown as Worker) as [Worker, Worker];
const load = (running: number, background = 0, isExclusive = false) =>
  ({ running, background, isExclusive }) as unknown as Load;
const one = { suspects: 1, recorded: 0, words: 0 };

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("a suspect task takes an idle process, not that of live words, and only one runs at a time", () => {
  const turns = new SuspectTurns();
  const idle = [
    [workers[0], load(0)],
    [workers[1], load(0)],
  ] as const;
  expect(turns.place(idle, one, workers[0])).toMatchObject({ worker: workers[1], isFree: true });
  const busy = [
    [workers[0], load(0)],
    [workers[1], load(1, 1, true)],
  ] as const;
  expect(turns.place(busy, one, undefined)).toBeUndefined();
});

test("other recordings have a turn between two", () => {
  const turns = new SuspectTurns();
  const idle = [[workers[0], load(0)]] as const;
  turns.began();
  expect(turns.place(idle, { ...one, recorded: 1 }, undefined)).toBeUndefined();
  expect(turns.place(idle, one, undefined)).toMatchObject({ isFree: true });
  turns.othersBegan();
  expect(turns.place(idle, { ...one, recorded: 1 }, undefined)).toMatchObject({ isFree: true });
});

test("a process ends its background tasks first; while live tasks run there, none is kept, but only for some time", () => {
  const turns = new SuspectTurns();
  const place = (running: number, background: number, words = 0) =>
    turns.place([[workers[0], load(running, background)]], { ...one, words }, undefined);
  expect(place(2, 2)).toMatchObject({ isFree: false, isClosed: false });
  expect(place(2, 1)).toBeUndefined();
  expect(place(0, 0, 1)).toMatchObject({ isFree: false });
  vi.advanceTimersByTime(16_000);
  expect(place(2, 1)).toMatchObject({ isFree: false, isClosed: true });
  expect(place(0, 0, 1)).toMatchObject({ isFree: true });
  turns.began();
  expect(place(2, 1)).toBeUndefined();
});

test("the wait of a suspect task that was cancelled does not count for a later one", () => {
  const turns = new SuspectTurns();
  const place = (suspects: number) =>
    turns.place([[workers[0], load(1, 1)]], { suspects, recorded: 0, words: 0 }, undefined);
  expect(place(1)).toMatchObject({ isClosed: false });
  expect(place(0)).toBeUndefined();
  vi.advanceTimersByTime(16_000);
  expect(place(1)).toMatchObject({ isClosed: false });
});
