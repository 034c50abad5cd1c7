import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { FloatPool } from "./float-pool.ts";

const MEGABYTE = 1 << 18;

test("acquired memory is exclusive until it is released", () => {
  const step = fc.record({ megabytes: fc.integer({ min: 1, max: 40 }), given: fc.integer({ min: 0, max: 9 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const store = new FloatPool();
      const held: { part: Float32Array; mark: number }[] = [];
      const isWhole = ({ part, mark }: (typeof held)[number]) => part[0] === mark && part.at(-1) === mark;
      for (const [mark, { megabytes, given }] of steps.entries()) {
        const part = store.acquire(megabytes * MEGABYTE);
        expect(part.length).toBe(megabytes * MEGABYTE);
        part[0] = mark;
        part[part.length - 1] = mark;
        held.push({ part, mark });
        expect(held.every(isWhole)).toBe(true);
        for (const { part: old } of held.splice(0, given)) store.release(old);
      }
    }),
    { numRuns: 20 },
  );
});

test("released memory is reused, also if another view of it is released", () => {
  const store = new FloatPool();
  const [first, second, third] = [store.acquire(MEGABYTE), store.acquire(MEGABYTE), store.acquire(MEGABYTE)];
  store.release(first);
  store.release(new Uint16Array(second.buffer, second.byteOffset, second.length - 1));
  for (const part of [first, second]) {
    const again = store.acquire(MEGABYTE);
    expect(again.buffer).toBe(part.buffer);
    expect(again.byteOffset).toBe(part.byteOffset);
  }
  expect(store.acquire(MEGABYTE).byteOffset).toBe(third.byteOffset + third.byteLength);
});

test("memory of a peak is reused while work continues, and dropped a few seconds later; the first block stays", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const pool = new FloatPool();
    const blocks = () => [pool.acquire(16 * MEGABYTE), pool.acquire(16 * MEGABYTE)];
    const release = (parts: Float32Array[]) => parts.forEach((part) => void pool.release(part));
    const first = blocks();
    release(first);
    vi.advanceTimersByTime(2_000);
    const second = blocks();
    expect(second[0]?.buffer).toBe(first[0]?.buffer);
    expect(second[1]?.buffer).toBe(first[1]?.buffer);
    release(second);
    vi.advanceTimersByTime(10_000);
    const third = blocks();
    expect(third[0]?.buffer).toBe(first[0]?.buffer);
    expect(third[1]?.buffer).not.toBe(first[1]?.buffer);
    // What is in use is never dropped.
    vi.advanceTimersByTime(10_000);
    release(third);
    expect(blocks()[1]?.buffer).toBe(third[1]?.buffer);
  } finally {
    vi.useRealTimers();
  }
});
