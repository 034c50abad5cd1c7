import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BackPressure } from "./back-pressure.ts";
import { FrameQueue } from "./frame-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A task that ends when the test says so. */
function open<Value>() {
  let settle: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolve) => (settle = resolve));
  return { promise, settle };
}

function connection() {
  const events: string[] = [];
  const state = { undetected: 0, hasRoom: true, room: open<void>() };
  const pressure = new BackPressure({
    sessionId: "id",
    pause: () => events.push("pause"),
    resume: () => events.push("resume"),
    undetectedSeconds: () => state.undetected,
    space: {
      hasRoom: async () => state.hasRoom,
      room: (_kind, signal) => {
        const stopped = new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
        return Promise.race([state.room.promise, stopped]);
      },
    },
    logger: pino({ level: "silent" }),
  });
  return { pressure, events, state };
}

test.each([
  ["large frames", 10, 200_000],
  ["empty frames", 10_000, 0],
])("%s that wait hold the connection back until half of them are done", async (_name, count, bytes) => {
  const { pressure, events } = connection();
  const frames = new FrameQueue({
    process: async () => undefined,
    onFailed: () => undefined,
    onWaiting: (waiting) => pressure.framesWait(waiting),
  });
  for (let added = 0; added < count; added++) frames.add(bytes, async () => undefined);
  expect(events).toEqual(["pause"]);
  await frames.settled();
  expect(events).toEqual(["pause", "resume"]);
});

test("20 s of audio that waits for recognition hold the connection back until 10 s are left", () => {
  const { pressure, events, state } = connection();
  for (const [seconds, expected] of [
    [19, []],
    [20, ["pause"]],
    [11, ["pause"]],
    [10, ["pause", "resume"]],
  ] as const) {
    state.undetected = seconds;
    pressure.audioAdded();
    vi.advanceTimersByTime(100);
    expect(events).toEqual(expected);
  }
});

test("an operation that takes more than a second holds the connection back until it ends, also if it fails", async () => {
  const { pressure, events } = connection();
  expect(await pressure.during(Promise.resolve("quick"))).toBe("quick");
  const slow = open<Promise<never>>();
  const failure = expect(pressure.during(slow.promise)).rejects.toThrow("EIO");
  vi.advanceTimersByTime(999);
  expect(events).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(events).toEqual(["pause"]);
  slow.settle(Promise.reject(new Error("EIO")));
  await failure;
  expect(events).toEqual(["pause", "resume"]);
});

test("a client that does not read is not read from; callbacks hold it back when they wait for more than a second", async () => {
  const { pressure, events } = connection();
  const [unread, callbacks] = [open<void>(), open<void>()];
  const full = ({ promise }: { promise: Promise<void> }) => ({ hasRoom: false, room: () => promise });
  const free = { hasRoom: true, room: () => Promise.reject(new Error("has room")) };
  await pressure.untilQueuesHaveRoom(free, free);
  expect(events).toEqual([]);
  const ready = pressure.untilQueuesHaveRoom(full(unread), full(callbacks));
  expect(events).toEqual(["pause"]);
  unread.settle();
  await vi.advanceTimersByTimeAsync(0);
  expect(events).toEqual(["pause", "resume"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(events).toEqual(["pause", "resume", "pause"]);
  callbacks.settle();
  await ready;
  expect(events).toEqual(["pause", "resume", "pause", "resume"]);
});

test("audio waits while the disk is full, or until the process stops", async () => {
  const { pressure, events, state } = connection();
  const stop = new AbortController();
  expect(await pressure.untilDiskHasRoom(stop.signal)).toBe(true);
  expect(events).toEqual([]);
  state.hasRoom = false;
  const resumed = pressure.untilDiskHasRoom(stop.signal);
  await vi.advanceTimersByTimeAsync(0);
  expect(events).toEqual(["pause"]);
  state.room.settle();
  expect(await resumed).toBe(true);
  expect(events).toEqual(["pause", "resume"]);
  state.room = open();
  const stopped = pressure.untilDiskHasRoom(stop.signal);
  await vi.advanceTimersByTimeAsync(0);
  stop.abort();
  expect(await stopped).toBe(false);
  expect(pressure.isPaused).toBe(true);
});

test("of several causes, the last one that ends resumes the connection", async () => {
  const { pressure, events, state } = connection();
  const [first, second] = [open<void>(), open<void>()];
  const storing = [pressure.during(first.promise), pressure.during(second.promise)];
  vi.advanceTimersByTime(1_000);
  pressure.framesWait(2_000_000);
  state.undetected = 30;
  pressure.audioAdded();
  first.settle();
  await storing[0];
  pressure.framesWait(0);
  second.settle();
  await storing[1];
  expect(events).toEqual(["pause"]);
  state.undetected = 0;
  vi.advanceTimersByTime(100);
  expect(events).toEqual(["pause", "resume"]);
  expect(pressure.isPaused).toBe(false);
});
