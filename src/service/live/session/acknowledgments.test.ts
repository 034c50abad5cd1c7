import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Acknowledgments } from "./acknowledgments.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A client that sends chunks of 20 ms. */
function world() {
  const sent: number[][] = [];
  const errors: unknown[] = [];
  let syncs = 0;
  let chunks = 0;
  let failure: Error | undefined;
  const acknowledgments = new Acknowledgments({
    stored: async () => {
      syncs++;
      if (failure) throw failure;
    },
    send: (events) => sent.push(events.map(({ bytes }) => bytes[0])),
    onStorageError: (error) => errors.push(error),
  });
  return {
    ...{ acknowledgments, sent, errors },
    syncs: () => syncs,
    fail: (error: Error) => (failure = error),
    add: (milliseconds = 20, isCurrent = true) => {
      const from = (chunks++ * milliseconds) / 1000;
      const seconds: [number, number] = [from, from + milliseconds / 1000];
      acknowledgments.add({ kind: "chunkStored", bytes: [chunks, chunks + 1], seconds }, () => isCurrent);
    },
  };
}

test("chunks that arrive within a tenth of a second share a sync and are acknowledged in order", async () => {
  const { add, sent, syncs } = world();
  for (let chunk = 0; chunk < 10; chunk++) {
    add();
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(sent).toEqual([
    [1, 2, 3, 4, 5],
    [6, 7, 8, 9, 10],
  ]);
  expect(syncs()).toBe(2);
});

test("the chunks of a client that waits for each acknowledgment are synced at once, after the first one", async () => {
  const { add, sent } = world();
  add();
  await vi.advanceTimersByTimeAsync(100);
  for (let chunk = 2; chunk <= 30; chunk++) {
    add();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent.at(-1)).toEqual([chunk]);
  }
});

test("a client that sends further chunks meanwhile shares syncs again", async () => {
  const { add, sent } = world();
  add();
  await vi.advanceTimersByTimeAsync(100);
  for (let chunk = 0; chunk < 3; chunk++) add();
  await vi.advanceTimersByTimeAsync(100);
  expect(sent).toEqual([[1], [2], [3, 4]]);
});

test("a chunk of a tenth of a second or more is synced at once", async () => {
  const { add, sent } = world();
  add(100);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([[1]]);
});

test("the end of a session does not wait for the time, and chunks of a replaced connection are not acknowledged", async () => {
  const { acknowledgments, add, sent } = world();
  add();
  add(20, false);
  expect(acknowledgments.count).toBe(2);
  await acknowledgments.settled();
  expect(sent).toEqual([[1]]);
  expect(acknowledgments.count).toBe(0);
});

test("chunks that cannot be stored are reported, not acknowledged", async () => {
  const { acknowledgments, add, sent, errors, fail } = world();
  fail(new Error("EIO"));
  add();
  await acknowledgments.settled();
  expect(errors).toEqual([new Error("EIO")]);
  expect(sent).toEqual([]);
});
