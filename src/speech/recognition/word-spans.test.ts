import fc from "fast-check";
import { expect, test } from "vitest";
import { separatedWords } from "./word-spans.ts";

const word = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds });

test("a word ends at the latest where the next one begins", () => {
  expect(separatedWords([word(0, 0.5), word(0.476, 1)])).toEqual([word(0, 0.476), word(0.476, 1)]);
});

test("a pause between words is kept", () => {
  expect(separatedWords([word(0, 0.4), word(0.6, 1)])).toEqual([word(0, 0.4), word(0.6, 1)]);
});

test("words with one start share their time", () => {
  expect(separatedWords([word(1, 1.2), word(1, 1.4), word(1.3, 2)])).toEqual([
    word(1, 1.15),
    word(1.15, 1.3),
    word(1.3, 2),
  ]);
});

test("no word ends after the audio", () => {
  expect(separatedWords([word(0, 1), word(1.9, 2.3)], 2)).toEqual([word(0, 1), word(1.9, 2)]);
});

test("words never overlap, keep their order and stay within the audio, for any times", () => {
  const times = fc.array(
    fc.tuple(fc.double({ min: 0, max: 30, noNaN: true }), fc.double({ min: 0, max: 3, noNaN: true })),
  );
  fc.assert(
    fc.property(times, (spans) => {
      const words = spans.map(([start, length]) => word(start, start + length));
      const separated = separatedWords(words, 20);
      let earliest = 0;
      for (const { startSeconds, endSeconds } of separated) {
        expect(startSeconds).toBeGreaterThanOrEqual(earliest);
        expect(endSeconds).toBeGreaterThanOrEqual(startSeconds);
        expect(endSeconds).toBeLessThanOrEqual(20);
        earliest = endSeconds;
      }
    }),
  );
});
