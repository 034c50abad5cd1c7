import { expect, test } from "vitest";
import { initialLevel, levelled, raiseWindow } from "./leveller.ts";

const WINDOW = 512;
const decibels = (samples: Float32Array) =>
  10 * Math.log10(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);
/** A tone at this level, dBFS; on a constant offset. */
const tone = (seconds: number, level: number, offset = 0) =>
  Float32Array.from(
    { length: Math.floor((seconds * 16_000) / WINDOW) * WINDOW },
    (_, at) => offset + Math.SQRT2 * 10 ** (level / 20) * Math.sin(0.2 * at),
  );

function raised(samples: Float32Array, state = initialLevel()): Float32Array {
  const copy = samples.slice();
  for (let from = 0; from < copy.length; from += WINDOW) raiseWindow(copy.subarray(from, from + WINDOW), state);
  return copy;
}
const joined = (...parts: Float32Array[]) => Float32Array.from(parts.flatMap((part) => [...part]));

test("audio at a normal level is unchanged, including pauses of a second", () => {
  const speech = joined(tone(0.5, -25), tone(1, -70), tone(0.5, -25));
  expect(raised(speech)).toEqual(speech);
});

test("quiet audio is raised, by a bounded gain", () => {
  expect(decibels(raised(tone(1, -62)).subarray(WINDOW))).toBeCloseTo(-25, 0);
  expect(decibels(raised(tone(1, -90)).subarray(WINDOW))).toBeCloseTo(-46, 0);
  expect(raised(new Float32Array(16_000))).toEqual(new Float32Array(16_000));
});

test("a quiet voice after a loud one is raised within a second and a half", () => {
  const both = raised(joined(tone(1, -20), tone(2, -60)));
  expect(decibels(both.subarray(0, 15_000))).toBeCloseTo(-20, 0);
  expect(decibels(both.subarray(-8_000))).toBeCloseTo(-25, 0);
});

test("the onset of a loud sound is not raised", () => {
  const both = raised(joined(tone(1, -70), tone(1, -20)));
  expect(Math.max(...both)).toBeLessThan(0.2);
});

test("a constant offset does not count as level", () => {
  const withOffset = raised(tone(1, -62, 0.05)).subarray(WINDOW);
  const mean = withOffset.reduce((sum, value) => sum + value, 0) / withOffset.length;
  expect(decibels(withOffset.map((value) => value - mean))).toBeCloseTo(-25, 0);
});

test("the gain does not depend on how the audio is split into calls", () => {
  const samples = joined(tone(0.5, -60), tone(0.5, -30), tone(1, -65));
  const state = initialLevel();
  const half = Math.floor(samples.length / 2 / WINDOW) * WINDOW;
  const parts = joined(
    raised(samples.subarray(0, half), state),
    raised(samples.subarray(half), structuredClone(state)),
  );
  expect(parts).toEqual(raised(samples));
});

test("a quiet segment is raised by one gain, one at a normal level is not copied", () => {
  const quiet = levelled(joined(tone(0.5, -55), tone(0.5, -65)));
  expect(decibels(quiet.subarray(0, 7_000))).toBeCloseTo(-15, 0);
  expect(decibels(quiet.subarray(-7_000))).toBeCloseTo(-25, 0);
  const loud = tone(1, -20);
  expect(levelled(loud)).toBe(loud);
});

test("the quiet beginning of a segment is raised where it is faded in, and its loud rest is unchanged", () => {
  const faded = joined(tone(1, -70), tone(1, -60), tone(1, -50), tone(2, -15));
  const samples = levelled(faded);
  const second = 31 * WINDOW;
  for (const from of [0, 1, 2])
    expect(decibels(samples.subarray(from * second, (from + 0.3) * second))).toBeGreaterThan(-35);
  expect(samples.subarray(3 * second)).toEqual(faded.subarray(3 * second));
  expect(Math.max(...samples.subarray(0, 3 * second).map(Math.abs))).toBeLessThan(0.5);
});

test("a short quiet beginning, and one of a voice that is hardly louder, stay as they are", () => {
  for (const samples of [joined(tone(1.5, -60), tone(2, -15)), joined(tone(3, -60), tone(2, -35))])
    expect(levelled(samples)).toBe(samples);
});
