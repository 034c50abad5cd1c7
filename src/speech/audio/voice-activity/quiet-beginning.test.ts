import { expect, test } from "vitest";
import { quietBeginning, withQuietBeginnings } from "./quiet-beginning.ts";

const tone = (seconds: number, level: number) =>
  Float32Array.from({ length: seconds * 16_000 }, (_, at) => Math.SQRT2 * 10 ** (level / 20) * Math.sin(0.2 * at));
const joined = (...parts: Float32Array[]) => Float32Array.from(parts.flatMap((part) => [...part]));
const seconds = (samples: number) => samples / 16_000;

test("a quiet voice begins where its level begins", () => {
  expect(seconds(quietBeginning(joined(tone(0.4, -85), tone(0.5, -55)), tone(1, -55)))).toBeCloseTo(0.5, 1);
  expect(seconds(quietBeginning(tone(0.9, -55), tone(1, -55)))).toBeCloseTo(0.9, 1);
});

test("short silences within it do not end it", () => {
  const before = joined(tone(0.3, -55), tone(0.1, -90), tone(0.3, -55));
  expect(seconds(quietBeginning(before, tone(1, -55)))).toBeCloseTo(0.7, 1);
});

test("silence belongs to no voice, and a loud voice needs no search", () => {
  expect(quietBeginning(tone(0.9, -85), tone(1, -55))).toBe(0);
  expect(quietBeginning(tone(0.9, -30), tone(1, -25))).toBe(0);
});

test("a segment is extended up to the previous one, and no sample belongs to two", async () => {
  const recording = joined(tone(2, -20), tone(2, -56));
  const read = async (from: number, to: number) => recording.subarray(from, to);
  const margins = { lead: 8_000, tail: 3_200 };
  // Speech up to 2.0 s, detected again at 2.9 s.
  const cut = [
    { startSample: 0, endSample: 2.2 * 16_000 },
    { startSample: 2.45 * 16_000, endSample: 4 * 16_000 },
  ];
  const [first, second] = await withQuietBeginnings(cut, margins, read);
  expect(seconds(second?.startSample ?? 0)).toBeCloseTo(2, 1);
  // They are not adjacent: a pause is between them, over which no number or sentence is joined.
  expect(first?.endSample).toBe((second?.startSample ?? 0) - 1);
  const far = [cut[0] as (typeof cut)[0], { startSample: 3.8 * 16_000, endSample: 4 * 16_000 }];
  expect(await withQuietBeginnings(far, margins, read)).toEqual(far);
});
