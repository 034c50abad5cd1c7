import fc from "fast-check";
import { expect, test } from "vitest";
import { recordingTime, storedTime } from "./gaps.ts";

const GAPS = [{ storedSeconds: 11, seconds: 88 }];

test.each([
  [10, 10],
  [11, 11],
  [12.5, 11],
  [90, 11],
  [99, 11],
  [101, 13],
])("%d s of a recording with a gap from 11 to 99 s are at %d s of the stored samples", (seconds, stored) => {
  expect(storedTime(seconds, GAPS)).toBe(stored);
});

test("a time in a gap at the beginning, as of audio_range, is the beginning of the samples", () => {
  expect(storedTime(50, [{ storedSeconds: 0, seconds: 100 }])).toBe(0);
  expect(storedTime(103, [{ storedSeconds: 0, seconds: 100 }])).toBe(3);
});

test("a position in the samples and its time in the recording are the same place, and order is kept", () => {
  const gap = fc.record({ storedSeconds: fc.integer({ min: 0, max: 100 }), seconds: fc.integer({ min: 1, max: 100 }) });
  const gaps = fc.array(gap, { maxLength: 5 }).map((all) => all.sort((a, b) => a.storedSeconds - b.storedSeconds));
  fc.assert(
    fc.property(gaps, fc.integer({ min: 0, max: 120 }), fc.integer({ min: 0, max: 700 }), (all, stored, seconds) => {
      expect(storedTime(recordingTime(stored, all), all)).toBe(stored);
      expect(storedTime(seconds + 1, all)).toBeGreaterThanOrEqual(storedTime(seconds, all));
    }),
  );
});
